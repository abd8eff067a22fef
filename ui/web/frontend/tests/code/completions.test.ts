import assert from "node:assert/strict";
import { test } from "node:test";
import { completionsAt, nodeTypes } from "../../src/code/completions";
import type { GraphSchema } from "../../src/code/completions";

const SCHEMA: GraphSchema = {
  keys: { name: "The name.", nodes: "The nodes." },
  types: {
    critic: { about: "Judges.", routes: ["sufficient", "insufficient"], params: { least: { about: "How much", choices: [] }, gate: { about: "Again?", choices: ["true", "false"] } } },
    actor: { about: "Acts.", routes: ["moved"], params: {} },
  },
};
const HEAD = "name: mine\nnodes:\n  judge: {type: critic}\n  act: {type: actor}\n";

function offered(before: string, after = ""): string[] {
  return (completionsAt(before, after, SCHEMA)?.options ?? []).map(({ label }) => label);
}

test("nodes and their types are read on one line and in blocks", () => {
  const text = `${HEAD}  block:\n    params: {gate: true}\n    type: critic\nedges:\n  - start -> judge\n`;
  assert.deepEqual([...nodeTypes(text)], [["judge", "critic"], ["act", "actor"], ["block", "critic"]]);
});

test("at the start of a line stand the keys of a graph", () => {
  assert.deepEqual(offered("na"), ["name", "nodes"]);
});

test("after type: stand the node types", () => {
  assert.deepEqual(offered(`${HEAD}  more: {type: cr`), ["critic", "actor"]);
});

test("within params stand the parameters of the node, and their values", () => {
  assert.deepEqual(offered("nodes:\n  judge: {type: critic, params: {le"), ["least", "gate"]);
  assert.deepEqual(offered("nodes:\n  judge: {type: critic, params: {least: 1, "), ["least", "gate"]);
  assert.deepEqual(offered("nodes:\n  judge: {type: critic, params: {gate: "), ["true", "false"]);
  assert.deepEqual(offered("nodes:\n  judge:\n    type: critic\n    params:\n      g"), ["least", "gate"]);
  assert.deepEqual(offered("nodes:\n  judge:\n    type: critic\n    params:\n      gate: t"), ["true", "false"]);
});

test("an edge begins with a route and ends at a node", () => {
  assert.deepEqual(offered(`${HEAD}edges:\n  - ju`), ["start", "judge.sufficient", "judge.insufficient", "act.moved"]);
  assert.deepEqual(offered(`${HEAD}edges:\n  - judge.sufficient -> `), ["judge", "act", "end"]);
});

test("elsewhere nothing is offered", () => {
  assert.deepEqual(offered(`${HEAD}  # a comment `), []);
  assert.deepEqual(offered("name: mi"), []);
  assert.deepEqual(offered("nodes:\n  judge: {type: unknown, params: {le"), []);
});

test("what is typed replaces the word before it", () => {
  assert.equal(completionsAt("nodes:\n  a: {type: cr", "", SCHEMA)?.from, "nodes:\n  a: {type: ".length);
});
