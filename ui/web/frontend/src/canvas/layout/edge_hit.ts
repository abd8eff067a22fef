// The edge at a place of the drawing, and room for a node that is put on it.
import { bentPath } from "./edge_line";
import { CELL, free, NODE } from "./node_places";
import type { Box, Places } from "./node_places";
import type { Line, Scene } from "./scene";
import type { Place } from "../graph/types";

const APART = 4 * CELL; // between two nodes of a row: the name of a route has room
const BELOW = 30; // between boxes of one row, less than between two rows

// The nearest edge that is not farther away than `reach`.
export function lineAt(scene: Scene, at: Place, reach: number): Line | null {
  let best: Line | null = null;
  let least = reach;
  for (const line of scene.lines) {
    const away = distance(wayOf(scene, line), at);
    if (away <= least) [best, least] = [line, away];
  }
  return best;
}

// The corners of a line; one that was not laid out has them in its path.
function wayOf(scene: Scene, { way, from, to, out, into, before }: Line): Place[] {
  const [source, target] = [scene.boxes.get(from), scene.boxes.get(to)];
  if (way.length || !source || !target) return way;
  const [path] = bentPath([source.x + out.x, source.y + out.y], out.side, [target.x + into.x, target.y + into.y], into.side, before);
  const numbers = (path.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
  return numbers.flatMap((x, at): Place[] => (at % 2 ? [] : [[x, numbers[at + 1] ?? 0]]));
}

function distance(way: Place[], [x, y]: Place): number {
  return way.slice(1).reduce((least, [bx, by], at) => {
    const [ax, ay] = way[at] ?? [bx, by];
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const part = length ? Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length)) : 0;
    return Math.min(least, Math.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay)));
  }, Infinity);
}

// Where the nodes stand when one is put on a line: what follows on the right of it in its row gives way.
export function withRoom(scene: Scene, line: Line, name: string, wanted: Place): Places {
  const places = Object.fromEntries(Object.entries(scene.places).filter(([each]) => each !== name));
  const [source, target] = [scene.boxes.get(line.from), scene.boxes.get(line.to)];
  if (!source || !target || target.x <= source.x) return { ...places, [name]: free(places, name, wanted) };
  const x = Math.max(source.x + source.w + APART, Math.min(wanted[0], target.x - NODE.w - APART));
  const shift = Math.max(0, x + NODE.w + APART - target.x);
  const row = rowOf([...scene.boxes.values()].filter((box) => box.x >= target.x), target);
  const shifted: Places = Object.fromEntries(Object.entries(places).map(([each, [ex, ey]]): [string, Place] => [each, [row.has(scene.folded.get(each) ?? each) ? ex + shift : ex, ey]]));
  return { ...shifted, [name]: free(shifted, name, [x, wanted[1]]) };
}

// The boxes that stand beside one, those beside these, and so on; rows are farther from each other.
function rowOf(boxes: readonly Box[], first: Box): Set<string> {
  const row = [first];
  for (const { y, h } of row) row.push(...boxes.filter((box) => !row.includes(box) && box.y < y + h + BELOW && y < box.y + box.h + BELOW));
  return new Set(row.map(({ id }) => id));
}
