// A node that is carried over an edge: the edge stands out, and the node is put on it when it is let go of.
import { useCallback, useMemo, useRef, useState } from "react";
import type { RefObject } from "react";
import { useReactFlow } from "@xyflow/react";
import { boardOf, focusNode } from "./focus";
import { READABLE } from "./useFit";
import type { Anchor } from "./useFit";
import { isLoose, spliced } from "../graph/splice";
import { added, written } from "../graph/spec";
import type { Types } from "../graph/spec";
import { lineAt, withRoom } from "../layout/edge_hit";
import { free, isPlaced, NODE } from "../layout/node_places";
import type { Line, Scene } from "../layout/scene";
import type { Store } from "../store";
import type { Place, Spec } from "../graph/types";
import { say } from "../../shared/language";

const REACH = 22; // pixels between the pointer and an edge that is meant

export interface Aim { id: string; refused: string }
export interface Point { clientX: number; clientY: number }

interface Means {
  store: Store; types: Types; scene: Scene; root: RefObject<HTMLDivElement | null>; anchor: RefObject<Anchor | null>;
  choose: (nodes: string[], edges?: string[]) => void; announce: (text: string, at?: Place | null) => void;
}

export interface Splice {
  over: (point: Point, type: string) => void; // a type is carried over the drawing
  move: (point: Point, name: string) => void; // a node is
  put: (point: Point, type: string) => void;
  join: (point: Point, name: string) => boolean; // false if the node is let go of beside all edges
  leave: () => void;
}

export function useSplice(means: Means): { aim: Aim | null; splice: Splice } {
  const flow = useReactFlow();
  const [aim, setAim] = useState<Aim | null>(null);
  const latest = useRef(means);
  latest.current = means;

  const placeOf = useCallback(({ clientX, clientY }: Point): Place => {
    const { x, y } = flow.screenToFlowPosition({ x: clientX, y: clientY });
    return [x, y];
  }, [flow]);
  const lineUnder = useCallback((point: Point) => lineAt(latest.current.scene, placeOf(point), REACH / flow.getZoom()), [flow, placeOf]);
  const outcome = useCallback((line: Line, [spec, name]: [Spec, string]) => spliced(spec, latest.current.types, written(line.edge), name), []);
  const point = useCallback((at: Point, line: Line | null, draft: [Spec, string]) => {
    const found = line && outcome(line, draft);
    const refused = found && "refused" in found ? found.refused : "";
    setAim((old) => (old?.id === line?.id && (old?.refused ?? "") === refused ? old : line && { id: line.id, refused }));
    if (refused) latest.current.announce(refused, boardPlace(latest.current.root.current, at));
  }, [outcome]);
  const leave = useCallback(() => setAim(null), []);

  // Puts the node of a draft on a line; a graph without places of its own is laid out anew around it.
  const settle = useCallback((at: Point, line: Line, draft: [Spec, string]): boolean => {
    const { store, scene, choose, announce, root, anchor } = latest.current;
    const [, name] = draft;
    const found = outcome(line, draft);
    if ("refused" in found) {
      announce(found.refused, boardPlace(root.current, at));
      return false;
    }
    if (isPlaced(store.spec)) store.edit({ ...found.spec, positions: withRoom(scene, line, name, centred(placeOf(at))) });
    else {
      anchor.current = { node: name, at: boardPlace(root.current, at) };
      store.layOut(found.spec);
    }
    choose([name]);
    const stands = say("{node} stands between {source} and {target}.", { node: name, source: line.edge.source, target: line.edge.target });
    const ways = found.led.map(({ source, route, target }) => say("{source} leads to {target}.", { source: `${source}.${route}`, target }));
    announce([stands, ...ways.length > 1 ? ways : []].join(" "));
    focusNode(root.current, name);
    return true;
  }, [outcome, placeOf]);

  const over = useCallback((at: Point, type: string) => {
    point(at, lineUnder(at), added(latest.current.store.spec, type, [0, 0]));
  }, [point, lineUnder]);
  const move = useCallback((at: Point, name: string) => {
    const { store, types } = latest.current;
    if (isLoose(store.spec, types, name)) point(at, lineUnder(at), [store.spec, name]);
  }, [point, lineUnder]);
  const put = useCallback((at: Point, type: string) => {
    const { store, scene, choose, announce, root } = latest.current;
    const line = lineUnder(at);
    setAim(null);
    readable(flow, boardOf(root.current), at);
    if (line && settle(at, line, added(store.spec, type, [0, 0]))) return;
    const [next, name] = added({ ...store.spec, positions: scene.places }, type, free(scene.places, "", centred(placeOf(at))));
    store.edit(next);
    choose([name]);
    if (!line) announce(say("Added {name}.", { name }));
    focusNode(root.current, name);
  }, [flow, lineUnder, placeOf, settle]);
  const join = useCallback((at: Point, name: string): boolean => {
    const { store, types } = latest.current;
    const line = isLoose(store.spec, types, name) ? lineUnder(at) : null;
    setAim(null);
    return line !== null && settle(at, line, [store.spec, name]);
  }, [lineUnder, settle]);
  const splice = useMemo(() => ({ over, move, put, join, leave }), [over, move, put, join, leave]);
  return { aim, splice };
}

const centred = ([x, y]: Place): Place => [Math.round(x - NODE.w / 2), Math.round(y - NODE.h / 2)];

function boardPlace(root: HTMLElement | null, { clientX, clientY }: Point): Place {
  const board = boardOf(root)?.getBoundingClientRect();
  return [clientX - (board?.left ?? 0), clientY - (board?.top ?? 0)];
}

// Zooms in at a point if the names of nodes cannot be read there.
function readable(flow: ReturnType<typeof useReactFlow>, board: HTMLElement | null, at: Point): void {
  if (!board || flow.getZoom() >= READABLE) return;
  const { x, y } = flow.screenToFlowPosition({ x: at.clientX, y: at.clientY });
  const { left, top } = board.getBoundingClientRect();
  const zoom = READABLE;
  void flow.setViewport({ x: at.clientX - left - x * zoom, y: at.clientY - top - y * zoom, zoom });
}
