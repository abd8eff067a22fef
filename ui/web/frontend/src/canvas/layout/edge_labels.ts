// Places the name of each edge on its path, clear of nodes and of other names.
import type { Box } from "./node_places";
import type { Place } from "../graph/types";
import type { EdgePath } from "./edge_paths";

interface Rect { x: number; y: number; w: number; h: number }
const HIGH = 20;

export function widthOf(text: string): number {
  return Math.ceil(text.length * 6.6 + 28);
}

export function placeLabels(
  names: ReadonlyMap<string, string>, ways: ReadonlyMap<string, EdgePath>, boxes: Box[],
): Map<string, Place> {
  const taken: Rect[] = boxes.map((box) => ({ ...box }));
  const found = new Map<string, Place>();
  for (const [id, way] of [...ways].sort(([, one], [, other]) => lengthOf(one) - lengthOf(other))) {
    const name = names.get(id);
    if (!name) continue;
    const width = widthOf(name);
    let best: Place = way[0] ?? [0, 0];
    let least = Infinity;
    for (const [place, cost] of candidates(way, width)) {
      const rect = around(place, width);
      if (cost >= least) continue;
      const cover = taken.reduce((sum, other) => sum + common(rect, other), 0);
      const crossed = [...ways].filter(([other, line]) => other !== id && under(rect, line)).length;
      const whole = cost + cover * 2 + crossed * 14;
      if (whole < least) [least, best] = [whole, place];
    }
    taken.push(around(best, width));
    found.set(id, best);
  }
  return found;
}

function around([x, y]: Place, width: number): Rect {
  return { x: x - width / 2, y: y - HIGH / 2, w: width, h: HIGH };
}

function common(one: Rect, other: Rect): number {
  const wide = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
  const high = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}

function lengthOf(way: EdgePath): number {
  return way.reduce((sum, [x, y], index) => sum + Math.abs(x - (way[index - 1]?.[0] ?? x)) + Math.abs(y - (way[index - 1]?.[1] ?? y)), 0);
}

function under({ x, y, w, h }: Rect, way: EdgePath): boolean {
  return way.some(([bx, by], index) => {
    const [ax, ay] = way[index - 1] ?? [bx, by];
    return Math.min(ax, bx) < x + w && Math.max(ax, bx) > x && Math.min(ay, by) < y + h && Math.max(ay, by) > y;
  });
}

function* candidates(way: EdgePath, width: number): Iterable<[Place, number]> {
  for (const [index, [bx, by]] of way.entries()) {
    const before = way[index - 1];
    if (!before) continue;
    const [ax, ay] = before;
    const level = ay === by;
    const length = Math.abs(ax - bx) + Math.abs(ay - by);
    const needed = level ? width + 12 : HIGH + 12;
    const late = index * 2;
    for (const part of [0.5, 0.35, 0.65, 0.2, 0.8]) {
      const place: Place = [ax + (bx - ax) * part, ay + (by - ay) * part];
      const off = Math.abs(part - 0.5) * 8;
      yield [place, late + off + (length < needed ? 60 + needed - length : 0)];
      if (level && length < needed) {
        yield [[place[0], place[1] - 40], late + off + 25];
        yield [[place[0], place[1] + 40], late + off + 27];
      }
    }
  }
}
