// What React Flow asks and reports while an edge is drawn or moved.
import { useCallback, useMemo, useRef } from "react";
import type { RefObject } from "react";
import type { Connection, FinalConnectionState } from "@xyflow/react";
import { linked } from "../graph/links";
import type { Led, Link } from "../graph/links";
import type { Types } from "../graph/spec";
import { written } from "../graph/spec";
import type { Store } from "../store";
import type { Place } from "../graph/types";

interface EdgeEnds { node: string; handle: string | null }
export interface Linking {
  led: RefObject<Led | null>;
  why: (from: EdgeEnds & { type: string }, to: EdgeEnds) => string;
  onConnect: (link: Connection) => void;
  isValidConnection: (link: Link) => boolean;
  onConnectEnd: (event: MouseEvent | TouchEvent, state: FinalConnectionState) => void;
}

export function useLinking(
  store: Store, types: Types, say: (text: string, at?: Place) => void, choose: (nodes: string[], edges?: string[]) => void,
): Linking {
  const led = useRef<Led | null>(null);
  const reason = useCallback((link: Link) => {
    const outcome = linked(store.spec, types, link, led.current);
    return "refused" in outcome ? outcome.refused : "";
  }, [store, types]);
  const why = useCallback<Linking["why"]>((from, to) => {
    const [source, target] = from.type === "source" ? [from, to] : [to, from];
    return reason({ source: source.node, sourceHandle: source.handle, target: target.node });
  }, [reason]);
  const onConnect = useCallback((link: Connection) => {
    const outcome = linked(store.spec, types, link, led.current);
    if ("refused" in outcome) return;
    store.edit(outcome.spec);
    const { source, route, target } = outcome.edge;
    if (led.current) choose([], [written(outcome.edge)]);
    say(`${source}${route && `.${route}`} leads to ${target}.`);
  }, [store, types, say, choose]);
  const onConnectEnd = useCallback<Linking["onConnectEnd"]>((_, { fromNode, fromHandle, toNode, toHandle, pointer }) => {
    if (fromHandle && toNode) {
      const text = why({ node: fromNode.id, handle: fromHandle.id ?? null, type: fromHandle.type }, { node: toNode.id, handle: toHandle?.id ?? null });
      if (text) say(text, [pointer.x, pointer.y]);
    }
    led.current = null;
  }, [why, say]);
  const isValidConnection = useCallback<Linking["isValidConnection"]>((link) => !reason(link), [reason]);
  return useMemo(() => ({ led, why, onConnect, isValidConnection, onConnectEnd }), [why, onConnect, isValidConnection, onConnectEnd]);
}
