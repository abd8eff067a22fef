// Sends messages to Python, in order and exactly once. Streamlit drops a trigger if another comes before
// the script ran, and a run may end before it received anything: so all messages that are not acknowledged
// stay in one state value, numbered, and are sent again until they are.
import type { Acknowledged } from "./graph/types";

interface Message { number: number; name: string; value: unknown }

const FIRST_MS = 3_000; // the wait before messages are sent again; doubled each time, as a run may be slow
const LONGEST_MS = 60_000;
const MOST = 40; // if more are waiting, an edit or a selection replaces the one just before it
const REPLACING = new Set(["edit", "selected"]); // each of them is complete in itself

export class Outbox {
  private inbox = "";
  private number = 0;
  private attempt = 0;
  private waiting: Message[] = [];
  private pause = FIRST_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private canvas: string, private setState: (name: string, value: unknown) => void) {}

  put(name: string, value: unknown): void {
    this.number += 1;
    const replaces = this.waiting.length >= MOST && REPLACING.has(name) && this.waiting.at(-1)?.name === name;
    const before = replaces ? this.waiting.slice(0, -1) : this.waiting;
    this.waiting = [...before, { number: this.number, name, value }];
    this.send();
  }

  // Another inbox is another session of Streamlit, which has received nothing yet.
  acknowledge({ inbox, reached }: Acknowledged): void {
    const before = this.waiting.length;
    const moved = inbox !== this.inbox;
    this.inbox = inbox;
    this.waiting = this.waiting.filter(({ number }) => number > (reached[this.canvas] ?? 0));
    if (moved && this.waiting.length) return this.send();
    if (this.waiting.length === before) return;
    this.pause = FIRST_MS;
    this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private send(): void {
    this.attempt += 1;
    this.setState("outbox", { canvas: this.canvas, inbox: this.inbox, attempt: this.attempt, messages: this.waiting });
    this.schedule();
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (!this.waiting.length) return;
    this.timer = setTimeout(() => {
      this.pause = Math.min(2 * this.pause, LONGEST_MS);
      this.send();
    }, this.pause);
  }
}
