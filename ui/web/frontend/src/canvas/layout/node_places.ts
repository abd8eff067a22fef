// Where nodes stand: at places of their own, or where elk put them.
import { END, START } from "../graph/types";
import type { Place, Spec } from "../graph/types";

export const CELL = 20; // what arrows move a node by, and what a dragged one is rounded to
export const NODE = { w: 160, h: 84 };
export const PILL = { w: 60, h: 20 };
const COLUMN = 240;

export type Places = Record<string, Place>;
export interface Box { id: string; x: number; y: number; w: number; h: number }

export function middleOf(box: Box): Place {
  return [box.x + box.w / 2, box.y + box.h / 2];
}

export function sizeOf(name: string): { w: number; h: number } {
  return name === START || name === END ? PILL : NODE;
}

// A place for every node: its own, if any node has one; else the one that it was laid out at, or had before.
export function placeNodes(spec: Spec, laid: Places, before: Places = {}): Places {
  const names = [START, ...Object.keys(spec.nodes), END];
  const own = isPlaced(spec) ? spec.positions : {};
  const found: Places = {};
  for (const name of names) {
    const place = own[name] ?? (isPlaced(spec) ? before[name] : laid[name] ?? before[name]);
    if (place) found[name] = place;
  }
  for (const name of names) found[name] ??= free(found, name, beside(found, name));
  return found;
}

export function isPlaced(spec: Spec): boolean {
  return Object.keys(spec.nodes).some((name) => spec.positions[name]);
}

// Start stands before all others, the end behind them, a node below.
function beside(places: Places, name: string): Place {
  const all = Object.entries(places);
  if (!all.length) return [0, 0];
  const [xs, ys] = [all.map(([, [x]]) => x), all.map(([, [, y]]) => y)];
  const level = all[0]?.[1][1] ?? 0;
  if (name === START) return [Math.min(...xs) - PILL.w - 3 * CELL, level];
  if (name === END) return [Math.max(...xs) + NODE.w + 3 * CELL, level];
  return [Math.min(...xs), Math.max(...ys) + NODE.h + 2 * CELL];
}

// The nearest free place, searched to the right and then row by row below.
export function free(places: Places, name: string, [x, y]: Place): Place {
  for (let row = 0; row < 40; row++) {
    for (let column = 0; column < 6; column++) {
      const place: Place = [Math.round(x) + column * COLUMN, Math.round(y) + row * (NODE.h + 2 * CELL)];
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
