// A session's graph with its run: live while it goes on, replayed when it is over.
import { useEffect, useMemo, useRef, useState } from "react";
import { Canvas } from "../board/Canvas";
import { Inspector } from "./Inspector";
import { Replay } from "./Replay";
import { Store, useStore } from "../store";
import { GRAPH } from "../graph/types";
import type { Data, Spec } from "../graph/types";
import { overlayAt, overlayWithin, liveOverlay, WITHIN } from "./run_overlay";
import type { Ran } from "./run_overlay";
import { fetchSession, followRun } from "../../shared/run_stream";
import type { RunView } from "../../shared/run_view";
import { say } from "../../shared/language";

type View = Pick<RunView, "session" | "graph">;
export type Ask = <T>(path: string) => Promise<T | null>;

const GOES = new Set(["running", "waiting"]);

export function RunCanvas({ store, session, token }: { store: Store; session: string; token: string }) {
  const { data } = useStore(store);
  const ask = useAsk(session, token);
  const [view, fresh] = useView(session, token);
  const goes = view !== null && GOES.has(view.session.status);
  const way = useWay(ask, view, goes);
  const [at, setAt] = useState<number | null>(null); // null: the present, or the end
  const [path, setPath] = useState<string[]>([]);
  const [picked, setPicked] = useState("");
  const within = path.join(WITHIN);
  const inner = useMemo(
    () => innerStore(data, path, (name) => setPath([...path, name]), (name) => setPicked(name && [...path, name].join(WITHIN))),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the graph of a session never changes
    [data.watch?.session, within],
  );
  useEffect(() => { if (goes) setAt(null); }, [goes]);
  const whole = useMemo(
    () => (at !== null && way ? overlayAt(way, at) : liveOverlay(view?.graph ?? { nodes: {}, edges: {} }, goes, goes ? fresh : [])),
    [at, way, view?.graph, goes, fresh],
  );
  const lights = useMemo(() => overlayWithin(whole, within), [whole, within]);
  const here = at !== null && way ? way.slice(0, at + 1).findLast((ran) => ran.node === picked)?.seq : undefined;
  const type = typeOf(data.spec, picked);
  return (
    <div className="watch">
      {path.length > 0 && <Trail name={data.spec.name} path={path} go={(depth) => { setPath(path.slice(0, depth)); setPicked(""); }} />}
      <Canvas key={within} store={inner} lights={lights} />
      {!goes && way && way.length > 0 && <Replay way={way} at={at ?? way.length} go={setAt} />}
      {picked && type && <Inspector key={picked} node={picked} graph={type === GRAPH} count={whole.nodes[picked]?.count ?? 0}
        stands={whole.nodes[picked]?.status ?? ""} at={here} past={at !== null && here === undefined} ask={ask} close={() => { setPicked(""); inner.offer({ ...inner.data, selected: [] }, inner.sent); }} />}
      {!picked && <p className="hint">{Object.keys(whole.nodes).length ? say("Choose a node to see its input, its output, and what it asked a model.") : say("Nothing has run yet.")}</p>}
    </div>
  );
}

function Trail({ name, path, go }: { name: string; path: string[]; go: (depth: number) => void }) {
  return (
    <nav className="trail" aria-label={say("Graphs around this one")}>
      {[name, ...path].map((each, depth) => (
        depth === path.length
          ? <b key={depth} aria-current="page">{each}</b>
          : <button key={depth} type="button" className="btn plain" onClick={() => go(depth)}>{each}</button>
      ))}
    </nav>
  );
}

function useAsk(session: string, token: string): Ask {
  return useMemo(() => async <T,>(path: string) => {
    const reply = await fetchSession(session, token, path).catch(() => null);
    return reply?.ok ? (await reply.json() as T) : null;
  }, [session, token]);
}

// The view as it changes, and the edges that were taken since the last change.
function useView(session: string, token: string): [View | null, string[]] {
  const [shown, setShown] = useState<[View | null, string[]]>([null, []]);
  useEffect(() => followRun(session, token, (view) => setShown(([old, fresh]) => {
    if (old?.graph === view.graph) return [view, fresh];
    const edges = Object.keys(view.graph.edges).filter((edge) => old && view.graph.edges[edge] !== old.graph.edges[edge]);
    return [view, edges.length ? edges : fresh];
  })), [session, token]);
  return shown;
}

// The steps of the run, fetched when it is over.
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
  const spec = path.reduce(innerGraph, data.spec);
  const heard: Record<string, (value: unknown) => void> = {
    open: (name) => open(String(name)),
    selected: (names) => pick((names as string[]).find((name) => name in spec.nodes) ?? ""),
  };
  return new Store({ ...data, spec, findings: [], selected: [] }, {
    setStateValue: () => undefined,
    setTriggerValue: (name, value) => heard[name]?.(value),
  });
}

// The graph inside a node, which may have no positions.
function innerGraph(outer: Spec, name: string): Spec {
  const spec = outer.nodes[name]?.params?.spec as Omit<Spec, "positions"> & Partial<Spec>;
  return { positions: {}, ...spec };
}

function typeOf(spec: Spec, picked: string): string {
  const names = picked.split(WITHIN);
  const last = names.pop() ?? "";
  const inner = names.reduce(innerGraph, spec);
  return inner.nodes[last]?.type ?? "";
}
