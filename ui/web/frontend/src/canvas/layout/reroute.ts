// A way for a line that was not laid out: level and upright pieces around the boxes, the names and the other lines.
import type { EdgePath, Port } from "./edge_line";
import { labelWidth } from "./elk_graph";
import type { Box } from "./node_places";
import { LABEL, labelAt, overlap, runsThrough } from "./overlaps";
import type { Place } from "../graph/types";

export interface Taken { boxes: Box[]; names: Box[]; ways: EdgePath[] }
export interface End { at: Place; side: Port["side"] }

const OUT = 18; // how far a line runs straight out of a box
const LANES = [14, 26]; // beside a box
const FAR = 320; // what is farther away than this from both ends is not looked at
const DEAR = { box: 4000, name: 160, along: 120, cross: 36, bend: 34 };
const STEPS: Place[] = [[1, 0], [0, 1], [-1, 0], [0, -1]]; // as the sides are numbered
const BESIDE = 6; // how close a line runs along another one
const COVERED = 20; // what it costs a name to lie on a box or a name
const BETWEEN = 10; // where a name is tried along its line

export function reroute(source: End, target: End, all: Taken): EdgePath {
  const [from, to] = [stub(source), stub(target)];
  const near = around(from, to, all);
  const [xs, ys] = [0, 1].map((axis) => lanes(axis, [from, to], near.boxes));
  const middle = cheapest(xs ?? [], ys ?? [], { from, to, first: source.side, last: (target.side + 2) % 4 }, near);
  return straightened([source.at, ...middle, target.at]);
}

const stub = ({ at: [x, y], side }: End): Place => [x + (STEPS[side]?.[0] ?? 0) * OUT, y + (STEPS[side]?.[1] ?? 0) * OUT];

function around([ax, ay]: Place, [bx, by]: Place, { boxes, names, ways }: Taken): Taken {
  const frame = { id: "", x: Math.min(ax, bx) - FAR, y: Math.min(ay, by) - FAR, w: Math.abs(ax - bx) + 2 * FAR, h: Math.abs(ay - by) + 2 * FAR };
  return { boxes: boxes.filter((box) => overlap(box, frame)), names: names.filter((name) => overlap(name, frame)), ways: ways.filter((way) => runsThrough(way, frame)) };
}

// The coordinates at which a line may run: those of its ends, between them, and beside each box.
function lanes(axis: number, ends: Place[], boxes: Box[]): number[] {
  const at = ends.map((end) => end[axis] ?? 0);
  const beside = boxes.flatMap(({ x, y, w, h }) => {
    const [low, high] = axis ? [y, y + h] : [x, x + w];
    return LANES.flatMap((away) => [low - away, high + away]);
  });
  return [...new Set([...at, at.reduce((sum, each) => sum + each, 0) / 2, ...beside].map(Math.round).concat(at))].sort((one, other) => one - other);
}

interface Goal { from: Place; to: Place; first: number; last: number }
interface Stand { key: number; cost: number }
interface Piece { box: Box; level: boolean } // of another line

// A* over the crossings of the lanes, by the length that is left at least. A stand is a crossing and the direction in
// which it was reached.
function cheapest(xs: number[], ys: number[], { from, to, first, last }: Goal, taken: Taken): EdgePath {
  const place = (key: number): Place => [xs[Math.floor(key / 4) % xs.length] ?? 0, ys[Math.floor(key / 4 / xs.length)] ?? 0];
  const keyOf = (x: number, y: number, way: number) => (y * xs.length + x) * 4 + way;
  const start = keyOf(xs.indexOf(from[0]), ys.indexOf(from[1]), first);
  const goal = Math.floor(keyOf(xs.indexOf(to[0]), ys.indexOf(to[1]), 0) / 4);
  const ahead = (key: number): number => { const [x, y] = place(key); return Math.abs(x - to[0]) + Math.abs(y - to[1]); };
  const pieces = piecesOf(taken.ways);
  const costs = new Map([[start, 0]]);
  const before = new Map<number, number>();
  const known = new Map<number, number>();
  const queue = new Heap();
  const done = new Set<number>();
  queue.add({ key: start, cost: ahead(start) });
  for (let here = queue.take(); here; here = queue.take()) {
    const { key } = here;
    if (done.has(key)) continue;
    done.add(key);
    const cost = costs.get(key) ?? 0;
    const spot = Math.floor(key / 4);
    if (spot === goal) return traced(before, key, place);
    const [x, y] = [spot % xs.length, Math.floor(spot / xs.length)];
    STEPS.forEach(([dx, dy], way) => {
      if (way === (key % 4 + 2) % 4 || x + dx < 0 || y + dy < 0 || x + dx >= xs.length || y + dy >= ys.length) return;
      const next = keyOf(x + dx, y + dy, way);
      let piece = known.get(next);
      if (piece === undefined) known.set(next, piece = dearness(place(key), place(next), taken, pieces));
      const turns = Number(way !== key % 4) + Number(Math.floor(next / 4) === goal && way !== last) * (way === (last + 2) % 4 ? 4 : 1);
      const sum = cost + piece + DEAR.bend * turns;
      if (sum >= (costs.get(next) ?? Infinity)) return;
      costs.set(next, sum);
      before.set(next, key);
      queue.add({ key: next, cost: sum + ahead(next) });
    });
  }
  return [from, to];
}

function traced(before: Map<number, number>, end: number, place: (key: number) => Place): EdgePath {
  const way: EdgePath = [];
  for (let key: number | undefined = end; key !== undefined; key = before.get(key)) way.unshift(place(key));
  return way;
}

// The length of a piece, and what it runs through or along.
function dearness(from: Place, to: Place, { boxes, names }: Taken, pieces: readonly Piece[]): number {
  const piece = [from, to];
  const level = from[1] === to[1];
  const [w, h] = [Math.abs(from[0] - to[0]), Math.abs(from[1] - to[1])];
  const beside = { id: "", x: Math.min(from[0], to[0]) - BESIDE, y: Math.min(from[1], to[1]) - BESIDE, w: w + 2 * BESIDE, h: h + 2 * BESIDE };
  let sum = w + h;
  for (const box of boxes) if (runsThrough(piece, box)) sum += DEAR.box;
  for (const name of names) if (runsThrough(piece, name, 2)) sum += DEAR.name;
  for (const other of pieces) if (overlap(beside, other.box)) sum += other.level === level ? DEAR.along : DEAR.cross;
  return sum;
}

function piecesOf(ways: readonly EdgePath[]): Piece[] {
  return ways.flatMap((way) => way.slice(1).map(([bx, by], at) => {
    const [ax, ay] = way[at] ?? [bx, by];
    return { box: { id: "", x: Math.min(ax, bx) - 0.1, y: Math.min(ay, by) - 0.1, w: Math.abs(bx - ax) + 0.2, h: Math.abs(by - ay) + 0.2 }, level: Math.abs(by - ay) < 1 };
  }));
}

// Without the corners at which a line does not turn.
function straightened(way: EdgePath): EdgePath {
  return way.filter(([x, y], at) => {
    const [before, after] = [way[at - 1], way[at + 1]];
    if (!before || !after) return true;
    return !((before[0] === x && x === after[0]) || (before[1] === y && y === after[1]));
  });
}

// Where the name of a line stands: on it, near its beginning, where it covers least.
export function nameOnWay(way: EdgePath, text: string, { boxes, names, ways }: Taken): { at: Place; covers: boolean } {
  const w = text ? labelWidth(text) : 0;
  let best: Place = way[Math.floor(way.length / 2)] ?? [0, 0];
  let least = Infinity;
  way.slice(1).forEach(([bx, by], at) => {
    const [ax, ay] = way[at] ?? [bx, by];
    const length = Math.abs(ax - bx) + Math.abs(ay - by);
    const short = length < (ay === by ? w : LABEL) ? 3 : 0;
    const count = Math.max(2, Math.round(length / BETWEEN));
    for (let step = 0; step <= count; step++) {
      const part = step / count;
      const spot: Place = [ax + (bx - ax) * part, ay + (by - ay) * part];
      const box = labelAt(spot, w);
      const cost = short + 0.4 * at + Math.abs(part - 0.5) + (ay === by ? 0 : 0.3)
        + COVERED * boxes.filter((other) => overlap(box, other)).length + COVERED * names.filter((other) => overlap(box, other)).length
        + 6 * ways.filter((other) => runsThrough(other, box, 1)).length;
      if (cost < least) [least, best] = [cost, spot];
    }
  });
  return { at: best, covers: w > 0 && least >= COVERED };
}

class Heap {
  private all: Stand[] = [];

  add(one: Stand): void {
    let at = this.all.push(one) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const above = this.all[up];
      if (!above || above.cost <= one.cost) break;
      this.all[at] = above;
      at = up;
    }
    this.all[at] = one;
  }

  take(): Stand | undefined {
    const [first] = this.all;
    const last = this.all.pop();
    if (!first || !last || !this.all.length) return first;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      const [left, right] = [this.all[down], this.all[down + 1]];
      if (right && left && right.cost < left.cost) down += 1;
      const below = this.all[down];
      if (!below || below.cost >= last.cost) break;
      this.all[at] = below;
      at = down;
    }
    this.all[at] = last;
    return first;
  }
}
