// What lies on what in a drawing.
import type { EdgePath } from "./edge_line";
import { labelWidth } from "./elk_graph";
import type { Box } from "./node_places";
import type { Line } from "./scene";
import type { Place } from "../graph/types";

export const LABEL = 24; // the height of the name on a line
const NEAR = 5;

export function overlap(one: Box, other: Box): boolean {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}

// Whether a line runs through a box, or close by.
export function runsThrough(way: EdgePath, box: Box, near = NEAR): boolean {
  const wide = { id: "", x: box.x - near, y: box.y - near, w: box.w + 2 * near, h: box.h + 2 * near };
  return way.slice(1).some(([bx, by], index) => {
    const [ax, ay] = way[index] ?? [bx, by];
    return overlap(wide, { id: "", x: Math.min(ax, bx) - 0.1, y: Math.min(ay, by) - 0.1, w: Math.abs(bx - ax) + 0.2, h: Math.abs(by - ay) + 0.2 });
  });
}

// The name of the route on a line.
export function labelBox({ label, edge }: Line): Box {
  return labelAt(label, edge.route ? labelWidth(edge.route) : 0);
}

export function labelAt([x, y]: Place, w: number): Box {
  return { id: "", x: x - w / 2, y: y - LABEL / 2, w, h: w && LABEL };
}
