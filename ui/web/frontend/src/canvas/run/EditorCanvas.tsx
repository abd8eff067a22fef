// The graph in the editor, with a run of the draft on it, if there is one.
import { useEffect, useMemo, useRef } from "react";
import { Canvas } from "../board/Canvas";
import { hasSheet } from "../board/focus";
import { Inspector } from "./Inspector";
import { NodeTrial } from "./NodeTrial";
import { Replay } from "./Replay";
import { overlayWithin, WITHIN } from "./run_overlay";
import { useStore } from "../store";
import type { Store } from "../store";
import { GRAPH } from "../graph/types";
import type { DraftRun } from "../graph/types";
import { useRun } from "./useRun";
import type { ShownRun } from "./useRun";
import { say } from "../../shared/language";

export function EditorCanvas({ store }: { store: Store }) {
  const { run } = useStore(store).data;
  const shown = useRun(run?.session ?? "", run?.token ?? "");
  useAnswerInSight(store, shown);
  const lights = useMemo(() => (run ? overlayWithin(shown.whole, run.within) : null), [shown.whole, run]);
  return (
    <div className={run ? "watch" : "editing"}>
      <Canvas store={store} lights={lights} />
      {run && <RunBelow store={store} run={run} shown={shown} />}
    </div>
  );
}

// In a small window what a node did lies over the answer: it makes room when the run is over.
function useAnswerInSight(store: Store, { goes, whole }: ShownRun): void {
  const over = !goes && whole.waiting.length === 0 && Object.keys(whole.nodes).length > 0;
  const before = useRef(over);
  useEffect(() => {
    if (over && !before.current && hasSheet()) {
      store.select([]);
      document.querySelector(".st-key-draft-run")?.scrollIntoView({ block: "start" });
    }
    before.current = over;
  }, [over, store]);
}

// The replay, and what the selected node did.
function RunBelow({ store, run, shown }: { store: Store; run: DraftRun; shown: ShownRun }) {
  const { ask, goes, whole, way, at, setAt, seqOf } = shown;
  const chosen = store.data.selected.find((name) => name in store.spec.nodes) ?? "";
  const node = chosen && [run.within, chosen].filter(Boolean).join(WITHIN);
  const here = seqOf(node);
  const graph = store.spec.nodes[chosen]?.type === GRAPH;
  return (
    <>
      {!goes && way && way.length > 0 && <Replay way={way} at={at ?? way.length} go={setAt} />}
      {node && (
        <Inspector key={`${run.session} ${node}`} node={node} graph={graph} count={whole.nodes[node]?.count ?? 0} stands={whole.nodes[node]?.status ?? ""}
          at={here} past={at !== null && here === undefined} ask={ask} close={() => store.select([])}>
          {(work) => (
            <NodeTrial run={run} node={node} at={here} spec={run.whole ?? store.spec}
              again={goes || !work.step ? null : () => store.fire("again", { node, step: work.step })} />
          )}
        </Inspector>
      )}
      {!node && <p className="hint">{say("Choose a node to see its input, its output, and what it asked a model.")}</p>}
    </>
  );
}
