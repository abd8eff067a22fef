// Brings the whole graph into view: its nodes and the edges around them.
import { useCallback, useEffect, useRef } from "react";
import type { RefObject } from "react";
import { getViewportForBounds, useNodesInitialized, useReactFlow } from "@xyflow/react";
import type { Viewport } from "@xyflow/react";
import { boardOf, hasSheet, sightOf } from "./focus";
import { paddingOf } from "./useRoom";
import type { Layout } from "../layout/elk_graph";
import { middleOf } from "../layout/node_places";
import type { Box } from "../layout/node_places";
import { chipsAt } from "../layout/open_routes";
import type { Scene } from "../layout/scene";
import type { RunOverlay } from "../run/run_overlay";
import { START } from "../graph/types";
import type { Place } from "../graph/types";

const WHOLE = 0.32; // below this zoom a graph is not shown whole at first, but from its start
export const READABLE = 0.5; // names can be read

// A node that is seen in the next layout, and where on the board its middle stays then.
export interface Anchor { node: string; at: Place | null }

export function useFit(root: RefObject<HTMLDivElement | null>, scene: Scene, about: string, auto: Layout | null, anchor: RefObject<Anchor | null>, followed: RefObject<string>): (duration?: number) => void {
  const flow = useReactFlow();
  const ready = useNodesInitialized();
  const fit = useCallback((duration = 200) => {
    const board = boardOf(root.current);
    if (board) void flow.setViewport(wholeView(scene, board), { duration });
  }, [flow, root, scene]);
  const begin = useCallback(() => {
    const board = boardOf(root.current);
    if (board) void flow.setViewport(viewOf(scene, firstView(scene, board), followed.current, board));
  }, [flow, root, scene, followed]);
  const fitted = useRef<string | null>(null);
  useEffect(() => {
    if (!ready || fitted.current === about) return; // a node that was added is not measured at first
    fitted.current = about;
    requestAnimationFrame(begin);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- when a graph is opened, not on each edit
  }, [ready, about]);
  // Also when a graph without places of its own has been laid out anew.
  const seen = useRef<Layout | null>(null);
  const drawn = useRef(scene);
  useEffect(() => {
    const old = drawn.current;
    drawn.current = scene;
    if (!auto || seen.current === auto) return;
    const { current } = anchor;
    const box = current && scene.boxes.get(current.node);
    const board = boardOf(root.current);
    anchor.current = null;
    if (current?.at && box && board) {
      const zoom = Math.max(flow.getZoom(), READABLE);
      void flow.setViewport({ x: current.at[0] - (box.x + box.w / 2) * zoom, y: current.at[1] - (box.y + box.h / 2) * zoom, zoom });
    } else if (current && box && board) void flow.setViewport(withBox(firstView(scene, board), box, board));
    else if (seen.current && board) void flow.setViewport(keptView(scene, board, flow.getViewport(), old));
    seen.current = auto;
  }, [auto, begin, anchor, flow, root, scene]);
  return fit;
}

function wholeView(scene: Scene, board: HTMLElement): Viewport {
  const { top, right, bottom, left } = paddingOf(board);
  return getViewportForBounds(boundsOf(scene), board.clientWidth, board.clientHeight, 0.05, 1, { top: `${top}px`, right: `${right}px`, bottom: `${bottom}px`, left: `${left}px` });
}

// The whole graph if it can be read then; else its start, and as much of what follows as there is room for.
function firstView(scene: Scene, board: HTMLElement): Viewport {
  const whole = wholeView(scene, board);
  const start = scene.boxes.get(START);
  if (whole.zoom >= WHOLE || !start) return whole;
  const { y, height } = boundsOf(scene);
  const zoom = READABLE;
  const { top, bottom, left } = paddingOf(board);
  const room = board.clientHeight - bottom;
  const above = height * zoom < room - top ? (top + room - height * zoom) / 2 - y * zoom : room / 2 - (start.y + start.h / 2) * zoom;
  return { x: left - start.x * zoom, y: above, zoom };
}

// The view in which the node nearest to the middle stays where it is, though the graph was laid out anew; null if it is gone.
export function steadyView(view: Viewport, old: Scene, scene: Scene, { clientWidth, clientHeight }: Pick<HTMLElement, "clientWidth" | "clientHeight">): Viewport | null {
  const x = (clientWidth / 2 - view.x) / view.zoom;
  const y = (clientHeight / 2 - view.y) / view.zoom;
  const distance = (box: Box) => Math.hypot(middleOf(box)[0] - x, middleOf(box)[1] - y);
  const [near] = [...old.boxes.values()].filter(({ id }) => scene.boxes.has(id)).sort((one, other) => distance(one) - distance(other));
  const box = near && scene.boxes.get(near.id);
  return box ? { ...view, x: view.x + (near.x - box.x) * view.zoom, y: view.y + (near.y - box.y) * view.zoom } : null;
}

// The view after a graph was laid out anew: steady, but whole if it was whole and would not be.
function keptView(scene: Scene, board: HTMLElement, view: Viewport, old: Scene): Viewport {
  const shows = (all: Scene, { x, y, zoom }: Viewport) => showsAll(all, [x, y, zoom], [board.clientWidth, board.clientHeight]);
  const steady = fullerView(scene, board, steadyView(view, old, scene, board));
  return shows(old, view) && !shows(scene, steady) ? firstView(scene, board) : steady;
}

// A view, if it shows at least half as many nodes as the first view does.
function fullerView(scene: Scene, board: HTMLElement, view: Viewport | null): Viewport {
  const first = firstView(scene, board);
  return view && nodesIn(scene, view, board) * 2 >= nodesIn(scene, first, board) ? view : first;
}

function nodesIn(scene: Scene, { x, y, zoom }: Viewport, { clientWidth, clientHeight }: HTMLElement): number {
  return [...scene.boxes.values()].filter((box) => {
    const [left, top] = [middleOf(box)[0] * zoom + x, middleOf(box)[1] * zoom + y];
    return left > 0 && left < clientWidth && top > 0 && top < clientHeight;
  }).length;
}

// The same view, moved sideways if a box is not in it.
function withBox(view: Viewport, box: Box, board: HTMLElement): Viewport {
  const right = (box.x + box.w) * view.zoom + view.x;
  return right < board.clientWidth - 16 ? view : { ...view, x: view.x - right + board.clientWidth * 0.7 };
}

// The node that stays in view: one that runs or waits at a pause, else the one that is chosen. It moves there if its
// middle is outside, since it was chosen beside the board, or since the run went on.
export function useFollow(root: RefObject<HTMLDivElement | null>, scene: Scene, chosen: ReadonlySet<string>, lights: RunOverlay | null): RefObject<string> {
  const flow = useReactFlow();
  const [only = ""] = chosen.size === 1 ? chosen : [];
  const [goes = ""] = lights ? [...lights.now, ...lights.waiting] : [];
  const followed = useRef("");
  const seen = useRef(scene);
  useEffect(() => { seen.current = scene; }, [scene]);
  const show = useCallback((name: string) => {
    const board = boardOf(root.current);
    if (!board) return;
    const view = flow.getViewport();
    const next = viewOf(seen.current, view, name, board);
    if (next !== view) void flow.setViewport(next, { duration: 200 });
  }, [flow, root]);
  useEffect(() => { followed.current = goes || only; }, [goes, only]);
  useEffect(() => show(only), [show, only]);
  useEffect(() => show(goes), [show, goes]);
  return followed;
}

function viewOf(scene: Scene, view: Viewport, name: string, board: HTMLElement): Viewport {
  const box = scene.boxes.get(scene.folded.get(name) ?? name);
  return box ? viewWith(view, box, board) : view;
}

// The same view, moved so that the middle of a box that was outside is in the middle.
export function viewWith(view: Viewport, box: Box, { clientWidth, clientHeight }: Pick<HTMLElement, "clientWidth" | "clientHeight">): Viewport {
  const x = (box.x + box.w / 2) * view.zoom + view.x;
  const y = (box.y + box.h / 2) * view.zoom + view.y;
  const aside = x < 0 || x > clientWidth ? clientWidth / 2 - x : 0;
  const above = y < 0 || y > clientHeight ? clientHeight / 2 - y : 0;
  return aside || above ? { ...view, x: view.x + aside, y: view.y + above } : view;
}

// In a small window the form of a chosen node covers the lower half of the board: the node moves to the middle above it, also
// when what is above the board takes more room afterwards.
export function useSheetRoom(root: RefObject<HTMLDivElement | null>, scene: Scene, chosen: ReadonlySet<string>): void {
  const flow = useReactFlow();
  const seen = useRef(scene);
  useEffect(() => { seen.current = scene; }, [scene]);
  const [only = ""] = chosen.size === 1 ? chosen : [];
  const there = scene.boxes.has(only);
  useEffect(() => {
    const board = boardOf(root.current);
    if (!board || !there || !hasSheet()) return;
    let top = NaN;
    const show = () => {
      const box = seen.current.boxes.get(only);
      const before = top;
      top = board.getBoundingClientRect().top;
      if (!box || top === before) return;
      const { x, y, zoom } = flow.getViewport();
      const sight = sightOf(board);
      const [left, right, bottom] = [box.x * zoom + x, (box.x + box.w) * zoom + x, (box.y + box.h) * zoom + y];
      const aside = left < 8 || right > board.clientWidth - 8 ? board.clientWidth / 2 - (left + right) / 2 : 0;
      const above = bottom > sight - 16 ? (sight - (2 * bottom - box.h * zoom)) / 2 : 0;
      if (aside || above) void flow.setViewport({ x: x + aside, y: y + above, zoom }, { duration: 200 });
    };
    const host = board.getRootNode();
    const page = host instanceof ShadowRoot ? host.host.closest("[data-testid=stMainBlockContainer]") : null;
    const observer = new ResizeObserver(show);
    observer.observe(page ?? board);
    return () => observer.disconnect();
  }, [only, there, flow, root]);
}

// Whether a view shows all of a scene.
export function showsAll(scene: Scene, [left, top, zoom]: readonly [number, number, number], [width, height]: Place): boolean {
  const bounds = boundsOf(scene);
  return bounds.x * zoom + left >= 0 && bounds.y * zoom + top >= 0 && (bounds.x + bounds.width) * zoom + left <= width && (bounds.y + bounds.height) * zoom + top <= height;
}

const known = new WeakMap<Scene, Bounds>();

function boundsOf(scene: Scene): Bounds {
  const bounds = known.get(scene) ?? measure(scene);
  known.set(scene, bounds);
  return bounds;
}

// What the routes without an edge cover.
function openChips({ boxes, open }: Scene): Box[] {
  return [...open].flatMap(([name, ports]) => {
    const box = boxes.get(name);
    const lost = new Map(ports.map((port) => [port.route, port.lost ?? ""]));
    return box && ports[0] ? chipsAt(box, [...lost.keys()], ports[0].side, (route) => lost.get(route) ?? "") : [];
  });
}

interface Bounds { x: number; y: number; width: number; height: number }

function measure(scene: Scene): Bounds {
  const boxes = [...scene.boxes.values(), ...(scene.notes ?? []), ...openChips(scene)];
  const points = scene.lines.flatMap((line) => line.way);
  const labels = scene.lines.map((line) => line.label);
  const xs = [...boxes.flatMap((box) => [box.x, box.x + box.w]), ...points.map(([x]) => x), ...labels.flatMap(([x]) => [x - 40, x + 40])];
  const ys = [...boxes.flatMap((box) => [box.y, box.y + box.h]), ...points.map(([, y]) => y), ...labels.flatMap(([, y]) => [y - 10, y + 10])];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}
