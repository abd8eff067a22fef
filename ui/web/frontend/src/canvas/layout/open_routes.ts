// Where the routes that lead to no node stand: at the side of their node where they cover least.
import { labelWidth } from "./elk_graph";
import type { Box } from "./node_places";
import { labelBox, overlap, runsThrough } from "./overlaps";
import type { Line, Port } from "./scene";
import { lostTarget, openRoutes } from "../graph/spec";
import type { Types } from "../graph/spec";
import { REMOVED } from "../graph/removed_nodes";
import { START } from "../graph/types";
import type { Spec } from "../graph/types";

const STEP = 26;
const STUB = 14;
const CHIP = 23;
const COVERED = { box: 10, name: 4, line: 1 };
const SIDES = [{ side: 0, dear: 0 }, { side: 2, dear: 0.2 }, { side: 1, dear: 0.5 }, { side: 3, dear: 0.7 }]; // right, left, below, above

export const portOf = (source: string, route: string): string => `${source}.${route}`;

export function openPorts(spec: Spec, types: Types, boxes: Map<string, Box>, folded: Map<string, string>, lines: Line[]): Map<string, Port[]> {
  const found = new Map<string, Port[]>();
  const taken = [...boxes.values()];
  const names = lines.map(labelBox);
  for (const name of [START, ...Object.keys(spec.nodes)]) {
    const box = boxes.get(name);
    const routes = openRoutes(spec, name, types);
    if (!box || folded.has(name) || !routes.length || spec.nodes[name]?.type === REMOVED) continue;
    const lost = (route: string) => lostTarget(spec, name, route);
    const cost = (side: number) => chipsAt(box, routes, side, lost).reduce((sum, chip) => sum
      + COVERED.box * taken.filter((other) => other !== box && overlap(chip, other)).length
      + COVERED.name * names.filter((other) => overlap(chip, other)).length
      + COVERED.line * lines.filter(({ way }) => runsThrough(way, chip)).length, 0) / routes.length;
    const [{ side } = { side: 0 }] = name === START ? [{ side: 1 }] : SIDES.toSorted((one, other) => cost(one.side) + one.dear - cost(other.side) - other.dear);
    taken.push(...chipsAt(box, routes, side, lost));
    found.set(name, portsAt(box, routes, side).map((port) => ({ ...port, lost: lost(port.route) })));
  }
  return found;
}

// Below each other, in the middle of a side; above a node they rise.
function portsAt(box: Box, routes: string[], side: number): Port[] {
  const first = box.h / 2 - ((routes.length - 1) * STEP) / 2;
  return routes.map((route, index) => {
    const id = portOf(box.id, route);
    if (side === 0 || side === 2) return { id, route, side, x: side === 0 ? box.w : 0, y: first + index * STEP };
    return { id, route, side, x: box.w / 2, y: side === 1 ? box.h + index * STEP : -index * STEP };
  });
}

// What the names of open routes cover.
export function chipsAt(box: Box, routes: string[], side: number, lost: (route: string) => string = () => ""): Box[] {
  return portsAt(box, routes, side).map(({ route, x, y }) => {
    const w = labelWidth(route) + (lost(route) ? labelWidth(lost(route)) : 0);
    const left = side === 0 ? x + STUB : side === 2 ? x - STUB - w : x - w / 2;
    const top = side === 1 ? y + STUB : side === 3 ? y - STUB - CHIP : y - CHIP / 2;
    return { id: "", x: box.x + left, y: box.y + top, w, h: CHIP };
  });
}
