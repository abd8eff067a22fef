// The selection: sent to Python as names of nodes or the text of an edge, and received from there.
import { useCallback, useEffect, useRef, useState } from "react";
import type { EdgeChange, NodeChange } from "@xyflow/react";
import type { LineEdge } from "../nodes/EdgeLine";
import { chosenAfter, selectionOf } from "../graph/clipboard";
import { noteName } from "../graph/notes";
import type { Chosen } from "../layout/flow_model";
import type { BoxNode } from "../nodes/NodeBox";
import type { Scene } from "../layout/scene";
import type { Store } from "../store";

const CALM = 60; // milliseconds: a frame drawn around nodes selects them one by one

type Change = NodeChange<BoxNode> | EdgeChange<LineEdge>;

interface Choosing {
  chosen: Chosen;
  choose: (nodes: string[], edges?: string[]) => void;
  follow: (changes: Change[], edges: boolean) => void;
  frame: (framing: boolean) => void; // a frame is being drawn around nodes
}

export function useSelection(store: Store, scene: Scene): Choosing {
  const [chosen, setChosen] = useState<Chosen>({ nodes: new Set(), edges: new Set() });
  const choose = useCallback((nodes: string[], edges: string[] = []) => {
    setChosen({ nodes: new Set(nodes), edges: new Set(edges) });
  }, []);
  const framing = useRef(false);
  const frame = useCallback((on: boolean) => { framing.current = on; }, []);
  const follow = useCallback<Choosing["follow"]>((changes, edges) => {
    const picked = changes.filter((change) => change.type === "select");
    const framed = framing.current;
    if (picked.length) setChosen((old) => chosenAfter(old, picked, edges, framed));
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
      const nodes = [...old.nodes].filter((id) => scene.boxes.has(id) || noteName(id) in (store.spec.notes ?? {}));
      const edges = [...old.edges].filter((id) => scene.lines.some((line) => line.id === id));
      const same = nodes.length === old.nodes.size && edges.length === old.edges.size;
      return same ? old : { nodes: new Set(nodes), edges: new Set(edges) };
    });
  }, [scene, store]);
  return { chosen, choose, follow, frame };
}

function useReportSelection(store: Store, chosen: Chosen): void {
  const first = useRef(true);
  useEffect(() => {
    if (first.current) return void (first.current = false);
    const timer = setTimeout(() => {
      const names = selectionOf(store.spec, chosen);
      store.select(names.length ? names : [...chosen.edges].filter((id) => store.spec.edges.includes(id)));
    }, CALM);
    return () => clearTimeout(timer);
  }, [store, chosen]);
}
