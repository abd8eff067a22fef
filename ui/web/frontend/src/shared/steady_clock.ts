// The clock of a run as a page shows it: it never runs backwards by the little that a pause takes back.
import type { RunView } from "./run_view";

// While a run works, the server counts up to now; once it pauses, what the steps took themselves.
const HELD_SECONDS = 2;

export class SteadyClock {
  private shown = 0;
  private turn = 0;

  // The view, with the clock held until the server's has caught up. A run that goes back to an earlier step has its time.
  hold(view: RunView): RunView {
    const { seconds } = view.spend;
    const isHeld = this.turn === view.session.turn && seconds.used < this.shown && this.shown - seconds.used < HELD_SECONDS;
    [this.turn, this.shown] = [view.session.turn, isHeld ? this.shown : seconds.used];
    return isHeld ? { ...view, spend: { ...view.spend, seconds: { ...seconds, used: this.shown } } } : view;
  }
}
