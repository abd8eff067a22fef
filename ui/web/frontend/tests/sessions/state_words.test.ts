import assert from "node:assert/strict";
import { test } from "node:test";
import { describeValue, nameChange } from "../../src/sessions/state_words";

test("what a step changed has a name in words", () => {
  const names = ["proposal", "reading", "evidence e1", "spend calls", "spend tokens_in", "budget pages", "arms[2]", "arms[2] part", "survey of http://a.test/", "steps s3"].map(nameChange);
  assert.deepEqual(names, [
    "Next action", "Passages copied", "Quote e1", "Spent: Calls", "Spent: Tokens sent", "Limit: Pages opened", "Ranked page 2", "Sub-question of ranked page 2",
    "Pages of http://a.test/", "Action s3",
  ]);
});

test("what is nothing of a state keeps its name", () => {
  assert.deepEqual(["nodes act", "Critic.model", "evidence"].map(nameChange), ["nodes act", "Critic.model", "evidence"]);
});

test("values are told in plain words, and quotes as they are", () => {
  assert.equal(describeValue("visit http://a.test/: the page drawn for this round"), "open http://a.test/, chosen for this round");
  assert.equal(describeValue("stop: no link is worth a visit"), "done: no link is worth a visit");
  assert.equal(describeValue("“enough”"), "“enough”");
});
