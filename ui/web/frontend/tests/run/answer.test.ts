import assert from "node:assert/strict";
import { test } from "node:test";
import { describeNoAnswer } from "../../src/run/answer";
import { numberQuotes } from "../../src/run/quote_card";
import { describeProgress } from "../../src/run/status";
import { emptyView, entry, evidence } from "../view";

const CITATION = { id: "e7", url: "http://a.test/", title: "A", quote: "q", section: "", round: 1 };
const numbers = (view: ReturnType<typeof emptyView>) => [...numberQuotes(view)].map(([id, quote]) => [id, quote.number]);

test("cited quotes have the number of the answer, the others none", () => {
  const found = { e7: evidence({ dated: "2020", confidence: 2 }), e8: evidence({}) };
  const view = emptyView({ answer: { text: "Ada [e7].", worth: "" }, citations: { "1": CITATION }, evidence: found });
  assert.deepEqual(numbers(view), [["e7", "1"], ["e8", "–"]]);
  const quote = numberQuotes(view).get("e7");
  assert.deepEqual([quote?.dated, quote?.confidence], ["2020", 2]);
});

test("without an answer quotes have their number in the ledger", () => {
  assert.deepEqual(numbers(emptyView({ evidence: { e7: evidence({}) } })), [["e7", "7"]]);
});

test("a run without an answer says why, and what to do", () => {
  assert.match(describeNoAnswer("paused", ""), /Resume to continue/);
  assert.equal(describeNoAnswer("failed", "No key."), "No key.");
  assert.equal(describeNoAnswer("failed", ""), "The run failed.");
  assert.equal(describeNoAnswer("answered", ""), "There is no answer.");
});

test("the status names the node at work, or what was asked of the run", () => {
  const view = emptyView({ timeline: { "1": entry({ outcome: "now", node: "survey" }) } });
  assert.equal(describeProgress(view, false), "Running · survey");
  assert.equal(describeProgress(view, true), "Connection lost, trying again");
  view.session.asked = "pause";
  assert.equal(describeProgress(view, false), "Pausing after this step");
  Object.assign(view.session, { status: "paused", stands: "paused" });
  assert.equal(describeProgress(view, false), "Paused");
});
