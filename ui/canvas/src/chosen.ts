// What is selected: told to Python by the names of nodes, and taken from there.
import { useCallback, useEffect, useState } from "react";
import type { Chosen } from "./model";
import { FOLD } from "./scene";
import type { Scene } from "./scene";
import type { Store } from "./store";

export function useChosen(store: Store, scene: Scene): { chosen: Chosen; choose: (nodes: string[], edges?: string[]) => void } {
  const [chosen, setChosen] = useState<Chosen>({ nodes: new Set(store.selection ?? []), edges: new Set() });
  const choose = useCallback((nodes: string[], edges: string[] = []) => {
    setChosen({ nodes: new Set(nodes), edges: new Set(edges) });
    store.select(edges.length ? edges : nodes.filter((name) => name in store.spec.nodes));
  }, [store]);
  useEffect(() => {
    const wanted = store.selection;
    if (!wanted) return;
    store.selection = null;
    setChosen({
      nodes: new Set(wanted.map((name) => scene.folded.get(name) ?? name)),
      edges: new Set(wanted.filter((name) => store.spec.edges.includes(name))),
    });
  }, [store, store.selection, scene]);
  useEffect(() => {
    // What is gone is not selected any more.
    const nodes = [...chosen.nodes].filter((id) => scene.boxes.has(id) || id.startsWith(FOLD));
    const edges = [...chosen.edges].filter((id) => scene.lines.some((line) => line.id === id));
    if (nodes.length !== chosen.nodes.size || edges.length !== chosen.edges.size) choose(nodes, edges);
  }, [scene, chosen, choose]);
  return { chosen, choose };
}
