// Handles at the ends of an edge; drag one to lead the edge elsewhere.
import { useStoreApi } from "@xyflow/react";
import { XYHandle } from "@xyflow/system";
import { useAct } from "../board/canvas_context";
import type { Led } from "../graph/links";
import type { Place } from "../graph/types";
import type { EdgePath } from "../layout/edge_paths";
import { say } from "../../shared/language";

const OUT = 9; // clear of where the way leaves its node

export function EdgeEnds({ text, source, target, way }: { text: string; source: string; target: string; way: EdgePath }) {
  const act = useAct();
  const flow = useStoreApi();
  const { linking, store } = act;
  if (store.data.readonly || way.length < 2 || !store.spec.edges.includes(text)) return null;
  const take = (end: Led["end"], event: React.MouseEvent | React.TouchEvent) => {
    if ("button" in event && event.button !== 0) return;
    const { autoPanOnConnect, cancelConnection, connectionMode, connectionRadius, domNode, lib, nodeLookup, panBy, rfId, updateConnection } = flow.getState();
    event.stopPropagation();
    const fixed = end === "target" ? "source" : "target";
    XYHandle.onPointerDown(event.nativeEvent, {
      autoPanOnConnect, cancelConnection, connectionMode, connectionRadius, domNode, lib, nodeLookup, panBy, updateConnection, flowId: rfId,
      nodeId: fixed === "source" ? source : target, handleId: fixed === "source" ? "out" : "in",
      isTarget: fixed === "target", edgeUpdaterType: fixed, handleDomNode: event.currentTarget, dragThreshold: 3,
      isValidConnection: linking.isValidConnection, onConnect: linking.onConnect, onConnectEnd: linking.onConnectEnd,
      onConnectStart: () => { linking.led.current = { text, end }; },
      getTransform: () => flow.getState().transform, getFromHandle: () => flow.getState().connection.fromHandle,
    });
  };
  return (["source", "target"] as const).map((end) => {
    const [at, next] = end === "source" ? [way[0], way[1]] : [way.at(-1), way.at(-2)];
    if (!at || !next) return null;
    const [x, y] = toward(at, next);
    return (
      <circle key={end} className={`end nodrag nopan ${end}`} cx={x} cy={y} r={7}
        onMouseDown={(event) => take(end, event)} onTouchStart={(event) => take(end, event)}>
        <title>{say("Drag to another node: {edge}", { edge: text })}</title>
      </circle>
    );
  });
}

function toward([x, y]: Place, [tx, ty]: Place): Place {
  return [x + Math.sign(tx - x) * OUT, y + Math.sign(ty - y) * OUT];
}
