// Remembers how a graph was drawn: one that comes back by undo or redo is drawn as it was.
import type { Layout } from "./elk_graph";
import { buildScene } from "./scene";
import type { Scene } from "./scene";
import type { Types } from "../graph/spec";
import type { Spec } from "../graph/types";

const MOST = 40;

export class SceneMemory {
  private last: Scene | null = null;
  private drawn = new Map<string, { types: Types; layout: Layout | null; scene: Scene }>();

  draw(spec: Spec, types: Types, opened: ReadonlySet<string>, layout: Layout | null): Scene {
    const key = keyOf(spec, opened);
    const known = this.drawn.get(key);
    const same = known?.types === types && known.layout === layout;
    const scene = same ? known.scene : buildScene(spec, types, opened, layout, this.last);
    this.last = scene;
    this.drawn.delete(key);
    this.drawn.set(key, { types, layout, scene });
    const [oldest] = this.drawn.keys();
    if (this.drawn.size > MOST && oldest !== undefined) this.drawn.delete(oldest);
    return scene;
  }
}

// All that the drawing depends on; the name is left out, as the first change of a preset gives it another one.
function keyOf({ nodes, edges, positions, folds }: Spec, opened: ReadonlySet<string>): string {
  const types = Object.entries(nodes).map(([name, { type }]) => [name, type]);
  return JSON.stringify([types, edges, positions, folds ?? {}, [...opened].sort()]);
}
