// Something of the session's API, fetched again when what it depends on has changed.
export interface Fetcher {
  fetch: (path: string) => Promise<Response>;
  redraw: () => void;
}
type Clock = () => number;
type Wait = (act: () => void, ms: number) => void;

const LEAST_MS = 1000;

export class ThrottledFetch<T> {
  value: T;
  private last: string | null = null;
  private fetchedAt = -Infinity;
  private state: "idle" | "waiting" | "loading" = "idle";
  private again = false; // something changed while it was loading

  constructor(initial: T, private now: Clock = Date.now, private wait: Wait = (act, ms) => { setTimeout(act, ms); }) {
    this.value = initial;
  }

  // Fetches `path` and redraws if `when` differs from the last time, at most once a second.
  refresh(run: Fetcher, path: string, when: unknown): void {
    const text = JSON.stringify([path, when]);
    if (text === this.last) return;
    this.last = text;
    this.begin(run, path);
  }

  private begin(run: Fetcher, path: string): void {
    this.again = this.state === "loading";
    if (this.state !== "idle") return;
    this.state = "waiting";
    this.wait(() => void this.load(run, path), Math.max(0, this.fetchedAt + LEAST_MS - this.now()));
  }

  private async load(run: Fetcher, path: string): Promise<void> {
    this.fetchedAt = this.now();
    this.state = "loading";
    const reply = await run.fetch(path).catch(() => null);
    if (reply?.ok) this.value = await reply.json() as T;
    else this.last = null;
    this.state = "idle";
    if (this.again) this.begin(run, path);
    if (reply?.ok) run.redraw();
  }
}
