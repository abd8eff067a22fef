// Shortens lines that run to a side and back, as far as nothing stands between.
import type { EdgePath } from "./edge_line";
import type { Box } from "./node_places";
import { overlap } from "./overlaps";
import type { Place } from "../graph/types";

const APART = 12; // to what a line is drawn up
const STUB = 16; // straight out of a box
const ROUNDS = 12;

// Lines that lie inside of others go first, so that those can follow.
export function tightened(ways: readonly EdgePath[], boxes: readonly Box[]): EdgePath[] {
  let all = [...ways];
  for (let round = 0; round < ROUNDS; round++) {
    const across = drawnUp(all, boxes);
    const down = drawnUp(across.map(turned), boxes.map(({ id, x, y, w, h }) => ({ id, x: y, y: x, w: h, h: w }))).map(turned);
    if (JSON.stringify(down) === JSON.stringify(all)) break;
    all = down;
  }
  return all;
}

const turned = (way: EdgePath): EdgePath => way.map(([x, y]): Place => [y, x]);

function drawnUp(ways: readonly EdgePath[], boxes: readonly Box[]): EdgePath[] {
  const all = [...ways];
  all.forEach((_, at) => {
    const taken = [...boxes, ...all.flatMap((other, index) => (index === at ? [] : piecesOf(other)))];
    for (let corner = 0; corner + 3 < (all[at]?.length ?? 0); corner++) all[at] = shorter(all[at] ?? [], corner, taken);
  });
  return all;
}

// From a to b, then up or down to c, and back to d: what is between moves toward the nearer of a and d.
function shorter(way: EdgePath, corner: number, taken: readonly Box[]): EdgePath {
  const [a, b, c, d] = way.slice(corner, corner + 4);
  if (!a || !b || !c || !d || a[1] !== b[1] || c[1] !== d[1] || b[0] !== c[0]) return way;
  const out = Math.sign(b[0] - a[0]);
  if (!out || Math.sign(d[0] - c[0]) !== -out) return way;
  const first = corner === 0 ? a[0] + out * STUB : a[0];
  const last = corner + 4 === way.length ? d[0] + out * STUB : d[0];
  let x = out > 0 ? Math.max(first, last) : Math.min(first, last);
  const swept = { id: "", x: Math.min(x, b[0]) - (out > 0 ? APART : 0), y: Math.min(b[1], c[1]) - 1, w: Math.abs(b[0] - x) + APART, h: Math.abs(b[1] - c[1]) + 2 };
  for (const box of taken) if (overlap(box, swept)) x = out > 0 ? Math.max(x, box.x + box.w + APART) : Math.min(x, box.x - APART);
  return (b[0] - x) * out < 4 ? way : straight([...way.slice(0, corner + 1), [x, b[1]], [x, c[1]], ...way.slice(corner + 3)]);
}

function piecesOf(way: EdgePath): Box[] {
  return way.slice(1).map(([bx, by], at) => {
    const [ax, ay] = way[at] ?? [bx, by];
    return { id: "", x: Math.min(ax, bx), y: Math.min(ay, by), w: Math.abs(bx - ax) + 0.1, h: Math.abs(by - ay) + 0.1 };
  });
}

// Without points that are there twice, and those at which a line does not turn.
function straight(way: EdgePath): EdgePath {
  const points = way.filter(([x, y], at) => { const [bx, by] = way[at - 1] ?? []; return bx !== x || by !== y; });
  return points.filter(([x, y], at) => {
    const [before, after] = [points[at - 1], points[at + 1]];
    return !before || !after || !((before[0] === x && x === after[0]) || (before[1] === y && y === after[1]));
  });
}
