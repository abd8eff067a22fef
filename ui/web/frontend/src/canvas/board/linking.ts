// What React Flow asks and reports while an edge is drawn or moved.
import type { RefObject } from "react";
import type { Connection, FinalConnectionState } from "@xyflow/react";
import type { LineEdge } from "../nodes/EdgeLine";
import { linked, routeOf } from "../graph/links";
import type { Led, Link } from "../graph/links";
import type { Types } from "../graph/spec";
import { written } from "../graph/spec";
import type { Store } from "../store";
import type { Place } from "../graph/types";
import { say } from "../../shared/language";

interface EdgeEnds { node: string; handle: string | null }
type Ended = Pick<FinalConnectionState, "isValid" | "pointer"> & {
  fromNode: { id: string } | null; fromHandle: { id?: string | null; type: string } | null;
  toNode: { id: string } | null; toHandle: { id?: string | null } | null;
};

export interface Linking {
  led: RefObject<Led | null>;
  why: (from: EdgeEnds & { type: string }, to: EdgeEnds) => string;
  onConnect: (link: Connection) => void;
  onReconnectStart: (event: unknown, edge: LineEdge, fixed: "source" | "target") => void;
  onReconnect: (edge: LineEdge, link: Connection) => void;
  isValidConnection: (link: Link) => boolean;
  onConnectEnd: (event: unknown, state: Ended) => void;
}

export function linkingOf(
  store: Store, types: Types, led: RefObject<Led | null>, tell: (text: string, at?: Place) => void, choose: (nodes: string[], edges?: string[]) => void,
  pulled: (source: string, route: string, at: Place) => void = () => undefined,
): Linking {
  const reason = (link: Link) => {
    const outcome = linked(store.spec, types, link, led.current);
    return "refused" in outcome ? outcome.refused : "";
  };
  const why: Linking["why"] = (from, to) => {
    const [source, target] = from.type === "source" ? [from, to] : [to, from];
    return reason({ source: source.node, sourceHandle: source.handle, target: target.node });
  };
  const connect = (link: Connection) => {
    const outcome = linked(store.spec, types, link, led.current);
    if ("refused" in outcome) return;
    store.edit(store.placed(outcome.spec));
    const { source, route, target } = outcome.edge;
    if (led.current) choose([], [written(outcome.edge)]);
    tell(say("{source} leads to {target}.", { source: `${source}${route && `.${route}`}`, target }));
  };
  return {
    led, why,
    isValidConnection: (link) => !reason(link),
    onConnect: connect,
    onReconnectStart: (_, edge, fixed) => { led.current = { text: edge.data?.text ?? "", end: fixed === "target" ? "source" : "target" }; },
    onReconnect: (_, link) => connect(link),
    // After onConnect too: what was connected would be refused a second time.
    onConnectEnd: (_, { isValid, fromNode, fromHandle, toNode, toHandle, pointer }) => {
      if (!isValid && fromNode && fromHandle && toNode) {
        const text = why({ node: fromNode.id, handle: fromHandle.id ?? null, type: fromHandle.type }, { node: toNode.id, handle: toHandle?.id ?? null });
        if (text) tell(text, pointer ? [pointer.x, pointer.y] : undefined);
      }
      const route = fromNode && fromHandle?.type === "source" ? routeOf({ source: fromNode.id, sourceHandle: fromHandle.id ?? null }) : null;
      if (fromNode && !toNode && !led.current && route !== null && pointer) pulled(fromNode.id, route, [pointer.x, pointer.y]);
      const text = led.current?.text;
      if (!isValid && text) setTimeout(() => choose([], [text])); // letting go of it beside a node lets go of the choice
      led.current = null;
    },
  };
}
