// Remembers how a graph was drawn: one that comes back by undo or redo is drawn as it was.
import { buildScene } from "./scene";
import type { Scene } from "./scene";
import type { Types } from "../graph/spec";
import type { Spec } from "../graph/types";

const MOST = 40;

export class SceneMemory {
  private last: { about: string; scene: Scene } | null = null;
  private drawn = new Map<string, { types: Types; scene: Scene }>();

  draw(spec: Spec, types: Types, opened: ReadonlySet<string>, aspect: number): Scene {
    const about = `${spec.name} ${aspect}`;
    const before = this.last?.about === about ? this.last.scene : null;
    const key = keyOf(spec, opened, aspect);
    const known = this.drawn.get(key);
    const scene = known?.types === types ? known.scene : buildScene(spec, types, opened, aspect, before);
    this.last = { about, scene };
    this.drawn.delete(key);
    this.drawn.set(key, { types, scene });
    const [oldest] = this.drawn.keys();
    if (this.drawn.size > MOST && oldest !== undefined) this.drawn.delete(oldest);
    return scene;
  }
}

// All that the drawing depends on; the name is left out, as the first change of a preset gives it another one.
function keyOf({ nodes, edges, positions, folds }: Spec, opened: ReadonlySet<string>, aspect: number): string {
  const types = Object.entries(nodes).map(([name, { type }]) => [name, type]);
  return JSON.stringify([types, edges, positions, folds ?? {}, [...opened].sort(), aspect]);
}
