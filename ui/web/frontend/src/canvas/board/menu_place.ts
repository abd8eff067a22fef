// Where a menu stands on the board so that it covers none of the boxes that it is about.
import type { Place } from "../graph/types";

export interface Rect { x: number; y: number; w: number; h: number }

const APART = 12;
const EDGE = 8;

// Near the place that is wanted; else below, above, right or left of the boxes, or in a corner; where nothing is free, where it covers least.
export function menuPlace([x, y]: Place, size: { w: number; h: number }, board: { w: number; h: number }, boxes: Rect[]): Place {
  const [left, top] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.x + box.w)), Math.max(...boxes.map((box) => box.y + box.h))];
  const last = boxes.at(-1) ?? { x, y, w: 0, h: 0 };
  const wanted: Place[] = [
    [x, y], [last.x, bottom + APART], [last.x, top - size.h - APART], [right + APART, last.y], [left - size.w - APART, last.y],
    [board.w, board.h], [board.w, 0], [0, board.h], [0, 0],
  ];
  const places = wanted.map(([at, over]): Place => [clamp(at, board.w - size.w - EDGE), clamp(over, board.h - size.h - EDGE)]);
  const covered = ([at, over]: Place) => boxes.reduce((sum, box) => sum + common({ x: at, y: over, ...size }, box), 0);
  return places.reduce((best, place) => (covered(place) < covered(best) ? place : best));
}

const clamp = (value: number, most: number) => Math.max(EDGE, Math.min(value, most));

function common(one: Rect, other: Rect): number {
  const across = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
  return across > 0 && down > 0 ? across * down : 0;
}
