import assert from "node:assert/strict";
import { test } from "node:test";
import { arrangeRows, leadingRows, tellApart } from "../../src/run/evidence_rows";
import type { Arrangement } from "../../src/run/evidence_rows";
import { evidence } from "../view";

const ROWS = [
  { id: "e10", ...evidence({ quote: "Lit in 1901", title: "B", part: "when", round: 2 }) },
  { id: "e2", ...evidence({ quote: "By Ada", title: "C", part: "who", round: 1, cited: 2 }) },
  { id: "e3", ...evidence({ quote: "At Ona", title: "", url: "http://a.test/", part: "who", round: 1, cited: 1 }) },
];
const ids = (how: Partial<Arrangement>) => arrangeRows(ROWS, { sort: "cited", down: false, find: "", part: "", ...how }).map((row) => row.id);

test("cited quotes come first, in the order of their numbers", () => {
  assert.deepEqual(ids({}), ["e3", "e2", "e10"]);
  assert.deepEqual(ids({ down: true }), ["e10", "e2", "e3"]);
});

test("a small window begins with the cited quotes, or with a few", () => {
  assert.deepEqual(leadingRows(ROWS).map(({ id }) => id), ["e2", "e3"]);
  const many = Array.from({ length: 9 }, (_, at) => ({ id: `e${at}`, ...evidence({}) }));
  assert.equal(leadingRows(many).length, 5);
});

test("a column sorts, equal rows by their number in the ledger", () => {
  assert.deepEqual(ids({ sort: "round" }), ["e2", "e3", "e10"]);
  assert.deepEqual(ids({ sort: "page" }), ["e10", "e2", "e3"]);
  assert.deepEqual(ids({ sort: "part" }), ["e10", "e2", "e3"]);
});

test("filters take words of quotes and pages, and a part", () => {
  assert.deepEqual(ids({ find: "lit 19" }), ["e10"]);
  assert.deepEqual(ids({ find: "A.TEST ona" }), ["e3"]);
  assert.deepEqual(ids({ part: "who", find: "ada" }), ["e2"]);
  assert.deepEqual(ids({ find: "nobody" }), []);
});

test("sub-questions that begin alike are told apart by what differs", () => {
  const parts = ["SQLite", "PostgreSQL"].map((name) => `Maximum number of columns in a table of ${name}`);
  assert.deepEqual(parts.map((part) => tellApart(part, parts, 30)), ["… of SQLite", "… of PostgreSQL"]);
  assert.equal(tellApart("Who lit it?", ["Who lit it?", "Who kept it?"], 30), "Who lit it?", "what has room stays whole");
  assert.equal(tellApart("Who was the keeper of the lamp of Ona?", [], 30), "Who was the keeper of the lamp of Ona?");
});
