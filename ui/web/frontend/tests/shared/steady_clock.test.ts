import assert from "node:assert/strict";
import { test } from "node:test";
import { SteadyClock } from "../../src/shared/steady_clock";
import { emptyView } from "../view";

function shownBy(clock: SteadyClock, used: number, turn = 1): number {
  const view = emptyView({});
  view.session.turn = turn;
  view.spend = { ...view.spend, seconds: { used } };
  return clock.hold(view).spend.seconds.used;
}

test("a clock is held at a pause until the server's has caught up", () => {
  const clock = new SteadyClock();
  assert.deepEqual([13, 14, 13.6, 13.6, 14, 15].map((used) => shownBy(clock, used)), [13, 14, 14, 14, 14, 15]);
});

test("a run that goes back to an earlier step, and the next question, have their time", () => {
  const clock = new SteadyClock();
  assert.deepEqual([40, 12, 13].map((used) => shownBy(clock, used)), [40, 12, 13]);
  assert.equal(shownBy(clock, 12.5, 2), 12.5);
});
