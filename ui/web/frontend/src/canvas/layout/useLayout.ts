// The layout of a graph, worked out beside the page. Until it is done, the one before stays.
import { useEffect, useMemo, useState } from "react";
import ELK from "elkjs/lib/elk-api";
import type { Drawn, Layout } from "./elk_graph";
import { layOut } from "./elk_layout";
import type { Engine } from "./elk_layout";

const MOST = 40; // layouts that are remembered
const NONE: Layout = { places: {}, routes: new Map() };

const known = new Map<string, Layout>();
let engine: Engine | null = null;

// The layout is null until there is a first one; without elk every line goes from end to end on its own.
export function useLayout(drawn: Drawn): { layout: Layout | null; busy: boolean } {
  const key = useMemo(() => JSON.stringify(drawn), [drawn]);
  const [last, setLast] = useState<{ key: string; layout: Layout | null }>({ key: "", layout: null });
  useEffect(() => {
    let wanted = true;
    void layoutOf(key).then((layout) => { if (wanted) setLast({ key, layout }); });
    return () => { wanted = false; };
  }, [key]);
  return { layout: known.get(key) ?? last.layout, busy: !known.has(key) && last.key !== key };
}

async function layoutOf(key: string): Promise<Layout> {
  const before = known.get(key);
  if (before) return before;
  engine ??= new ELK({ workerFactory: () => new Worker(new URL("elk.js", import.meta.url)) });
  const layout = await layOut(engine, JSON.parse(key) as Drawn).catch(() => NONE);
  if (layout !== NONE) known.set(key, layout);
  const [oldest] = known.keys();
  if (known.size > MOST && oldest !== undefined) known.delete(oldest);
  return layout;
}
