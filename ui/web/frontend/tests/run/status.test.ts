import assert from "node:assert/strict";
import { test } from "node:test";
import { describeProgress } from "../../src/run/status";
import { emptyView, entry } from "../view";

test("a run that was asked to stop says which step ends, and then that it writes the answer", () => {
  const view = emptyView({ names: { extract: "Copy quotes" }, timeline: { "1": entry({ node: "extract", type: "extractor", outcome: "now" }) } });
  assert.equal(describeProgress(view, false), "Running · Copy quotes");
  view.session.asked = "stop";
  assert.match(describeProgress(view, false), /^Stopping: finishing “Copy quotes”/);
  view.timeline["1"] = entry({ node: "answer", type: "answerer", outcome: "now" });
  assert.equal(describeProgress(view, false), "Stopping: writing the answer from what was read");
  view.timeline = {};
  assert.equal(describeProgress(view, false), "Stopping: writing the answer from what was read");
  view.session.asked = "end";
  assert.equal(describeProgress(view, false), "Ending now with what was read");
  view.session.asked = "pause";
  assert.equal(describeProgress(view, false), "Pausing after this step");
});
