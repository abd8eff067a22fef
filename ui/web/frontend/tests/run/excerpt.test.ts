import assert from "node:assert/strict";
import { test } from "node:test";
import { excerptAtMark } from "../../src/run/excerpt";
import type { Piece, QuoteBlock } from "../../src/shared/run_view";

const text = (...pieces: Piece[]): QuoteBlock => ({ kind: "text", cells: [pieces] });
const row = (name: string, marked = false): QuoteBlock => ({ kind: "row", cells: [[[name, false]], [["12", marked]]] });
const shown = (blocks: readonly QuoteBlock[]) => blocks.map(({ cells }) => cells.map((cell) => cell.map(([words]) => words).join("")).join("|"));

test("a long quote is cut around the words that answer, never above them", () => {
  const rows = ["a", "b", "c", "d"].map((name) => row(name));
  assert.deepEqual(shown(excerptAtMark([...rows, row("e", true), row("f")])), ["… d|12", "e|12", "f|12"]);
  const long = text(["Many words stand here. ".repeat(20), false], ["in 1874", true], [".", false]);
  const [cut = ""] = shown(excerptAtMark([text(["Before.", false]), long]));
  assert.match(cut, /^… \S.{60,90}in 1874\.$/);
});

test("a short quote, and one without marked words, stays whole", () => {
  const short = [text(["Title", false]), text(["Lit ", false], ["in 1874", true])];
  assert.equal(excerptAtMark(short), short);
  const bare = [row("a"), row("b"), row("c")];
  assert.equal(excerptAtMark(bare), bare);
});
