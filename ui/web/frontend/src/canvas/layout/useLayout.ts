// The layout of a graph, worked out beside the page. Until it is done, the one before stays.
import { useEffect, useMemo, useState } from "react";
import type { Drawn, Layout } from "./elk_graph";
import { knownLayout, layoutOf } from "./layout_cache";

// The layout is null until there is a first one.
export function useLayout(drawn: Drawn): { layout: Layout | null; busy: boolean } {
  const key = useMemo(() => JSON.stringify(drawn), [drawn]);
  const [last, setLast] = useState<{ key: string; layout: Layout | null }>({ key: "", layout: null });
  useEffect(() => {
    let wanted = true;
    void layoutOf(key).then((layout) => { if (wanted) setLast({ key, layout }); });
    return () => { wanted = false; };
  }, [key]);
  return { layout: knownLayout(key) ?? last.layout, busy: !knownLayout(key) && last.key !== key };
}
