// One stream for each session, shared by all components that show it.
import { applyPatch } from "./merge_patch";
import type { JsonObject } from "./merge_patch";
import type { RunView } from "./run_view";
import { SteadyClock } from "./steady_clock";

export type Listener = (view: RunView, lost: boolean) => void;

// Sent when a stream breaks off.
export const STREAM_LOST = "forager-stream-lost";

const RETRY_MS = 1000;
const streams = new Map<string, RunStream>();

// Calls the listener with the view of a session now and on every change; returns how to stop it.
export function followRun(session: string, token: string, listener: Listener): () => void {
  return streamOf(session, token).add(listener);
}

// The quote that is open, by its id: the same in all components of a session.
export function openedQuote(session: string, token: string): string | null {
  return streams.get(keyOf(session, token))?.openedQuote ?? null;
}

export function toggleQuote(session: string, token: string, id: string): void {
  streams.get(keyOf(session, token))?.toggleQuote(id);
}

export function fetchSession(session: string, token: string, path: string, signal?: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  return fetch(`/api/sessions/${encodeURIComponent(session)}${path && `/${path}`}`, signal ? { headers, signal } : { headers });
}

export function postSession(session: string, token: string, path: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return fetch(`/api/sessions/${encodeURIComponent(session)}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

function keyOf(session: string, token: string): string {
  return `${session} ${token}`;
}

function streamOf(session: string, token: string): RunStream {
  const key = keyOf(session, token);
  const known = streams.get(key);
  if (known) return known;
  const stream = new RunStream(session, token);
  streams.set(key, stream);
  void stream.run().finally(() => streams.delete(key));
  return stream;
}

class RunStream {
  openedQuote: string | null = null;
  private document: JsonObject | null = null;
  private clock = new SteadyClock();
  private lost = false;
  private listeners = new Set<Listener>();
  private stop = new AbortController();

  constructor(private session: string, private token: string) {}

  add(listener: Listener): () => void {
    this.listeners.add(listener);
    const view = this.view();
    if (view) listener(view, this.lost);
    return () => {
      this.listeners.delete(listener);
      setTimeout(() => { if (!this.listeners.size) this.stop.abort(); }, RETRY_MS);
    };
  }

  toggleQuote(id: string): void {
    this.openedQuote = this.openedQuote === id ? null : id;
    this.tellListeners();
  }

  // Reads until the session is deleted or nobody listens; reconnects when the connection is lost.
  async run(): Promise<void> {
    for (;;) {
      try {
        const reply = await fetchSession(this.session, this.token, "live", this.stop.signal);
        if (reply.status === 404) return;
        if (!reply.ok || !reply.body) throw new Error(reply.statusText);
        await this.read(reply.body.pipeThrough(new TextDecoderStream()).getReader());
        if (this.view()?.session.status === "deleted") return;
      } catch {
        // Lost, or given up.
      }
      if (this.stop.signal.aborted) return;
      if (!this.lost) window.dispatchEvent(new Event(STREAM_LOST));
      this.lost = true;
      this.tellListeners();
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }

  // The first line of a connection is the whole document; those after it are patches.
  private async read(reader: ReadableStreamDefaultReader<string>): Promise<void> {
    let rest = "";
    let whole = true;
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const lines = (rest + chunk.value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.filter(Boolean)) {
        this.document = applyPatch(whole || !this.document ? {} : this.document, JSON.parse(line) as JsonObject);
        whole = this.lost = false;
      }
      this.tellListeners();
    }
  }

  private view(): RunView | null {
    const view = this.document as RunView | null;
    return view && this.clock.hold(view);
  }

  private tellListeners(): void {
    const view = this.view();
    if (view) for (const listener of this.listeners) listener(view, this.lost);
  }
}
