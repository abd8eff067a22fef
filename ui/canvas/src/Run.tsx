// A session's graph with its run on it: followed as it goes, replayed when it is over.
import { useEffect, useMemo, useRef, useState } from "react";
import { Canvas } from "./Canvas";
import { Inspector } from "./Inspector";
import { Replay } from "./Replay";
import { Store, useStore } from "./store";
import { GRAPH } from "./types";
import type { Data, Spec } from "./types";
import { lightsAt, lightsIn, lightsOf, WITHIN } from "./lights";
import type { Ran, Told } from "./lights";

export type View = { session: { status: string; turn: number }; graph: Told };
export type Stream = {
  follow: (session: string, token: string, listener: (view: View) => void) => () => void;
  call: (run: { token: string }, path: string) => Promise<Response>;
};
export type Ask = <T>(path: string) => Promise<T | null>;

const GOES = new Set(["running", "waiting"]);

export function Watch({ store, stream }: { store: Store; stream: Stream }) {
  const { data } = useStore(store);
  const { session, token } = data.watch!;
  const ask = useAsk(stream, session, token);
  const [view, fresh] = useView(stream, session, token);
  const goes = view !== null && GOES.has(view.session.status);
  const way = useWay(ask, view, goes);
  const [at, setAt] = useState<number | null>(null); // null: as it is, and at the end of all
  const [path, setPath] = useState<string[]>([]);
  const [picked, setPicked] = useState("");
  const within = path.join(WITHIN);
  const inner = useMemo(
    () => innerStore(data, path, (name) => setPath([...path, name]), (name) => setPicked(name && [...path, name].join(WITHIN))),
    [data.watch?.session, within],
  );
  useEffect(() => { if (goes) setAt(null); }, [goes]);
  const whole = useMemo(
    () => (at !== null && way ? lightsAt(way, at) : lightsOf(view?.graph ?? { nodes: {}, edges: {} }, goes, goes ? fresh : [])),
    [at, way, view?.graph, goes, fresh],
  );
  const lights = useMemo(() => lightsIn(whole, within), [whole, within]);
  const here = at !== null && way ? way.slice(0, at + 1).findLast((ran) => ran.node === picked)?.seq : undefined;
  const type = typeOf(data.spec, picked);
  return (
    <div className="watch">
      {path.length > 0 && <Trail name={data.spec.name} path={path} go={(depth) => { setPath(path.slice(0, depth)); setPicked(""); }} />}
      <Canvas key={within} store={inner} lights={lights} />
      {!goes && way && way.length > 0 && <Replay way={way} at={at ?? way.length} go={setAt} />}
      {picked && type && <Inspector key={picked} node={picked} graph={type === GRAPH} count={whole.nodes[picked]?.count ?? 0}
        stands={whole.nodes[picked]?.status ?? ""} at={here} past={at !== null && here === undefined} ask={ask} close={() => { setPicked(""); inner.offer({ ...inner.data, selected: [] }, inner.sent); }} />}
      {!picked && <p className="hint">{Object.keys(whole.nodes).length ? "Choose a node to see what it was given, what it did, and what was asked of a model." : "Nothing has run yet."}</p>}
    </div>
  );
}

function Trail({ name, path, go }: { name: string; path: string[]; go: (depth: number) => void }) {
  return (
    <nav className="trail" aria-label="Graphs around this one">
      {[name, ...path].map((each, depth) => (
        depth === path.length
          ? <b key={depth} aria-current="page">{each}</b>
          : <button key={depth} type="button" className="btn plain" onClick={() => go(depth)}>{each}</button>
      ))}
    </nav>
  );
}

function useAsk(stream: Stream, session: string, token: string): Ask {
  return useMemo(() => async <T,>(path: string) => {
    const reply = await stream.call({ token }, `/api/sessions/${encodeURIComponent(session)}/${path}`).catch(() => null);
    return reply?.ok ? (await reply.json() as T) : null;
  }, [stream, session, token]);
}

// The view as it changes, and the edges that were taken since it was shown before.
function useView(stream: Stream, session: string, token: string): [View | null, string[]] {
  const [shown, setShown] = useState<[View | null, string[]]>([null, []]);
  useEffect(() => stream.follow(session, token, (view) => setShown(([old, fresh]) => {
    if (!view.graph || old?.graph === view.graph) return [view.graph ? view : old, fresh];
    const edges = Object.keys(view.graph.edges).filter((edge) => old && view.graph.edges[edge] !== old.graph.edges[edge]);
    return [view, edges.length ? edges : fresh];
  })), [stream, session, token]);
  return shown;
}

// What ran, asked for when the run is over.
function useWay(ask: Ask, view: View | null, goes: boolean): Ran[] | null {
  const [way, setWay] = useState<Ran[] | null>(null);
  const about = view && !goes ? `${view.session.turn} ${view.session.status} ${JSON.stringify(view.graph.nodes)}` : "";
  const asked = useRef("");
  useEffect(() => {
    asked.current = about;
    if (!about) return setWay(null);
    void ask<Ran[]>("way").then((found) => { if (asked.current === about) setWay(found); });
  }, [ask, about]);
  return way;
}

function innerStore(data: Data, path: string[], open: (name: string) => void, pick: (name: string) => void): Store {
  const spec = { ...path.reduce(inside, data.spec) };
  spec.positions ??= {};
  const heard: Record<string, (value: unknown) => void> = {
    open: (name) => open(String(name)),
    selected: (names) => pick((names as string[]).find((name) => name in spec.nodes) ?? ""),
  };
  return new Store({ ...data, spec, findings: [], selected: [] }, {
    setStateValue: () => undefined,
    setTriggerValue: (name, value) => heard[name]?.(value),
  });
}

const inside = (outer: Spec, name: string): Spec => outer.nodes[name]!.params!["spec"] as Spec;

function typeOf(spec: Spec, picked: string): string {
  const names = picked.split(WITHIN);
  const last = names.pop() ?? "";
  const inner = names.reduce(inside, spec);
  return inner.nodes[last]?.type ?? "";
}
