// What the canvas tells Python, so that nothing is lost or taken twice. Streamlit drops a trigger where
// another comes before the script ran, and a run may end before it heard: so all that is not yet
// acknowledged stays in one state value, in order and numbered, and is sent anew until it is.
import type { Heard } from "./types";

type Entry = { number: number; name: string; value: unknown };

const FIRST_MS = 3_000; // the wait before it is sent anew; doubled each time, as a run may be slow
const LONGEST_MS = 60_000;
const MOST = 40; // so many wait one by one: of more, an edit or selection takes the place of the one before
const WHOLE = ["edit", "selected"];

export class Mail {
  private ear = "";
  private number = 0;
  private again = 0;
  private waiting: Entry[] = [];
  private pause = FIRST_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private canvas: string, private send: (name: string, value: unknown) => void) {}

  put(name: string, value: unknown): void {
    this.number += 1;
    const full = this.waiting.length >= MOST && WHOLE.includes(name) && this.waiting.at(-1)?.name === name;
    const before = full ? this.waiting.slice(0, -1) : this.waiting;
    this.waiting = [...before, { number: this.number, name, value }];
    this.post();
  }

  // Another ear is another session of Streamlit, which heard nothing yet.
  heard({ ear, reached }: Heard): void {
    const before = this.waiting.length;
    const moved = ear !== this.ear;
    this.ear = ear;
    this.waiting = this.waiting.filter(({ number }) => number > (reached[this.canvas] ?? 0));
    if (moved && this.waiting.length) return this.post();
    if (this.waiting.length === before) return;
    this.pause = FIRST_MS;
    this.arm();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private post(): void {
    this.again += 1;
    this.send("said", { canvas: this.canvas, ear: this.ear, again: this.again, entries: this.waiting });
    this.arm();
  }

  private arm(): void {
    clearTimeout(this.timer);
    if (!this.waiting.length) return;
    this.timer = setTimeout(() => {
      this.pause = Math.min(2 * this.pause, LONGEST_MS);
      this.post();
    }, this.pause);
  }
}
