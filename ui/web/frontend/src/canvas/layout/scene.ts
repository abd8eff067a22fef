// What is drawn of a graph: boxes, edges with their names, and routes without an edge.
import { bentPath } from "./edge_line";
import type { EdgePath, Port as End } from "./edge_line";
import type { Drawn, Layout } from "./elk_graph";
import { openPorts } from "./open_routes";
import { isPlaced, NODE, placeNodes, sizeOf } from "./node_places";
import type { Box, Places } from "./node_places";
import { labelBox, overlap, runsThrough } from "./overlaps";
import { nameOnWay, reroute } from "./reroute";
import type { Taken } from "./reroute";
import { readEdge } from "../graph/spec";
import type { Edge, Types } from "../graph/spec";
import { END, START } from "../graph/types";
import type { Place, Spec } from "../graph/types";

interface Wire { id: string; edge: Edge; from: string; to: string }
export interface Line extends Wire { way: EdgePath; label: Place; out: End; into: End; before: number }
export interface Port extends End { id: string; route: string; lost?: string } // lost: the name of no node, to which it leads
export interface Scene {
  boxes: Map<string, Box>;
  places: Places;
  lines: Line[];
  wired: Map<string, Port[]>; // by box, where its edges leave it
  entered: Map<string, Port[]>; // by box, where edges come to it
  open: Map<string, Port[]>; // by box, its routes without an edge
  notes?: Box[]; // what lies between the boxes
  folded: Map<string, string>; // by node, the closed fold that it is in
}

export const FOLD = "fold:";

// What elk lays out: the boxes and lines, whatever their places.
export function drawnOf(spec: Spec, opened: ReadonlySet<string>): Drawn {
  const folded = foldsOf(spec, opened);
  const boxes = boxesOf(spec, {}, folded);
  return {
    boxes: [...boxes.values()].map(({ id, w, h }) => ({ id, w, h })),
    lines: wiresOf(spec, boxes, folded).map(({ id, edge, from, to }) => ({ id, source: from, target: to, label: edge.route })),
  };
}

export function buildScene(spec: Spec, types: Types, opened: ReadonlySet<string>, layout: Layout | null, before: Scene | null): Scene {
  const folded = foldsOf(spec, opened);
  const places = placeNodes(spec, placesOf(spec, folded, layout), before?.places);
  const boxes = boxesOf(spec, places, folded);
  const lines = drawLines(wiresOf(spec, boxes, folded), boxes, layout, before, isPlaced(spec));
  return {
    boxes, places, folded, lines, open: openPorts(spec, types, boxes, folded, lines),
    wired: portsOf(lines, ({ from, out }) => [from, out]), entered: portsOf(lines, ({ to, into }) => [to, into]),
  };
}

// The nodes in a closed group all stand where the group does.
function placesOf(spec: Spec, folded: Map<string, string>, layout: Layout | null): Places {
  const places: Places = Object.fromEntries([START, ...Object.keys(spec.nodes), END].flatMap((name) => {
    const place = layout?.places[folded.get(name) ?? name];
    return place ? [[name, place]] : [];
  }));
  const start = places[START];
  if (start && !spec.edges.some((text) => readEdge(text)?.target === END)) places[END] = [endOf(places), start[1]];
  return places;
}

// Where an end to which nothing leads stands: behind all the rest.
function endOf(places: Places): number {
  return Math.max(...Object.entries(places).filter(([name]) => name !== END).map(([name, [x]]) => x + sizeOf(name).w)) + 60;
}

function wiresOf(spec: Spec, boxes: Map<string, Box>, folded: Map<string, string>): Wire[] {
  return spec.edges.flatMap((text, index): Wire[] => {
    const edge = readEdge(text);
    if (!edge) return [];
    const from = folded.get(edge.source) ?? edge.source;
    const to = folded.get(edge.target) ?? edge.target;
    if (!boxes.has(from) || !boxes.has(to) || (from === to && folded.has(edge.source))) return [];
    return [{ id: spec.edges.indexOf(text) === index ? text : `${text}#${index}`, edge, from, to }];
  });
}

// In a graph with places of its own a line keeps its way while both of its nodes stand as they stood and nothing was put on it;
// else it takes the way that was laid out, if that is free, or another one around what is there.
function drawLines(wires: Wire[], boxes: Map<string, Box>, layout: Layout | null, before: Scene | null, placed: boolean): Line[] {
  const old = new Map(before?.lines.map((line) => [line.id, line]));
  const put = [...boxes.values()].filter((box) => !stands(before, box));
  const all = [...boxes.values()];
  const kept = new Map<string, Line>();
  for (const wire of wires) {
    const [source, target] = [boxes.get(wire.from), boxes.get(wire.to)];
    if (!source || !target) continue;
    const laid = laidLine(wire, source, target, layout);
    const line = old.get(wire.id);
    const stood = line?.way.length && line.from === wire.from && line.to === wire.to && stands(before, source) && stands(before, target) ? { ...line, ...wire } : null;
    if (!placed) {
      const next = laid ?? stood;
      if (next) kept.set(wire.id, next);
    } else if (stood && isFree(stood, put)) kept.set(wire.id, stood);
    else if (!stood && laid && isFree(laid, all)) kept.set(wire.id, laid);
  }
  const lines = [...kept.values()];
  const taken: Taken = { boxes: all, names: lines.map(labelBox).filter(({ w }) => w), ways: lines.map(({ way }) => way) };
  const bent = new Map<string, number>();
  return wires.flatMap((wire): Line[] => {
    const [source, target, known] = [boxes.get(wire.from), boxes.get(wire.to), kept.get(wire.id)];
    if (known) return [known];
    if (!source || !target) return [];
    const ends = layout?.routes.get(wire.id) ?? old.get(wire.id) ?? null;
    if (!layout) {
      const count = bent.get(wire.to) ?? 0;
      bent.set(wire.to, count + 1);
      return [bentLine(wire, source, target, ends, count)];
    }
    const line = reroutedLine(wire, source, target, ends, taken);
    taken.ways.push(line.way);
    if (wire.edge.route) taken.names.push(labelBox(line));
    return [line];
  });
}

function laidLine(wire: Wire, source: Box, target: Box, layout: Layout | null): Line | null {
  const route = layout?.routes.get(wire.id);
  const [laid, goal] = [layout?.places[wire.from], layout?.places[wire.to]];
  return route && laid && goal && sameShift(laid, source, goal, target) ? { ...wire, ...shifted(route, [source.x - laid[0], source.y - laid[1]]), before: 0 } : null;
}

// Whether neither a line nor its name lies on one of the boxes.
function isFree(line: Line, boxes: Box[]): boolean {
  const name = labelBox(line);
  return boxes.every((box) => !overlap(name, box) && (box.id === line.from || box.id === line.to || !runsThrough(line.way, box, 2)));
}

// From the sides that are known, if its name has room on the way; else from the sides between which it is shortest.
function reroutedLine(wire: Wire, source: Box, target: Box, known: Pick<Way, "out" | "into"> | null, taken: Taken): Line {
  const { out, into } = endsOf(source, target, known);
  let best: { line: Line; cost: number } | null = null;
  for (const [from, to] of [[out, into], ...sidesOf(source).flatMap((from) => sidesOf(target).map((to) => [from, to] as const))] as const) {
    const way = reroute({ at: [source.x + from.x, source.y + from.y], side: from.side }, { at: [target.x + to.x, target.y + to.y], side: to.side }, taken);
    const { at, covers } = nameOnWay(way, wire.edge.route, taken);
    const through = taken.boxes.filter((box) => box !== source && box !== target && runsThrough(way, box, 0)).length;
    const cost = lengthOf(way) + 10_000 * Number(covers) + 10_000 * through;
    if (!best || cost < best.cost) best = { line: { ...wire, way, label: at, out: from, into: to, before: 0 }, cost };
    if (best.cost < 10_000) break;
  }
  return best?.line ?? bentLine(wire, source, target, known, 0);
}

const lengthOf = (way: EdgePath) => way.slice(1).reduce((sum, [x, y], at) => sum + Math.abs(x - (way[at]?.[0] ?? x)) + Math.abs(y - (way[at]?.[1] ?? y)), 0);

// The middles of the sides of a box.
function sidesOf({ w, h }: Box): End[] {
  return [{ x: w, y: h / 2, side: 0 }, { x: w / 2, y: h, side: 1 }, { x: w / 2, y: 0, side: 3 }, { x: 0, y: h / 2, side: 2 }];
}

function endsOf(source: Box, target: Box, known: Pick<Way, "out" | "into"> | null): Pick<Way, "out" | "into"> {
  return { out: known?.out ?? { x: source.w, y: source.h / 2, side: 0 }, into: known?.into ?? { x: 0, y: target.h / 2, side: 2 } };
}

const close = (one: number, other: number) => Math.abs(one - other) < 1;

function sameShift(laid: Place, source: Box, goal: Place, target: Box): boolean {
  return close(source.x - laid[0], target.x - goal[0]) && close(source.y - laid[1], target.y - goal[1]);
}

function stands(before: Scene | null, { id, x, y }: Box): boolean {
  const old = before?.boxes.get(id);
  return old !== undefined && close(old.x, x) && close(old.y, y);
}

type Way = Pick<Line, "way" | "label" | "out" | "into">;

function shifted({ way, label, out, into }: Way, [dx, dy]: Place): Way {
  const move = ([x, y]: Place): Place => [x + dx, y + dy];
  return { way: way.map(move), label: move(label), out, into };
}

function bentLine(wire: Wire, source: Box, target: Box, known: Pick<Way, "out" | "into"> | null, before: number): Line {
  const { out, into } = endsOf(source, target, known);
  const [, label] = bentPath([source.x + out.x, source.y + out.y], out.side, [target.x + into.x, target.y + into.y], into.side, before);
  return { ...wire, way: [], label, out, into, before };
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

function portsOf(lines: Line[], end: (line: Line) => [string, End]): Map<string, Port[]> {
  const found = new Map<string, Port[]>();
  for (const line of lines) {
    const [box, at] = end(line);
    found.set(box, [...(found.get(box) ?? []), { ...at, id: line.id, route: line.edge.route }]);
  }
  return found;
}
