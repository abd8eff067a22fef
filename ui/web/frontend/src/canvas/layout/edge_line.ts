// The line of an edge: where it leaves one box and comes to another, and how it runs between them.
import { getSmoothStepPath, Position } from "@xyflow/system";
import type { Place } from "../graph/types";

export interface Port { x: number; y: number; side: number } // from the corner of its box
export type EdgePath = Place[]; // empty: the line goes from end to end on its own

export const SIDES = [Position.Right, Position.Bottom, Position.Left, Position.Top] as const;

const OUT = 22;
const APART = 16;

// The path of an edge that was not laid out, and where its name stands. Those before it at the same node run farther in.
export function bentPath([sourceX, sourceY]: Place, from: number, [targetX, targetY]: Place, to: number, before: number): [string, Place] {
  const [path, x, y] = getSmoothStepPath({
    sourceX, sourceY, sourcePosition: SIDES[from] ?? Position.Right, targetX, targetY, targetPosition: SIDES[to] ?? Position.Left,
    borderRadius: 10, offset: OUT + APART * before,
  });
  return [path, [x, y]];
}

// An SVG path with round corners.
export function roundedPath(way: EdgePath, radius = 10): string {
  const [first, ...rest] = way;
  if (!first) return "";
  let text = `M${first[0]} ${first[1]}`;
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    if (!next) return void (text += `L${point[0]} ${point[1]}`);
    const near = toward(point, rest[index - 1] ?? first, radius);
    const past = toward(point, next, radius);
    text += `L${near[0]} ${near[1]}Q${point[0]} ${point[1]} ${past[0]} ${past[1]}`;
  });
  return text;
}

function toward([x, y]: Place, [tx, ty]: Place, radius: number): Place {
  const length = Math.hypot(tx - x, ty - y) || 1;
  const part = Math.min(radius, length / 2) / length;
  return [x + (tx - x) * part, y + (ty - y) * part];
}
