import assert from "node:assert/strict";
import { test } from "node:test";
import { excerptAtMark } from "../../src/run/excerpt";
import type { Piece, QuoteBlock } from "../../src/shared/run_view";

const text = (...pieces: Piece[]): QuoteBlock => ({ kind: "text", cells: [pieces] });
const row = (name: string, marked = false): QuoteBlock => ({ kind: "row", cells: [[[name, false]], [["12", marked]]] });
const shown = (blocks: readonly QuoteBlock[]) => blocks.map(({ cells }) => cells.map((cell) => cell.map(([words]) => words).join("")).join("|"));

test("a long quote begins at the words that answer", () => {
  const rows = ["a", "b", "c", "d"].map((name) => row(name));
  assert.deepEqual(shown(excerptAtMark([...rows, row("e", true), row("f")])), ["…\u00a0e|12", "f|12"]);
  const long = text(["Many words stand here. ".repeat(20), false], ["in 1874", true], [".", false]);
  const [cut = ""] = shown(excerptAtMark([text(["Before.", false]), long]));
  assert.match(cut, /^… \S.{60,90}in 1874\.$/);
});

test("a row above the one that answers takes no room, however long its cells are", () => {
  const wide = (name: string, marked = false): QuoteBlock => ({ kind: "row", cells: [[[name, false]], [["Words of a talk. ".repeat(9), false], ["Ada", marked]]] });
  const [first = ""] = shown(excerptAtMark([wide("10:00"), wide("11:30", true)]));
  assert.match(first, /^…\u00a011:30\|… .{60,90}Ada$/);
});

test("the words of a heading stay above the sentence below it", () => {
  const title: QuoteBlock = { kind: "heading", cells: [[["Title", false]]] };
  const lit = text(["Lit ", false], ["in 1874", true]);
  assert.deepEqual(shown(excerptAtMark([title, lit])), ["Title", "Lit in 1874"]);
  assert.deepEqual(shown(excerptAtMark([text(["Before.", false]), title, lit])), ["Title", "…\u00a0Lit in 1874"]);
});

test("a quote without marked words stays whole", () => {
  const bare = [row("a"), row("b"), row("c")];
  assert.equal(excerptAtMark(bare), bare);
});
