// A session's graph with its run: live while it goes on, replayed when it is over.
import { useMemo, useState } from "react";
import { Canvas } from "../board/Canvas";
import { Inspector } from "./Inspector";
import { Replay } from "./Replay";
import { Store, useStore } from "../store";
import { GRAPH } from "../graph/types";
import { shownName } from "../graph/rename";
import type { Data, Spec } from "../graph/types";
import { overlayWithin, WITHIN } from "./run_overlay";
import { useRun } from "./useRun";
import { say } from "../../shared/language";

export function RunCanvas({ store, session, token }: { store: Store; session: string; token: string }) {
  const { data } = useStore(store);
  const { ask, goes, whole, way, at, setAt, seqOf } = useRun(session, token);
  const [path, setPath] = useState<string[]>([]);
  const [picked, setPicked] = useState("");
  const within = path.join(WITHIN);
  const inner = useMemo(
    () => innerStore(data, path, (name) => setPath([...path, name]), (name) => setPicked(name && [...path, name].join(WITHIN))),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the graph of a session never changes
    [data.watch?.session, within],
  );
  const lights = useMemo(() => overlayWithin(whole, within), [whole, within]);
  const here = seqOf(picked);
  const nameNode = (path: string) => shownName(data, path.split(WITHIN).pop() ?? "");
  const type = typeOf(data.spec, picked);
  return (
    <div className="watch">
      {path.length > 0 && <Trail name={data.spec.name} path={path.map((each) => shownName(data, each))} go={(depth) => { setPath(path.slice(0, depth)); setPicked(""); }} />}
      <Canvas key={within} store={inner} lights={lights} />
      {!goes && way && way.length > 0 && <Replay way={way} at={at ?? way.length} go={setAt} nameNode={nameNode} />}
      {picked && type && <Inspector key={picked} node={picked} title={nameNode(picked)} graph={type === GRAPH} count={whole.nodes[picked]?.count ?? 0}
        stands={whole.nodes[picked]?.status ?? ""} at={here} past={at !== null && here === undefined} ask={ask} close={() => { setPicked(""); inner.offer({ ...inner.data, selected: [] }, inner.sent); }} />}
      {!picked && <p className="hint">{Object.keys(whole.nodes).length ? say("Choose a node to see its input, its output, and what it asked a model.") : say("Nothing has run yet.")}</p>}
    </div>
  );
}

function Trail({ name, path, go }: { name: string; path: string[]; go: (depth: number) => void }) {
  return (
    <nav className="trail" aria-label={say("Methods around this one")}>
      {[name, ...path].map((each, depth) => (
        depth === path.length
          ? <b key={depth} aria-current="page">{each}</b>
          : <button key={depth} type="button" className="btn plain" onClick={() => go(depth)}>{each}</button>
      ))}
    </nav>
  );
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
