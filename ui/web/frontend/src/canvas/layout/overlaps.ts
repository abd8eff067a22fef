// What lies on what in a drawing.
import type { EdgePath } from "./edge_line";
import { labelWidth } from "./elk_graph";
import type { Box } from "./node_places";
import type { Line } from "./scene";

const LABEL = 24;
const NEAR = 5;

export function overlap(one: Box, other: Box): boolean {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}

// Whether a line runs through a box, or close by.
export function runsThrough(way: EdgePath, box: Box): boolean {
  const wide = { id: "", x: box.x - NEAR, y: box.y - NEAR, w: box.w + 2 * NEAR, h: box.h + 2 * NEAR };
  return way.slice(1).some(([bx, by], index) => {
    const [ax, ay] = way[index] ?? [bx, by];
    return overlap(wide, { id: "", x: Math.min(ax, bx) - 0.1, y: Math.min(ay, by) - 0.1, w: Math.abs(bx - ax) + 0.2, h: Math.abs(by - ay) + 0.2 });
  });
}

// The name of the route on a line.
export function labelBox({ label: [x, y], edge }: Line): Box {
  const w = edge.route ? labelWidth(edge.route) : 0;
  return { id: "", x: x - w / 2, y: y - LABEL / 2, w, h: w && LABEL };
}
