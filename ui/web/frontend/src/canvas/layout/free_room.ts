// A place for new boxes in the part of a drawing that is in view.
import { CELL } from "./node_places";
import type { Box } from "./node_places";
import { labelBox, overlap, runsThrough } from "./overlaps";
import type { Scene } from "./scene";
import type { Place } from "../graph/types";

const ON_LINE = 160; // what it costs a box to stand on a line or a name, as a way that it would go instead

// How far boxes have to go to a place in view where they cover no node, and no line or name if there is such a place near;
// lines that they are put on are led around them.
export function roomIn(view: Box, scene: Scene, wanted: Box[]): Place | null {
  const [left, top] = [Math.min(...wanted.map(({ x }) => x)), Math.min(...wanted.map(({ y }) => y))];
  const [right, bottom] = [Math.max(...wanted.map(({ x, w }) => x + w)), Math.max(...wanted.map(({ y, h }) => y + h))];
  const names = scene.lines.map(labelBox).filter(({ w }) => w);
  const moves: { by: Place; far: number }[] = [];
  for (let dx = CELL * Math.ceil((view.x - left) / CELL); right + dx <= view.x + view.w; dx += CELL) {
    for (let dy = CELL * Math.ceil((view.y - top) / CELL); bottom + dy <= view.y + view.h; dy += CELL) moves.push({ by: [dx, dy], far: Math.hypot(dx, dy) });
  }
  let best: { by: Place; cost: number } | null = null;
  for (const { by: [dx, dy], far } of moves.toSorted((one, other) => one.far - other.far)) {
    if (best && best.cost <= far) break;
    const put = wanted.map((box) => ({ ...box, x: box.x + dx, y: box.y + dy }));
    const wide = put.map((box) => ({ ...box, x: box.x - CELL, y: box.y - CELL, w: box.w + 2 * CELL, h: box.h + 2 * CELL }));
    if (wide.some((box) => [...scene.boxes.values()].some((other) => overlap(box, other)))) continue;
    const covered = put.reduce((sum, box) => sum + names.filter((name) => overlap(box, name)).length + scene.lines.filter(({ way }) => runsThrough(way, box)).length, 0);
    const cost = far + ON_LINE * covered;
    if (!best || cost < best.cost) best = { by: [dx, dy], cost };
  }
  return best?.by ?? null;
}
