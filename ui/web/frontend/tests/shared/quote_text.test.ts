import assert from "node:assert/strict";
import { test } from "node:test";
import { splitCitations, splitRows, stripBlockMarks } from "../../src/shared/quote_text";

const QUOTES = new Map([["e1", 1], ["e2", 2]]);

test("citations are cut out of an answer, brackets of its own stay", () => {
  assert.deepEqual(splitCitations("Lit [e1]. So [e1, e2] [see below] [e9].", QUOTES, (number) => number),
    ["Lit ", 1, ". So ", 1, 2, " [see below] [e9]."]);
});

test("nothing of an answer is lost", () => {
  for (const text of ["", "no brackets", "[", "[]", "[e1", "e1]", "[e1][e2]", "[e1]\n[e1]"]) {
    assert.equal(splitCitations(text, QUOTES, (number) => `[e${number}]`).join(""), text);
  }
});

test("a quote in its page keeps its lines", () => {
  assert.equal(stripBlockMarks("# Light\n\n\n- lit\nin 1901"), "Light\nlit\nin 1901");
  assert.equal(stripBlockMarks("| a | b |\n```sh\nrun\n```").trim(), "a | b |\nrun");
});

test("rows that a text quotes are parted into cells, and those that follow each other stand together", () => {
  assert.deepEqual(splitRows("8501: “a | b” “c | d” and “so”, “x | y | z”"), ["8501: ", [["a", "b"], ["c", "d"]], " and “so”, ", [["x", "y", "z"]]]);
  assert.deepEqual(splitRows("No row | here"), ["No row | here"]);
  const choice = "“git revert (--continue | --skip | --abort)” and “[a | b]”";
  assert.deepEqual(splitRows(choice), [choice]);
});
