// The selection: sent to Python as names of nodes or the text of an edge, and received from there.
import { useCallback, useEffect, useRef, useState } from "react";
import type { EdgeChange, NodeChange } from "@xyflow/react";
import type { LineEdge } from "../nodes/EdgeLine";
import { selectionOf } from "../graph/clipboard";
import type { Chosen } from "../layout/flow_model";
import type { BoxNode } from "../nodes/NodeBox";
import type { Scene } from "../layout/scene";
import type { Store } from "../store";

const CALM = 60; // milliseconds: a frame drawn around nodes selects them one by one

interface Choosing {
  chosen: Chosen;
  choose: (nodes: string[], edges?: string[]) => void;
  follow: (changes: (NodeChange<BoxNode> | EdgeChange<LineEdge>)[], edges: boolean) => void;
}

export function useSelection(store: Store, scene: Scene): Choosing {
  const [chosen, setChosen] = useState<Chosen>({ nodes: new Set(), edges: new Set() });
  const choose = useCallback((nodes: string[], edges: string[] = []) => {
    setChosen({ nodes: new Set(nodes), edges: new Set(edges) });
  }, []);
  const follow = useCallback<Choosing["follow"]>((changes, edges) => {
    const picked = changes.filter((change) => change.type === "select");
    if (!picked.length) return;
    setChosen((old) => {
      const next = new Set(edges ? old.edges : old.nodes);
      for (const { id, selected } of picked) {
        if (selected) next.add(id);
        else next.delete(id);
      }
      return edges ? { ...old, edges: next } : { ...old, nodes: next };
    });
  }, []);
  useReportSelection(store, chosen);
  useEffect(() => {
    const wanted = store.selection;
    if (!wanted) return;
    store.selection = null;
    choose(
      wanted.filter((name) => name in store.spec.nodes).map((name) => scene.folded.get(name) ?? name),
      wanted.filter((name) => store.spec.edges.includes(name)),
    );
  });
  useEffect(() => {
    // What was deleted is no longer selected.
    setChosen((old) => {
      const nodes = [...old.nodes].filter((id) => scene.boxes.has(id));
      const edges = [...old.edges].filter((id) => scene.lines.some((line) => line.id === id));
      const same = nodes.length === old.nodes.size && edges.length === old.edges.size;
      return same ? old : { nodes: new Set(nodes), edges: new Set(edges) };
    });
  }, [scene]);
  return { chosen, choose, follow };
}

function useReportSelection(store: Store, chosen: Chosen): void {
  const first = useRef(true);
  useEffect(() => {
    if (first.current) return void (first.current = false);
    const timer = setTimeout(() => {
      const edges = [...chosen.edges].filter((id) => store.spec.edges.includes(id));
      store.select(edges.length ? edges : selectionOf(store.spec, chosen));
    }, CALM);
    return () => clearTimeout(timer);
  }, [store, chosen]);
}
