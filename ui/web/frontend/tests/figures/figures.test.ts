import assert from "node:assert/strict";
import { test } from "node:test";
import { describeArm } from "../../src/figures/arms";
import { drawsOfArm, outcomeOfDraw } from "../../src/figures/draw_data";
import { NOTHING_SPENT, spendCourse, sumByNode } from "../../src/figures/spending";
import { arm } from "../view";

const DRAW = { round: 2, samples: { "1": 0.4, "2": 0.9 }, arms: [2], outcomes: [] as string[], strategy: "thompson" };
const WAY = {
  ...NOTHING_SPENT, round: [0, 1, 1, 2], ran: ["survey", "act", "act", "answer"],
  pages: [0, 1, 3, 3], seconds: [4, 6, 7, 10],
};

test("an arm has its draws, and whether it won", () => {
  assert.deepEqual(drawsOfArm(2, [DRAW, { ...DRAW, samples: { "1": 0.1 } }]), [[0.9, true]]);
  assert.deepEqual(drawsOfArm(1, [DRAW]), [[0.4, false]]);
});

test("the outcome of a draw is its own, else that of the arm's visit in this round", () => {
  const arms = new Map([[2, arm({ number: 2, round: 2, sign: "now" })]]);
  assert.equal(outcomeOfDraw({ ...DRAW, outcomes: ["infeasible"] }, 2, arms), "nothing");
  assert.equal(outcomeOfDraw(DRAW, 2, arms), "now");
  assert.equal(outcomeOfDraw({ ...DRAW, round: 1 }, 2, arms), "nothing");
});

test("an arm says when it was visited, and what came of it", () => {
  assert.equal(describeArm(arm({})), "Not visited");
  assert.equal(describeArm(arm({ draws: 2 })), "2 earlier visits");
  assert.equal(describeArm(arm({ sign: "now", round: 3 })), "Being visited, visit 3");
  assert.equal(describeArm(arm({ sign: "partial", round: 3 })), "Partial on visit 3");
});

test("what was spent is summed up by node, the one that took the most time first", () => {
  const sums = sumByNode(WAY, ["pages", "seconds"]);
  assert.deepEqual(sums.map(([node, own]) => [node, own.runs, own.pages, own.seconds]), [["survey", 1, 0, 4], ["act", 2, 3, 3], ["answer", 1, 0, 3]]);
});

test("the course goes up in steps to what was spent, and shows a limit that is near", () => {
  const size = { width: 200, height: 64 };
  const course = spendCourse("pages", 3, 100, WAY, 20, size);
  assert.equal(course.line, "M0,61H40.0V61.0H60.0V42.3H70.0V5.0H100.0V5.0H200.0V5.0");
  assert.deepEqual(course.visits, [60, 100]);
  assert.equal(course.limit, undefined);
  assert.equal(spendCourse("pages", 3, 3, WAY, 20, size).limit, 5);
  assert.equal(spendCourse("calls", 0, undefined, NOTHING_SPENT, 0, size).line, "M0,61H0.0V61.0");
});
