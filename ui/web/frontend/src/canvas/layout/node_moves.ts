// Moves nodes. The first move in a graph without positions gives one to every node.
import { CELL } from "./node_places";
import type { Places } from "./node_places";
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
