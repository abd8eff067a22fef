import assert from "node:assert/strict";
import { test } from "node:test";
import { liveOverlay, overlayAt, overlayWithin } from "../../src/canvas/run/run_overlay";
import type { Ran } from "../../src/canvas/run/run_overlay";

function ran(seq: number, node: string, edges: string[], ended: number | null = seq + 1): Ran {
  return { seq, node, began: seq, ended, status: "done", route: "", message: "", edges };
}

const WAY = [
  ran(1, "select", ["start -> select"]),
  ran(2, "walk/act", ["select.arm -> walk", "walk/start -> walk/act"]),
  ran(3, "answer", ["walk.end -> answer", "answer.end -> end"]),
];

test("a node that was at work when its run was left is interrupted", () => {
  const told = { nodes: { act: { count: 1, status: "now" }, select: { count: 2 } }, edges: {} };
  assert.deepEqual(liveOverlay(told, true, []).now, ["act"]);
  const left = liveOverlay(told, false, []);
  assert.deepEqual([left.now, left.nodes.act?.status], [[], "interrupted"]);
});

test("a place in the run lights what worked then", () => {
  assert.deepEqual(overlayAt(WAY, 0).now, ["select"]);
  const within = overlayAt(WAY, 1);
  assert.deepEqual([within.now, within.nodes.walk?.count, within.nodes["walk/act"]?.count], [["walk/act"], 1, 1]);
  assert.equal(within.nodes.answer, undefined);
});

test("behind the last step the run is over, and the last edge is taken", () => {
  const over = overlayAt(WAY, WAY.length);
  assert.deepEqual([over.now, over.edges["answer.end -> end"]], [[], 1]);
  assert.deepEqual(over.fresh, ["answer.end -> end"]);
  assert.equal(overlayAt(WAY, 2).edges["answer.end -> end"], undefined);
});

test("a graph inside has its own part of it", () => {
  const inner = overlayWithin(overlayAt(WAY, 1), "walk");
  assert.deepEqual([inner.now, Object.keys(inner.nodes), Object.keys(inner.edges)], [["act"], ["act"], ["start -> walk/act"]]);
  assert.deepEqual(overlayWithin(overlayAt(WAY, 1), "").now, ["walk"]);
});
