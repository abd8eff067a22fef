// Breaks a drawing that is one long row into several, like a text into lines, so that it can be read on its board.
import { isLarge, labelWidth } from "./elk_graph";
import type { Drawn, Layout, Route } from "./elk_graph";
import type { EdgePath } from "./edge_line";
import { squeeze } from "./squeeze";
import type { Squeeze } from "./squeeze";
import { tightened } from "./tighten";
import { NODE } from "./node_places";
import type { Box, Places } from "./node_places";
import { labelAt } from "./overlaps";
import type { Place } from "../graph/types";

export interface Room { width: number; height: number } // what there is on the board for a drawing, in pixels

const LANE = 13; // between lines that lead from row to row
const BESIDE = 12; // between a row and such lines
const ENOUGH = 0.9; // a drawing that is shown this large stays one row
const MOST = 6; // rows
const MANY = 16; // places for a break, of which not all are tried
const TRIED = 2; // drawings for each number of rows
const DEAR = { line: 0.004, row: 0.015 }; // what a line that is broken costs, and a row more, as zoom
const BARE = 6; // between a break and the boxes behind it
const GAPS = [24, 20] as const; // what stays empty at most, across and down

interface Drawing { boxes: Box[]; names: Box[]; routes: ReadonlyMap<string, Route> }
interface Break { x: number; ys: number[] } // where a row may end, and the heights at which lines come to it
interface Extent { x: Squeeze; y: Squeeze; top: number; bottom: number; left: number; right: number } // as it is drawn, without empty room

const known = new WeakMap<Layout, Map<string, Layout>>(); // a layout is broken once for each room, and once for each set of breaks

// The same drawing in as many rows as let it be largest in its room.
export function inRows(layout: Layout, drawn: Drawn, room: Room): Layout {
  if (isLarge(drawn) || room.width < 1 || room.height < 1) return layout;
  return remembered(layout, `${room.width} x ${room.height}`, () => {
    const drawing = partsOf(layout, drawn);
    const tried = choicesOf(drawing, room).map((breaks) => {
      const rows = broken(layout, drawing, breaks);
      const { left, right, top, bottom } = spanOf(partsOf(rows, drawn));
      return { rows, worth: worth({ width: right - left, height: bottom - top }, room, breaks) };
    });
    return tried.toSorted((one, other) => other.worth - one.worth)[0]?.rows ?? layout;
  });
}

// In rows as its nodes stand already, at places of their own.
export function inRowsOf(layout: Layout, drawn: Drawn, places: Places): Layout {
  if (isLarge(drawn)) return layout;
  const drawing = partsOf(layout, drawn);
  return broken(layout, drawing, breaksOf(drawing).filter(({ x }) => isBroken(drawing.boxes, places, x)));
}

// Whether the nodes next behind a place stand farther back than those next before it.
function isBroken(boxes: readonly Box[], places: Places, x: number): boolean {
  const standing = boxes.filter(({ id, w }) => places[id] && w === NODE.w);
  const before = standing.filter((box) => box.x < x).map((box) => box.x);
  const behind = standing.filter((box) => box.x > x).map((box) => box.x);
  const [end, start] = [Math.max(...before), Math.min(...behind)].map((column) => Math.min(...standing.filter((box) => Math.abs(box.x - column) < NODE.w / 2).map(({ id }) => places[id]?.[0] ?? 0)));
  return before.length > 0 && behind.length > 0 && (start ?? 0) < (end ?? 0) + NODE.w / 2;
}

function remembered(layout: Layout, key: string, work: () => Layout): Layout {
  const all = known.get(layout) ?? new Map<string, Layout>();
  known.set(layout, all);
  const found = all.get(key) ?? work();
  all.set(key, found);
  return found;
}

function partsOf({ places, routes }: Layout, { boxes, lines }: Drawn): Drawing {
  const names = lines.flatMap(({ id, label }) => {
    const route = routes.get(id);
    return route && label ? [labelAt(route.label, labelWidth(label))] : [];
  });
  return { boxes: boxes.flatMap(({ id, w, h }) => { const at = places[id]; return at ? [{ id, x: at[0], y: at[1], w, h }] : []; }), names, routes };
}

// The breaks that are likely to leave the drawing largest, some for each number of rows.
function choicesOf(drawing: Drawing, room: Room): Break[][] {
  const all = fewer(breaksOf(drawing));
  const known = new Map<string, Extent>();
  const extent = (from: number, to: number): Extent => {
    const key = `${from} ${to}`;
    const found = known.get(key) ?? extentOf(drawing, from, to);
    known.set(key, found);
    return found;
  };
  const guess = (breaks: Break[]): number => {
    const rows = [...breaks, null].map((end, at) => extent(breaks[at - 1]?.x ?? -Infinity, end?.x ?? Infinity));
    const sides = 2 * BESIDE + 2 * LANE * Math.max(...breaks.map(({ ys }) => ys.length));
    const width = Math.max(...rows.map(({ left, right }) => right - left)) + sides;
    const height = rows.reduce((sum, { top, bottom }) => sum + bottom - top, 0) + breaks.reduce((sum, { ys }) => sum + LANE * ys.length + 2 * BESIDE, 0);
    return worth({ width, height }, room, breaks);
  };
  const choices: Break[][] = [[]];
  for (let count = 1; count < MOST && count <= all.length; count++) {
    const guessed = subsets(all, count).map((breaks) => ({ breaks, worth: guess(breaks) })).toSorted((one, other) => other.worth - one.worth);
    choices.push(...guessed.slice(0, TRIED).map(({ breaks }) => breaks));
  }
  return choices;
}

function worth({ width, height }: Room, room: Room, breaks: Break[]): number {
  return Math.min(ENOUGH, room.width / width, room.height / height) - DEAR.row * breaks.length - DEAR.line * breaks.reduce((sum, { ys }) => sum + ys.length, 0);
}

function spanOf({ boxes, names, routes }: Drawing): Record<"left" | "right" | "top" | "bottom", number> {
  const points = [...boxes, ...names].flatMap(({ x, y, w, h }): Place[] => [[x, y], [x + w, y + h]]).concat([...routes.values()].flatMap(({ way }) => way));
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

// In a long graph those that break the fewest lines.
function fewer(breaks: Break[]): Break[] {
  const kept = new Set(breaks.toSorted((one, other) => one.ys.length - other.ys.length).slice(0, MANY));
  return breaks.filter((each) => kept.has(each));
}

function subsets<T>(all: readonly T[], count: number): T[][] {
  if (!count) return [[]];
  return all.flatMap((one, at) => subsets(all.slice(at + 1), count - 1).map((rest) => [one, ...rest]));
}

// Between two columns of boxes, where only level lines are.
function breaksOf({ boxes, names, routes }: Drawing): Break[] {
  const found: Break[] = [];
  const sorted = boxes.toSorted((one, other) => one.x - other.x);
  let end = -Infinity;
  sorted.forEach(({ x, w }, at) => {
    if (at > 1 && at < sorted.length - 1 && x > end + BARE) {
      for (let place = x - BARE; place > end + BARE; place -= BARE) {
        if (names.some((name) => name.x < place && place < name.x + name.w)) continue;
        const ys = levels([...routes.values()].map(({ way }) => way), place);
        if (!ys) continue;
        found.push({ x: place, ys });
        break;
      }
    }
    end = Math.max(end, x + w);
  });
  return found;
}

// The heights at which lines run through a place; null if one runs up or down there.
function levels(ways: EdgePath[], x: number): number[] | null {
  const ys: number[] = [];
  for (const way of ways) {
    for (const [[ax, ay], [bx]] of piecesOf(way)) {
      if (Math.abs(ax - bx) < 1 && Math.abs(ax - x) < 4) return null;
      if (Math.min(ax, bx) < x && x < Math.max(ax, bx)) ys.push(ay);
    }
  }
  return ys.sort((one, other) => one - other);
}

const piecesOf = (way: EdgePath): [Place, Place][] => way.slice(1).map((point, at) => [way[at] ?? point, point]);

// What stands between two breaks.
function extentOf({ boxes, names, routes }: Drawing, from: number, to: number): Extent {
  const within = ([x]: Place) => x >= from && x <= to;
  const inside = [...boxes, ...names].filter(({ x, y, w }) => within([x + w / 2, y]));
  const ways = [...routes.values()].flatMap(({ way }) => piecesOf(way).flatMap(([[ax, ay], [bx, by]]): EdgePath[] => {
    if (Math.max(ax, bx) < from || Math.min(ax, bx) > to) return [];
    const cut = (x: number) => Math.max(from, Math.min(x, to));
    return [[[cut(ax), ay], [cut(bx), by]]];
  }));
  const points = [...ways.flat(), ...inside.flatMap(({ x, y, w, h }): Place[] => [[x, y], [x + w, y + h]])];
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const ends = [Math.min(...xs), Math.max(...xs)].map((x): EdgePath => [[x, 0], [x, 1]]);
  const [x, y] = [squeeze(0, inside, [...ways, ...ends], GAPS[0]), squeeze(1, inside, ways, GAPS[1])];
  return { x, y, left: x(Math.min(...xs)), right: x(Math.max(...xs)), top: y(Math.min(...ys)), bottom: y(Math.max(...ys)) };
}

// Rows stand below each other. Lines go from the end of one to the beginning of the next side by side, so that none crosses
// another that it did not cross in one row.
function broken(layout: Layout, drawing: Drawing, breaks: Break[]): Layout {
  return breaks.length ? remembered(layout, breaks.map(({ x }) => x).join(" "), () => rowsOf(layout.routes, drawing, breaks)) : layout;
}

function rowsOf(routes: Layout["routes"], drawing: Drawing, breaks: Break[]): Layout {
  const starts = [-Infinity, ...breaks.map(({ x }) => x)];
  const rowAt = (x: number) => starts.findLastIndex((start) => x >= start);
  const rows = placeRows(starts.map((start, at) => extentOf(drawing, start, starts[at + 1] ?? Infinity)), breaks);
  const put = ([x, y]: Place, row: number): Place => {
    const { extent, shift } = rows[row] ?? {};
    return extent && shift ? [extent.x(x) + shift[0], extent.y(y) + shift[1]] : [x, y];
  };
  const turn = (at: number, y: number): EdgePath => {
    const { x = 0, ys = [] } = breaks[at] ?? {};
    const rank = ys.indexOf(y);
    const [end, from] = put([x, y], at);
    const right = end + LANE * (ys.length - rank) - BARE;
    const left = -BESIDE - LANE * rank;
    const level = (rows[at + 1]?.gutter ?? 0) + LANE * (ys.length - 1 - rank);
    return [[right, from], [right, level], [left, level], [left, put([x, y], at + 1)[1]]];
  };
  const wayOf = (way: EdgePath): EdgePath => way.flatMap((point, at): EdgePath => {
    const before = way[at - 1];
    if (!before) return [put(point, rowAt(point[0]))];
    const [from, to] = [rowAt(before[0]), rowAt(point[0])];
    const between = Array.from({ length: Math.abs(to - from) }, (_, step) => turn(Math.min(from, to) + step, point[1]));
    const turns = from < to ? between.flat() : between.toReversed().flatMap((each) => each.toReversed());
    return [...turns, put(point, to)];
  });
  const whole = (box: Box): Box => { const [x, y] = put([box.x, box.y], rowAt(box.x + box.w / 2)); return { ...box, x, y }; };
  const [boxes, names] = [drawing.boxes.map(whole), drawing.names.map(whole)];
  const ids = [...routes.keys()];
  const ways = tightened([...routes.values()].map(({ way }) => wayOf(way)), [...boxes, ...names]);
  const down = squeeze(1, [...boxes, ...names], ways, GAPS[1]);
  const lower = ([x, y]: Place): Place => [x, down(y)];
  return {
    places: Object.fromEntries(boxes.map(({ id, x, y }) => [id, lower([x, y])])),
    routes: new Map([...routes.values()].map((route, at): [string, Route] => [ids[at] ?? "", { ...route, way: (ways[at] ?? []).map(lower), label: lower(put(route.label, rowAt(route.label[0]))) }])),
  };
}

function placeRows(extents: Extent[], breaks: Break[]): { extent: Extent; shift: Place; gutter: number }[] {
  let bottom = -2 * BESIDE;
  return extents.map((extent, at) => {
    const gutter = bottom + BESIDE;
    const from = bottom + 2 * BESIDE + LANE * (breaks[at - 1]?.ys.length ?? 0);
    bottom = from + extent.bottom - extent.top;
    return { extent, shift: [-extent.left, from - extent.top], gutter };
  });
}
