// What is drawn of a graph: boxes, edges with their names, and routes without an edge.
import { placeLabels } from "./edge_labels";
import { NODE, placeNodes, sizeOf } from "./node_places";
import type { Box, Places } from "./node_places";
import { openRoutes, readEdge } from "../graph/spec";
import type { Edge, Types } from "../graph/spec";
import { REMOVED } from "../graph/removed_nodes";
import { END, START } from "../graph/types";
import type { Place, Spec } from "../graph/types";
import { findEdgePaths } from "./edge_paths";
import type { EdgePath } from "./edge_paths";

export interface Line { id: string; edge: Edge; from: string; to: string; way: EdgePath; label: Place }
export interface Port { id: string; route: string; x: number; y: number; side: number }
export interface Scene {
  boxes: Map<string, Box>;
  places: Places;
  lines: Line[];
  wired: Map<string, Port[]>; // by box, where its edges leave it
  open: Map<string, Port[]>; // by box, its routes without an edge
  folded: Map<string, string>; // by node, the closed fold that it is in
}

export const FOLD = "fold:";

export function buildScene(spec: Spec, types: Types, opened: ReadonlySet<string>, aspect: number, before: Scene | null): Scene {
  const places = placeNodes(spec, aspect, before?.places);
  const folded = foldsOf(spec, opened);
  const boxes = boxesOf(spec, places, folded);
  const lines: Omit<Line, "way" | "label">[] = [];
  spec.edges.forEach((text, index) => {
    const edge = readEdge(text);
    if (!edge) return;
    const from = folded.get(edge.source) ?? edge.source;
    const to = folded.get(edge.target) ?? edge.target;
    if (!boxes.has(from) || !boxes.has(to) || (from === to && folded.has(edge.source))) return;
    lines.push({ id: spec.edges.indexOf(text) === index ? text : `${text}#${index}`, edge, from, to });
  });
  const arcs = lines.map(({ id, from, to }) => ({ id, source: from, target: to }));
  const all = [...boxes.values()];
  const ways = findEdgePaths(all, arcs, kept(before, boxes, lines));
  const labels = placeLabels(new Map(lines.map(({ id, edge }) => [id, edge.route])), ways, all);
  const drawnLines = lines.map((line) => ({
    ...line, way: ways.get(line.id) ?? [], label: labels.get(line.id) ?? [0, 0] as Place,
  }));
  const wired = wiredPorts(drawnLines, boxes);
  return { boxes, places, folded, lines: drawnLines, wired, open: openPorts(spec, types, boxes, folded, drawnLines) };
}

// Paths stay as they are unless something moved into or away from them.
function kept(before: Scene | null, boxes: Map<string, Box>, lines: Omit<Line, "way" | "label">[]): Map<string, EdgePath> {
  const found = new Map<string, EdgePath>();
  if (!before) return found;
  const same = (id: string) => {
    const [old, now] = [before.boxes.get(id), boxes.get(id)];
    return old !== undefined && old.x === now?.x && old.y === now.y;
  };
  const moved = [...boxes.values()].filter((box) => !same(box.id));
  const old = new Map(before.lines.map((line) => [line.id, line]));
  for (const { id, from, to } of lines) {
    const line = old.get(id);
    if (line?.from !== from || line.to !== to || !same(from) || !same(to)) continue;
    if (!moved.some((box) => crosses(line.way, box))) found.set(id, line.way);
  }
  return found;
}

function crosses(way: EdgePath, box: Box): boolean {
  return way.some((point, index) => {
    const next = way[index + 1];
    if (!next) return false;
    const [ax, bx] = [Math.min(point[0], next[0]), Math.max(point[0], next[0])];
    const [ay, by] = [Math.min(point[1], next[1]), Math.max(point[1], next[1])];
    return bx >= box.x - 5 && ax <= box.x + box.w + 5 && by >= box.y - 5 && ay <= box.y + box.h + 5;
  });
}

function foldsOf(spec: Spec, opened: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [fold, names] of Object.entries(spec.folds ?? {})) {
    if (opened.has(fold)) continue;
    for (const name of names) if (name in spec.nodes && !found.has(name)) found.set(name, FOLD + fold);
  }
  return found;
}

function boxesOf(spec: Spec, places: Places, folded: Map<string, string>): Map<string, Box> {
  const boxes = new Map<string, Box>();
  for (const name of [START, ...Object.keys(spec.nodes), END]) {
    const id = folded.get(name) ?? name;
    const [x, y] = places[name] ?? [0, 0];
    if (!boxes.has(id)) boxes.set(id, { id, x, y, ...(id === name ? sizeOf(name) : NODE) });
  }
  return boxes;
}

function wiredPorts(lines: Line[], boxes: Map<string, Box>): Map<string, Port[]> {
  const found = new Map<string, Port[]>();
  for (const { id, edge, from, way } of lines) {
    const box = boxes.get(from);
    if (!box) continue;
    const [x, y] = way[0] ?? [box.x + box.w / 2, box.y + box.h];
    const port = { id, route: edge.route, x: x - box.x, y: y - box.y, side: sideOf(box, x, y) };
    found.set(from, [...(found.get(from) ?? []), port]);
  }
  return found;
}

export const portOf = (source: string, route: string): string => `${source}.${route}`;

function sideOf(box: Box, x: number, y: number): number {
  if (x <= box.x) return 2;
  if (x >= box.x + box.w) return 0;
  return y <= box.y ? 3 : 1;
}

// Routes without an edge stand below each other, on the side of the node with the most room.
function openPorts(
  spec: Spec, types: Types, boxes: Map<string, Box>, folded: Map<string, string>, lines: Line[],
): Map<string, Port[]> {
  const found = new Map<string, Port[]>();
  for (const name of [START, ...Object.keys(spec.nodes)]) {
    const box = boxes.get(name);
    const routes = openRoutes(spec, name, types);
    if (!box || folded.has(name) || !routes.length || spec.nodes[name]?.type === REMOVED) continue;
    const side = roomiest(box, boxes, lines, name === START);
    const step = 20;
    const first = box.h / 2 - ((routes.length - 1) * step) / 2;
    found.set(name, routes.map((route, index) => {
      const level = side === 0 || side === 2;
      const x = level ? (side === 0 ? box.w : 0) : box.w / 2;
      return { id: portOf(name, route), route, side, x, y: level ? first + index * step : box.h + index * step };
    }));
  }
  return found;
}

function roomiest(box: Box, boxes: Map<string, Box>, lines: Line[], entry: boolean): number {
  if (entry) return 1;
  const room = (side: number) => {
    const near = { id: "", x: side === 0 ? box.x + box.w + 1 : box.x - 101, y: box.y, w: 100, h: box.h };
    const inWay = [...boxes.values()].filter((other) => other !== box && overlap(near, other)).length;
    return inWay * 10 + lines.filter((line) => crosses(line.way, { ...near, y: near.y + 5, h: near.h - 10 })).length;
  };
  const below = { id: "", x: box.x + 20, y: box.y + box.h + 1, w: box.w - 40, h: 60 };
  const under = [...boxes.values()].filter((other) => other !== box && overlap(below, other)).length * 10
    + lines.filter((line) => crosses(line.way, below)).length + 0.5;
  const [right, left] = [room(0), room(2) + 0.2];
  return right <= Math.min(left, under) ? 0 : left <= under ? 2 : 1;
}

function overlap(one: Box, other: Box): boolean {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}
