// Moves nodes. The first move in a graph without positions gives one to every node.
import { CELL } from "./node_places";
import type { Box, Places } from "./node_places";
import { overlap } from "./overlaps";
import { FOLD } from "./scene";
import type { Scene } from "./scene";
import type { Place, Spec } from "../graph/types";

export function moved(spec: Spec, scene: Scene, dragged: [string, Place][]): Spec {
  const places: Places = {};
  let any = false;
  for (const [id, place] of dragged) {
    const box = scene.boxes.get(id);
    if (!box) continue;
    const shift: Place = [rounded(place[0] - box.x), rounded(place[1] - box.y)];
    if (!shift[0] && !shift[1]) continue;
    any = true;
    for (const name of inside(spec, id)) {
      const [ox, oy] = scene.places[name] ?? [box.x, box.y];
      places[name] = [ox + shift[0], oy + shift[1]];
    }
  }
  return any ? { ...spec, positions: { ...scene.places, ...places } } : spec;
}

// As moved, and what the nodes were put on gives way, so that no box lies on another.
export function dropped(spec: Spec, scene: Scene, dragged: [string, Place][]): Spec {
  const next = moved(spec, scene, dragged);
  if (next === spec) return spec;
  const boxes = new Map([...scene.boxes].map(([id, box]): [string, Box] => {
    const [x, y] = next.positions[inside(spec, id)[0] ?? id] ?? [box.x, box.y];
    return [id, { ...box, x, y }];
  }));
  const settled = dragged.flatMap(([id]) => boxes.get(id) ?? []);
  const positions = { ...next.positions };
  for (const pusher of settled) { // grows while it is gone through: what was pushed pushes on
    for (const box of boxes.values()) {
      if (settled.some(({ id }) => id === box.id) || !overlap(pusher, box)) continue;
      const [dx, dy] = waysOff(box, settled).toSorted((one, other) => Math.hypot(...one) - Math.hypot(...other))[0] ?? [0, 0];
      settled.push({ ...box, x: box.x + dx, y: box.y + dy });
      for (const name of inside(spec, box.id)) {
        const [x, y] = positions[name] ?? [box.x, box.y];
        positions[name] = [x + dx, y + dy];
      }
    }
  }
  return { ...next, positions };
}

const around = ({ id, x, y, w, h }: Box): Box => ({ id, x: x - CELL + 1, y: y - CELL + 1, w: w + 2 * CELL - 2, h: h + 2 * CELL - 2 });

// To each of the four sides, as far as a box has to go until it is off all that stands.
function waysOff(box: Box, standing: readonly Box[]): Place[] {
  return ([[1, 0], [-1, 0], [0, 1], [0, -1]] as const).map(([right, down]): Place => {
    let [dx, dy] = [0, 0];
    for (;;) {
      const on = standing.find((other) => overlap(around(other), { ...box, x: box.x + dx, y: box.y + dy }));
      if (!on) return [dx, dy];
      dx += right * CELL;
      dy += down * CELL;
    }
  });
}

const rounded = (way: number) => Math.round(way / CELL) * CELL;

function inside(spec: Spec, id: string): string[] {
  return id.startsWith(FOLD) ? (spec.folds?.[id.slice(FOLD.length)] ?? []) : [id];
}

export function nudged(spec: Spec, scene: Scene, ids: Iterable<string>, [dx, dy]: Place): Spec {
  return moved(spec, scene, [...ids].flatMap((id) => {
    const box = scene.boxes.get(id);
    return box ? [[id, [box.x + dx * CELL, box.y + dy * CELL]] as [string, Place]] : [];
  }));
}
