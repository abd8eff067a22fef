// A run on its graph: how often each node ran and each edge was taken, and where it is now.
import { useEffect, useState } from "react";
import type { Data } from "./types";

export type Lights = {
  nodes: Record<string, { count: number; status: string }>;
  edges: Record<string, number>;
  now: string[];
};

type View = { graph?: Partial<Lights> };
type Run = { view: View | null; listeners: Set<(view: View) => void> };
type Tree = Record<string, unknown>;

const AGAIN = 1000;

export function useLights(watch: Data["watch"]): Lights | null {
  const [lights, setLights] = useState<Lights | null>(null);
  useEffect(() => {
    if (!watch) return void setLights(null);
    const hear = (view: View) => setLights({ nodes: {}, edges: {}, now: [], ...view.graph });
    return follow(watch.session, watch.token, hear);
  }, [watch]);
  return lights;
}

// By the stream that other parts of the page have open, or by one of its own.
function follow(session: string, token: string, hear: (view: View) => void): () => void {
  const runs = (globalThis as { foragerRuns?: Map<string, Run> }).foragerRuns;
  const run = runs?.get(`${session} ${token}`);
  if (run) {
    run.listeners.add(hear);
    if (run.view) hear(run.view);
    return () => void run.listeners.delete(hear);
  }
  const stop = new AbortController();
  void listen(session, token, hear, stop.signal);
  return () => stop.abort();
}

async function listen(session: string, token: string, hear: (view: View) => void, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  while (!signal.aborted) {
    try {
      const reply = await fetch(`/api/sessions/${encodeURIComponent(session)}/live`, { headers, signal });
      if (reply.status === 404) return;
      if (reply.ok && reply.body) await read(reply.body.pipeThrough(new TextDecoderStream()).getReader(), hear);
    } catch (error) {
      if (!(error instanceof Error)) throw error; // the line was lost: it is tried again
    }
    await new Promise((done) => setTimeout(done, AGAIN));
  }
}

async function read(reader: ReadableStreamDefaultReader<string>, hear: (view: View) => void): Promise<void> {
  let rest = "";
  let view: Tree = {};
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) view = patched(view, JSON.parse(line) as Tree);
    hear(view as View);
  }
}

// JSON merge patch, RFC 7396.
function patched(tree: Tree, change: Tree): Tree {
  const result = { ...tree };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete result[name];
    else if (typeof value !== "object" || Array.isArray(value)) result[name] = value;
    else result[name] = patched(isTree(result[name]) ? result[name] : {}, value as Tree);
  }
  return result;
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
