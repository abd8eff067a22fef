// Layouts that were worked out beside the page, remembered by what was drawn.
import ELK from "elkjs/lib/elk-api";
import type { Drawn, Layout } from "./elk_graph";
import { layOut } from "./elk_layout";
import type { Engine } from "./elk_layout";

const MOST = 40; // layouts that are remembered
const NONE: Layout = { places: {}, routes: new Map() };

const known = new Map<string, Layout>();
let engine: Engine | null = null;

// The layout that is remembered of what is drawn, as JSON.
export function knownLayout(key: string): Layout | undefined {
  return known.get(key);
}

// Without elk every line goes from end to end on its own.
export async function layoutOf(key: string): Promise<Layout> {
  const before = known.get(key);
  if (before) return before;
  engine ??= new ELK({ workerFactory: () => new Worker(new URL("elk.js", import.meta.url)) });
  const layout = await layOut(engine, JSON.parse(key) as Drawn).catch(() => NONE);
  if (layout !== NONE) known.set(key, layout);
  const [oldest] = known.keys();
  if (known.size > MOST && oldest !== undefined) known.delete(oldest);
  return layout;
}
