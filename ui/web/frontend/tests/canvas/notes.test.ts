import assert from "node:assert/strict";
import { test } from "node:test";
import { freeNotePlace } from "../../src/canvas/graph/notes";
import { readBlocks, readPieces } from "../../src/canvas/graph/markdown";
import { farClass, farZoom, leastLetters } from "../../src/canvas/board/letters";

test("bold, italics, code and links of a note are read", () => {
  assert.deepEqual(readPieces("a **bold** *word* and _another_, `code *here*`"), [
    { kind: "text", text: "a " }, { kind: "bold", text: "bold" }, { kind: "text", text: " " }, { kind: "italic", text: "word" },
    { kind: "text", text: " and " }, { kind: "italic", text: "another" }, { kind: "text", text: ", " }, { kind: "code", text: "code *here*" },
  ]);
  assert.deepEqual(readPieces("[page](https://example.org/a)"), [{ kind: "link", text: "page", to: "https://example.org/a" }]);
});

test("what is no Markdown stays as it was written", () => {
  for (const text of ["2 * 3 * 4", "a_key_name", "**", "", "<b>bold</b>", "[x](javascript:alert(1))", "[x](data:text/html,hi)", "[x](/here)"]) {
    assert.deepEqual(readPieces(text), [{ kind: "text", text }], text);
  }
});

test("lists and headings are blocks", () => {
  assert.deepEqual(readBlocks("# Why\nfirst\nsecond\n- one\n- two\n1. a\n2) b").map(({ kind, lines }) => [kind, lines.length]), [["heading", 1], ["text", 2], ["bullets", 2], ["numbers", 2]]);
});

test("a new note covers no node and no note", () => {
  const taken = [{ x: 0, y: 0, w: 160, h: 84 }, { x: 240, y: 0, w: 160, h: 84 }, { x: -100, y: 100, w: 220, h: 120 }];
  const [x, y] = freeNotePlace(taken, [10, 10]);
  for (const box of taken) assert.ok(x + 220 <= box.x || box.x + box.w <= x || y + 120 <= box.y || box.y + box.h <= y, `${x}, ${y}`);
  assert.deepEqual(freeNotePlace([], [10, 10]), [10, 10]);
});

test("letters have ten pixels on the screen at each zoom at which there are names", () => {
  for (let zoom = 0.22; zoom < 0.92; zoom += 0.007) {
    assert.ok(leastLetters(farZoom(zoom)) * zoom >= 10, `at ${zoom}`);
    assert.match(farClass(farZoom(zoom)), /far/);
  }
  assert.equal(farClass(farZoom(0.95)), "");
  assert.match(farClass(farZoom(0.1)), /farthest/);
});
