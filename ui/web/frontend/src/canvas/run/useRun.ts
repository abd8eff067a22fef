// The run of a session on a graph: live while it goes on, replayed when it is over.
import { useEffect, useMemo, useRef, useState } from "react";
import { liveOverlay, overlayAt } from "./run_overlay";
import type { Ran, RunOverlay } from "./run_overlay";
import { fetchSession, followRun } from "../../shared/run_stream";
import type { RunView } from "../../shared/run_view";

type View = Pick<RunView, "session" | "graph">;
export type Ask = <T>(path: string) => Promise<T | null>;

export interface ShownRun {
  ask: Ask;
  goes: boolean;
  whole: RunOverlay;
  way: Ran[] | null;
  at: number | null; // null: the present, or the end
  setAt: (at: number | null) => void;
  seqOf: (node: string) => number | undefined; // the event where its run at the place of the replay began
}

const GOES = new Set(["running", "waiting"]);

// Without a session, nothing is followed.
export function useRun(session: string, token: string): ShownRun {
  const ask = useAsk(session, token);
  const [view, fresh] = useView(session, token);
  const goes = view !== null && GOES.has(view.session.status);
  const way = useWay(ask, view, goes);
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => { if (goes) setAt(null); }, [goes, session]);
  const whole = useMemo(
    () => (at !== null && way ? overlayAt(way, at) : liveOverlay(view?.graph ?? { nodes: {}, edges: {} }, goes, goes ? fresh : [])),
    [at, way, view?.graph, goes, fresh],
  );
  const seqOf = (node: string) => (at !== null && way ? way.slice(0, at + 1).findLast((ran) => ran.node === node)?.seq : undefined);
  return { ask, goes, whole, way, at, setAt, seqOf };
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
  useEffect(() => {
    setShown([null, []]);
    if (!session) return undefined;
    return followRun(session, token, (view) => setShown(([old, fresh]) => {
      if (old?.graph === view.graph) return [view, fresh];
      const edges = Object.keys(view.graph.edges).filter((edge) => old && view.graph.edges[edge] !== old.graph.edges[edge]);
      return [view, edges.length ? edges : fresh];
    }));
  }, [session, token]);
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
