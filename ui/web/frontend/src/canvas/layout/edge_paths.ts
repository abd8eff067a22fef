/* eslint-disable @typescript-eslint/no-non-null-assertion -- indices that lie within the arrays, in the innermost loops */
// Finds a path for each edge: on the grid, around the nodes, beside the paths that exist already.
import { MinHeap } from "./min_heap";
import { CELL, middleOf } from "./node_places";
import type { Box } from "./node_places";
import type { Place } from "../graph/types";

export interface Arc { id: string; source: string; target: string }
export type EdgePath = Place[];

const DX = [1, 0, -1, 0]; // right, down, left, up
const DY = [0, 1, 0, -1];
const MARGIN = 5;
const BEND = 4;
const CROSS = 3;
const SHARE = 16;
const TAKEN = 14;
const CLOSE = 0.8;

interface Slot { cell: number; side: number; at: Place; off: number; key: string }

// The paths of all edges, short ones first; those in `kept` do not change.
export function findEdgePaths(boxes: Box[], arcs: Arc[], kept: ReadonlyMap<string, EdgePath> = new Map()): Map<string, EdgePath> {
  const field = new Field(boxes);
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const found = new Map<string, EdgePath>();
  for (const arc of arcs) {
    const way = kept.get(arc.id);
    if (!way) continue;
    found.set(arc.id, way);
    field.occupy(way);
  }
  const open = arcs.filter((arc) => !kept.has(arc.id) && byId.has(arc.source) && byId.has(arc.target));
  const far = ({ source, target }: Arc) => apart(byId.get(source)!, byId.get(target)!);
  for (const arc of open.toSorted((one, other) => far(one) - far(other))) {
    const way = field.way(byId.get(arc.source)!, byId.get(arc.target)!);
    field.occupy(way);
    found.set(arc.id, way);
  }
  return found;
}

function apart(one: Box, other: Box): number {
  const [ax, ay] = middleOf(one);
  const [bx, by] = middleOf(other);
  return Math.abs(ax - bx) + Math.abs(ay - by);
}

class Field {
  private left: number;
  private top: number;
  private wide: number;
  private cells: number;
  private blocked: Uint8Array;
  private close: Uint8Array;
  private across: Uint8Array; // paths that go from a cell to the one at its right
  private down: Uint8Array; // and to the one below it
  private cost: Float64Array;
  private from: Int32Array;
  private taken = new Set<string>();

  constructor(boxes: Box[]) {
    const low = (values: number[]) => Math.floor(Math.min(0, ...values) / CELL) - MARGIN;
    const high = (values: number[]) => Math.ceil(Math.max(CELL, ...values) / CELL) + MARGIN;
    this.left = low(boxes.map((box) => box.x));
    this.top = low(boxes.map((box) => box.y));
    this.wide = high(boxes.map((box) => box.x + box.w)) - this.left + 1;
    this.cells = this.wide * (high(boxes.map((box) => box.y + box.h)) - this.top + 1);
    this.blocked = new Uint8Array(this.cells);
    this.close = new Uint8Array(this.cells);
    this.across = new Uint8Array(this.cells);
    this.down = new Uint8Array(this.cells);
    this.cost = new Float64Array(this.cells * 4);
    this.from = new Int32Array(this.cells * 4);
    for (const box of boxes) this.block(box);
  }

  private cell(x: number, y: number): number {
    return (Math.round(y / CELL) - this.top) * this.wide + Math.round(x / CELL) - this.left;
  }

  private place(cell: number): Place {
    return [((cell % this.wide) + this.left) * CELL, (Math.floor(cell / this.wide) + this.top) * CELL];
  }

  private block(box: Box): void {
    const first = Math.ceil(box.x / CELL) * CELL;
    for (let x = first - CELL; x <= box.x + box.w + CELL; x += CELL) {
      for (let y = Math.floor(box.y / CELL) * CELL; y <= box.y + box.h + CELL / 2; y += CELL) {
        const within = x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h;
        if (within) this.blocked[this.cell(x, y)] = 1;
        else this.close[this.cell(x, y)] = 1;
      }
    }
  }

  // Where a path may begin or end at a box, and the free cell before it.
  private slots(box: Box): Slot[] {
    const found: Slot[] = [];
    const add = (side: number, x: number, y: number, off: number) => {
      const out = (value: number, step: number) =>
        step > 0 ? Math.floor(value / CELL) * CELL + CELL : step < 0 ? Math.ceil(value / CELL) * CELL - CELL : value;
      const cell = this.cell(out(x, DX[side]!), out(y, DY[side]!));
      if (!this.blocked[cell]) found.push({ cell, side, at: [x, y], off, key: `${x} ${y}` });
    };
    const [mx, my] = middleOf(box);
    for (let x = Math.floor(box.x / CELL) * CELL + CELL; x < box.x + box.w; x += CELL) {
      add(3, x, box.y, Math.abs(x - mx) / CELL);
      add(1, x, box.y + box.h, Math.abs(x - mx) / CELL);
    }
    for (let y = Math.floor(box.y / CELL) * CELL + CELL; y < box.y + box.h; y += CELL) {
      add(2, box.x, y, Math.abs(y - my) / CELL);
      add(0, box.x + box.w, y, Math.abs(y - my) / CELL);
    }
    return found;
  }

  private slotCost(slot: Slot): number {
    return slot.off * 0.7 + (this.taken.has(slot.key) ? TAKEN : 0);
  }

  way(source: Box, target: Box): EdgePath {
    const begins = new Map<number, Slot>();
    const ends = new Map<number, Slot>();
    for (const slot of this.slots(source)) begins.set(slot.cell * 4 + slot.side, slot);
    for (const slot of this.slots(target)) ends.set(slot.cell * 4 + ((slot.side + 2) % 4), slot);
    const [last, end] = this.search(begins, ends, target);
    if (!end) return [middleOf(source), middleOf(target)];
    const cells: number[] = [];
    let state = last;
    for (;;) {
      cells.push(state >> 2);
      const before = this.from[state]!;
      if (before < 0) break;
      state = before;
    }
    const begin = begins.get(state)!;
    return straight([begin.at, ...cells.toReversed().map((cell) => this.place(cell)), end.at]);
  }

  private search(begins: Map<number, Slot>, ends: Map<number, Slot>, target: Box): [number, Slot | null] {
    this.cost.fill(Infinity);
    const heap = new MinHeap();
    const guess = (cell: number) => this.guess(cell, target);
    for (const [state, slot] of begins) {
      this.cost[state] = this.slotCost(slot);
      this.from[state] = -1;
      heap.push(state, this.cost[state] + guess(slot.cell));
    }
    let best = Infinity;
    let goal: [number, Slot | null] = [-1, null];
    const closed = new Set<number>();
    while (heap.size) {
      const state = heap.pop();
      if (closed.has(state)) continue;
      closed.add(state);
      const cell = state >> 2;
      const cost = this.cost[state]!;
      if (cost + guess(cell) >= best) break;
      for (let side = 0; side < 4; side++) {
        const end = ends.get(cell * 4 + side);
        const turned = side === (state & 3) ? 0 : BEND;
        if (end && (side + 2) % 4 !== (state & 3) && cost + turned + this.slotCost(end) < best) {
          best = cost + turned + this.slotCost(end);
          goal = [state, end];
        }
        this.step(state, cost, side, heap, guess);
      }
    }
    return goal;
  }

  private step(state: number, cost: number, side: number, heap: MinHeap, guess: (cell: number) => number): void {
    const cell = state >> 2;
    if ((side + 2) % 4 === (state & 3)) return;
    const column = cell % this.wide;
    if ((side === 0 && column === this.wide - 1) || (side === 2 && column === 0)) return;
    const next = cell + DX[side]! + DY[side]! * this.wide;
    if (next < 0 || next >= this.cells || this.blocked[next]) return;
    const level = side % 2 === 0;
    const along = level ? this.across : this.down;
    const athwart = level ? this.down : this.across;
    const back = level ? 1 : this.wide;
    let more = 1 + (side === (state & 3) ? 0 : BEND) + this.close[next]! * CLOSE;
    if (along[side < 2 ? cell : next]) more += SHARE;
    if (athwart[next] || athwart[next - (level ? this.wide : 1)]) more += CROSS;
    if (along[next] || along[next - back]) more += 1;
    const reached = cell !== next ? next * 4 + side : state;
    if (cost + more >= this.cost[reached]!) return;
    this.cost[reached] = cost + more;
    this.from[reached] = state;
    heap.push(reached, cost + more + guess(next));
  }

  private guess(cell: number, box: Box): number {
    const [x, y] = this.place(cell);
    const dx = Math.max(box.x - x, 0, x - box.x - box.w);
    const dy = Math.max(box.y - y, 0, y - box.y - box.h);
    return (dx + dy) / CELL - 1;
  }

  occupy(way: EdgePath): void {
    this.taken.add(`${way[0]![0]} ${way[0]![1]}`).add(`${way.at(-1)![0]} ${way.at(-1)![1]}`);
    for (let index = 1; index < way.length; index++) {
      const [ax, ay] = way[index - 1]!;
      const [bx, by] = way[index]!;
      const [count, step] = ay === by ? [this.across, 1] : [this.down, this.wide];
      const first = Math.min(this.cell(Math.ceil(ax / CELL) * CELL, Math.ceil(ay / CELL) * CELL), this.cell(Math.ceil(bx / CELL) * CELL, Math.ceil(by / CELL) * CELL));
      const length = Math.floor((Math.abs(ax - bx) + Math.abs(ay - by)) / CELL);
      for (let each = 0; each < length; each++) {
        const cell = first + each * step;
        if (cell >= 0 && cell < this.cells) count[cell] = 1;
      }
    }
  }
}

function straight(points: Place[]): Place[] {
  return points.filter((point, index) => {
    const before = points[index - 1];
    const after = points[index + 1];
    if (!before || !after) return true;
    const level = before[1] === point[1] && point[1] === after[1];
    const upright = before[0] === point[0] && point[0] === after[0];
    return !level && !upright;
  });
}

// An SVG path with round corners.
export function drawn(way: EdgePath, radius = 10): string {
  const [first, ...rest] = way;
  if (!first) return "";
  let text = `M${first[0]} ${first[1]}`;
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    if (!next) return void (text += `L${point[0]} ${point[1]}`);
    const before = index ? rest[index - 1]! : first;
    const near = toward(point, before, radius);
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
