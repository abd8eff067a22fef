import assert from "node:assert/strict";
import { test } from "node:test";
import { countShared, describeDifference, formatTotal } from "../../src/sessions/comparison";
import { answerBlocks, splitLead } from "../../src/sessions/compared_answer";
import { assignLanes, countLanes, isDecision } from "../../src/sessions/history_lanes";
import type { Checkpoint } from "../../src/sessions/history_lanes";
import { describeRun } from "../../src/sessions/session_head";
import { describeSites } from "../../src/sessions/session_list";
import { emptyView } from "../view";

function point(number: number, parent: number, on_path = true, more: Partial<Checkpoint> = {}): Checkpoint {
  return { number, id: `c${number}`, parent: parent ? `c${parent}` : "", seconds: 0, time: number, ran: ["act"], next: [], source: "loop", message: "", outcome: "", current: false, on_path, ...more };
}

test("a branch that was left has a lane of its own", () => {
  const points = [point(1, 0), point(2, 1, false), point(3, 2, false), point(4, 1), point(5, 1, false)];
  const lanes = assignLanes(points, points);
  assert.deepEqual(points.map(({ id }) => lanes.get(id)?.lane), [0, 1, 1, 0, 2]);
  assert.deepEqual(points.map(({ id }) => lanes.get(id)?.above), [undefined, "c1", "c2", "c1", "c1"]);
  assert.equal(countLanes(lanes), 3);
});

test("rows that are not shown are passed over", () => {
  const points = [point(1, 0), point(2, 1), point(3, 2)];
  const lanes = assignLanes([points[0], points[2]].filter((each) => each !== undefined), points);
  assert.deepEqual([...lanes.keys()], ["c1", "c3"]);
  assert.equal(lanes.get("c3")?.above, "c1");
});

test("a decision is what a deciding node said, a failure, a fork, the begin, and the present", () => {
  const types = { act: "actor", select: "selector" };
  const is = (more: Partial<Checkpoint>, forked = false) => isDecision(point(1, 0, true, more), types, forked);
  assert.deepEqual([is({}), is({ message: "m" }), is({ ran: ["select"] })], [false, false, false]);
  assert.deepEqual([is({ ran: ["select"], message: "m" }), is({ outcome: "failed" }), is({ ran: [] }), is({ current: true }), is({}, true)], [true, true, true, true, true]);
});

test("shared evidence is counted in words", () => {
  const rounds = (...pair: [number | null, number | null]) => ({ rounds: pair });
  assert.equal(countShared([rounds(1, 0), rounds(1, null), rounds(null, 2), rounds(null, 3)]), "1 quote in both, 1 only in A, 2 only in B");
  assert.equal(countShared([]), "");
  assert.deepEqual([formatTotal("Dollars", 0.5), formatTotal("Time", 61), formatTotal("Pages", 1234)], ["$0.500", "1:01", "1,234"]);
});

test("a session says what it took", () => {
  const view = emptyView({ read: 2 });
  view.spend = { ...view.spend, pages: { used: 1 }, dollars: { used: 0.01 }, seconds: { used: 61 } };
  assert.equal(describeRun(view, "Best pages first"), "Best pages first · Built-in rules · 2 pages read · $0.010 · 1:01");
});

test("several sites are counted and named", () => {
  assert.equal(describeSites(["a.example"]), "a.example");
  assert.equal(describeSites(["a.example", "b.example"]), "2 sites: a.example, b.example");
});

test("rows that a compared answer quotes are cells, with their citation in the last; words keep their mark", () => {
  const plain = (text: string, only = false) => ({ text, only, cite: 0 });
  const cite = (number: number) => ({ text: "", only: false, cite: number });
  const pieces = [plain("So: “E3 | "), plain("blocked ", true), plain("| Wash” "), cite(1), plain("\n“E4 | full | Slide” "), cite(1), plain("\n“Filter | 12 | €1” "), cite(2), plain("\nNo 😀 table "), cite(3), plain(".")];
  const blocks = answerBlocks(pieces, { 1: ["Code", "Meaning", "Cure"], 2: ["too", "short"] });
  assert.deepEqual(blocks, [
    { kind: "text", pieces: [plain("So: ")] },
    { kind: "rows", head: ["Code", "Meaning", "Cure"], rows: [
      [[plain("E3")], [plain("blocked", true)], [plain("Wash"), cite(1)]],
      [[plain("E4")], [plain("full")], [plain("Slide"), cite(1)]],
    ] },
    { kind: "rows", head: [], rows: [[[plain("Filter")], [plain("12")], [plain("€1"), cite(2)]]] },
    { kind: "text", pieces: [plain("No 😀 table "), cite(3), plain(".")] },
  ]);
});

test("the words that answer and their sentence are told apart", () => {
  const text = (words: string, only = false) => ({ text: words, only, cite: 0 });
  const cite = { text: "", only: false, cite: 1 };
  const lead = splitLead([text("23 "), text("boats: “In the", true), text(" storm 23 boats were lost.” "), cite]);
  assert.deepEqual(lead?.words, [text("23 "), text("boats", true)]);
  assert.deepEqual(lead.quoted, [text("In the", true), text(" storm 23 boats were lost.")]);
  assert.deepEqual(lead.rest.filter((each) => each.cite), [cite]);
  assert.deepEqual(splitLead([text("“Ada lit it.”"), cite])?.words, []);
  assert.equal(splitLead([text("It is so, as “lit” says."), cite]), null);
});

test("two answers that are the same are said to be", () => {
  const turn = (...answer: [string, boolean][]) => ({ question: "Who?", answer: answer.map(([text, only]) => ({ text, only, cite: 0 })), columns: {}, vain: false, more: [] });
  assert.equal(describeDifference([turn(["Ada.", false]), turn(["Ada.", false])], 1), "Both give the same answer.");
  assert.equal(describeDifference([turn(["Ada", true]), turn(["Bo", true])], 0), "words that only one of them has are underlined");
  assert.equal(describeDifference([turn(), turn()], 1), "");
});
