// Takes empty room out of a drawing: what stands apart by more than a gap moves together, and nothing changes its order.
import type { EdgePath } from "./edge_line";
import type { Box } from "./node_places";

export type Squeeze = (at: number) => number;
type Range = readonly [number, number];

// Along an axis, by what takes room there: boxes, names, and the pieces of lines that run across it.
export function squeeze(axis: 0 | 1, boxes: readonly Box[], ways: readonly EdgePath[], gap: number): Squeeze {
  const ranges = [
    ...boxes.map(({ x, y, w, h }): Range => (axis ? [y, y + h] : [x, x + w])),
    ...ways.flatMap((way) => way.flatMap((point, at): Range[] => {
      const next = way[at + 1];
      return next && Math.abs(next[axis] - point[axis]) < 1 ? [[point[axis], next[axis]]] : [];
    })),
  ].map(([one, other]): Range => [Math.min(one, other), Math.max(one, other)]).sort(([one], [other]) => one - other);
  const cuts: { from: number; off: number }[] = [];
  let end = ranges[0]?.[0] ?? 0;
  let off = 0;
  for (const [low, high] of ranges) {
    if (low - end > gap) cuts.push({ from: low, off: off += low - end - gap });
    end = Math.max(end, high);
  }
  return (at) => {
    const cut = cuts.findLast(({ from }) => at >= from - 0.01);
    const next = cuts[cut ? cuts.indexOf(cut) + 1 : 0];
    const moved = at - (cut?.off ?? 0);
    return next ? Math.min(moved, next.from - next.off) : moved; // in the room that is taken out
  };
}
