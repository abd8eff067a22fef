// Places nodes on a grid, so that the lines between them run straight.
import { Graph, layout } from "@dagrejs/dagre";
import { edgesOf } from "../graph/spec";
import { END, START } from "../graph/types";
import type { Place, Spec } from "../graph/types";

export const CELL = 20;
export const NODE = { w: 160, h: 60 };
export const PILL = { w: 60, h: 20 };
const COLUMN = 240;
const ROW = 160;

export type Places = Record<string, Place>;
export interface Box { id: string; x: number; y: number; w: number; h: number }

export function middleOf(box: Box): Place {
  return [box.x + box.w / 2, box.y + box.h / 2];
}

export function sizeOf(name: string): { w: number; h: number } {
  return name === START || name === END ? PILL : NODE;
}

// The sides of nodes lie on columns of the grid, their tops between its rows; pills stand between both.
export function snapped(name: string, [x, y]: Place): Place {
  const shift = name === START || name === END ? CELL / 2 : 0;
  return [Math.round((x - shift) / CELL) * CELL + shift, Math.round((y - CELL / 2) / CELL) * CELL + CELL / 2];
}

// A place for every node: its own, or the one it had before; if none has any, all are
// laid out along the routes.
export function placeNodes(spec: Spec, aspect: number, before: Places = {}): Places {
  const names = Object.keys(spec.nodes);
  const own: Places = names.some((name) => spec.positions[name]) ? spec.positions : before;
  if (!names.some((name) => own[name])) return arranged(spec, aspect);
  const found: Places = {};
  for (const name of names) if (own[name]) found[name] = snapped(name, own[name]);
  for (const name of names) found[name] ??= free(found, name, [left(found), lowest(found) + ROW]);
  for (const name of [START, END]) {
    const place = own[name];
    found[name] = place ? snapped(name, place) : beside(spec, found, name);
  }
  return found;
}

// Ranks from dagre, laid out in alternating rows, so that a long path fits a window.
export function arranged(spec: Spec, aspect: number): Places {
  const ranks = ranked(spec);
  let best: Places = {};
  let least = Infinity;
  for (let wide = 1; wide <= Math.max(1, ranks.length); wide++) {
    const places = snaked(spec, ranks, wide);
    const [width, height] = [Math.max(0, ...xs(places)) - left(places) + NODE.w, lowest(places) - highest(places) + NODE.h];
    const size = Math.max(width, height * aspect);
    if (size < least - 1) [least, best] = [size, places];
  }
  return best;
}

function snaked(spec: Spec, ranks: string[][], wide: number): Places {
  const bands = Math.ceil(ranks.length / wide);
  const found: Places = {};
  let top = CELL / 2;
  for (let band = 0; band < bands; band++) {
    const row = ranks.slice(band * wide, (band + 1) * wide);
    row.forEach((names, index) => {
      const column = band % 2 ? wide - 1 - index : index;
      names.forEach((name, depth) => (found[name] = [column * COLUMN, top + depth * ROW]));
    });
    top += Math.max(...row.map((names) => names.length)) * ROW;
  }
  for (const name of [START, END]) found[name] = beside(spec, found, name);
  return found;
}

function ranked(spec: Spec): string[][] {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", ranksep: 100, nodesep: 40, ranker: "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  const edges = edgesOf(spec);
  const first = edges.find((edge) => edge.source === START)?.target ?? "";
  const names = Object.keys(spec.nodes);
  const known = new Set(names);
  for (const name of [...names.filter((name) => name === first), ...names.filter((name) => name !== first)]) {
    graph.setNode(name, { width: NODE.w, height: NODE.h });
  }
  for (const { source, target } of edges) {
    if (known.has(source) && known.has(target) && source !== target) graph.setEdge(source, target);
  }
  if (names.length) layout(graph);
  const placeOf = (name: string) => graph.node(name) as { x?: number; y?: number };
  const columns = new Map<number, string[]>();
  for (const name of names) {
    const x = Math.round(placeOf(name).x ?? 0);
    columns.set(x, [...(columns.get(x) ?? []), name]);
  }
  const byHeight = (one: string, other: string) => (placeOf(one).y ?? 0) - (placeOf(other).y ?? 0);
  return [...columns.entries()].sort(([a], [b]) => a - b).map(([, column]) => column.sort(byHeight));
}

function beside(spec: Spec, places: Places, name: string): Place {
  const edges = edgesOf(spec);
  const next = name === START
    ? edges.find((edge) => edge.source === START)?.target
    : edges.find((edge) => edge.target === END)?.source;
  const at = places[next ?? ""];
  if (!at) return name === START ? [50, (highest(places) || 10) - 80] : [50, lowest(places) + 120];
  const [x, y] = at;
  const above: Place = [x + 50, y - 80];
  const below: Place = [x + 50, y + NODE.h + 60];
  const sides: Place[] = [[x - 120, y + 20], [x + NODE.w + 60, y + 20]];
  const order = name === START ? [above, ...sides, below] : [below, ...sides, above];
  return order.find((place) => clear(places, name, place)) ?? order[0] ?? above;
}

// The nearest free place, searched to the right and then row by row below.
export function free(places: Places, name: string, wanted: Place): Place {
  const [x, y] = snapped(name, wanted);
  for (let row = 0; row < 40; row++) {
    for (let column = 0; column < 6; column++) {
      const place: Place = [x + column * COLUMN, y + row * (NODE.h + 2 * CELL)];
      if (clear(places, name, place)) return place;
    }
  }
  return [x, y];
}

function clear(places: Places, name: string, [x, y]: Place): boolean {
  const { w, h } = sizeOf(name);
  return Object.entries(places).every(([other, [ox, oy]]) => {
    if (other === name) return true;
    const size = sizeOf(other);
    return x + w + CELL <= ox || ox + size.w + CELL <= x || y + h + CELL <= oy || oy + size.h + CELL <= y;
  });
}

const xs = (places: Places) => Object.values(places).map(([x]) => x);
const ys = (places: Places) => Object.values(places).map(([, y]) => y);
const left = (places: Places) => Math.min(0, ...xs(places));
const highest = (places: Places) => (ys(places).length ? Math.min(...ys(places)) : 0);
const lowest = (places: Places) => (ys(places).length ? Math.max(...ys(places)) : 0);
