// Counts where lines of a drawing cross or lie on each other.
import type { Place } from "../graph/types";

type Piece = readonly [Place, Place];
type Range = [number, number];

const NEAR = 0.5;

export function countCrossings(ways: readonly Place[][]): number {
  let count = 0;
  ways.forEach((way, at) => {
    for (const other of ways.slice(at + 1)) {
      for (const one of piecesOf(way)) count += piecesOf(other).filter((two) => meet(one, two)).length;
    }
  });
  return count;
}

function piecesOf(way: readonly Place[]): Piece[] {
  return way.slice(1).map((point, at): Piece => [way[at] ?? point, point]);
}

// Pieces are level or upright. Ends that touch are no crossing.
function meet(one: Piece, other: Piece): boolean {
  const fits = isLevel(one) === isLevel(other) ? overlap : within;
  return [0, 1].every((axis) => fits(range(one, axis), range(other, axis)));
}

function range([[ax, ay], [bx, by]]: Piece, axis: number): Range {
  return axis ? [Math.min(ay, by), Math.max(ay, by)] : [Math.min(ax, bx), Math.max(ax, bx)];
}

const isLevel = ([[, ay], [, by]]: Piece) => Math.abs(ay - by) < NEAR;

// Along the line they share more than a point; across it they lie on each other.
function overlap([low, high]: Range, [from, to]: Range): boolean {
  const flat = high - low < NEAR && to - from < NEAR;
  return flat ? Math.abs(low - from) < NEAR : Math.min(high, to) - Math.max(low, from) > 1;
}

// The one that is a point on this axis lies well within the other.
function within([low, high]: Range, [from, to]: Range): boolean {
  return high - low < NEAR ? low > from + NEAR && low < to - NEAR : from > low + NEAR && from < high - NEAR;
}
