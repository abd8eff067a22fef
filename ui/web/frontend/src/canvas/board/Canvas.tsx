// Draws the graph of the store, and changes it.
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { applyNodeChanges, Background, BackgroundVariant, MiniMap, ReactFlow, ReactFlowProvider, useReactFlow, useStore as useFlow, ViewportPortal } from "@xyflow/react";
import type { EdgeChange, NodeChange, OnNodeDrag } from "@xyflow/react";
import { ActProvider } from "./canvas_context";
import type { Act } from "./canvas_context";
import { AddMenu } from "./AddMenu";
import type { Pulled } from "./AddMenu";
import { ArrowHeads } from "./ArrowHeads";
import { ConnectForm } from "./ConnectForm";
import type { From } from "./ConnectForm";
import { Controls } from "./Controls";
import { EdgeLine } from "../nodes/EdgeLine";
import type { LineEdge } from "../nodes/EdgeLine";
import { useKeys } from "./useKeys";
import { showsAll, useFit, useFollow, useSheetRoom } from "./useFit";
import type { Anchor } from "./useFit";
import { useSplice } from "./useSplice";
import type { Aim } from "./useSplice";
import { linkingOf } from "./linking";
import { GroupFrame } from "../nodes/GroupFrame";
import type { Led } from "../graph/links";
import { withRemoved } from "../graph/removed_nodes";
import { flowEdges, flowFrames, flowNodes, flowNotes } from "../layout/flow_model";
import { NoteBox } from "../nodes/NoteBox";
import { labelBox } from "../layout/overlaps";
import { addedNote, changedNote, freeNotePlace, noteName, notesOf } from "../graph/notes";
import { NodeBox } from "../nodes/NodeBox";
import type { BoxNode } from "../nodes/NodeBox";
import { Palette } from "./Palette";
import { FAR, farClass, farZoom, leastLetters, nameLetters } from "./letters";
import { useRoom } from "./useRoom";
import { useSettling } from "./useSettling";
import { CELL, isPlaced, NODE } from "../layout/node_places";
import { dropped } from "../layout/node_moves";
import { inRows, inRowsOf } from "../layout/rows";
import { drawnOf } from "../layout/scene";
import { SceneMemory } from "../layout/scene_memory";
import { useLayout } from "../layout/useLayout";
import { reuseEqualParts } from "../graph/shared_structure";
import { SelectionBar } from "./SelectionBar";
import { useStore } from "../store";
import type { Store } from "../store";
import { useSelection } from "./useSelection";
import type { RunOverlay } from "../run/run_overlay";
import type { Place } from "../graph/types";
import { RefusalHint } from "./RefusalHint";
import type { Said } from "./RefusalHint";
import { say } from "../../shared/language";
import { useRemembered } from "../../shared/remembered";

const NODES = { box: NodeBox, frame: GroupFrame, note: NoteBox };
const EDGES = { line: EdgeLine };
const SEVERAL = ["Shift", "Meta", "Control"];
const ZOOMING = ["Control", "Meta"];
const MAP = { width: 132, height: 66 };
const ALONE = { hideAttribution: true };

export function Canvas({ store, lights = null }: { store: Store; lights?: RunOverlay | null }) {
  return <ReactFlowProvider><Board store={useStore(store)} lights={lights} /></ReactFlowProvider>;
}

function Board({ store, lights }: { store: Store; lights: RunOverlay | null }) {
  const { data, spec } = store;
  const zoom = useFlow((flow) => farZoom(flow.transform[2]));
  const far = zoom < FAR;
  const root = useRef<HTMLDivElement>(null);
  const [labels, setLabels] = useState<HTMLElement | null>(null);
  const [laid, setLaid] = useState(0);
  const [said, setSaid] = useState<Said>({ text: "", at: null });
  const [naming, rename] = useState<string | null>(null);
  const [from, setFrom] = useState<From | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const types = useMemo(() => new Map(data.types.map((type) => [type.name, type])), [data.types]);
  const shown = useMemo(() => withRemoved(spec, data.diff), [spec, data.diff]);
  const graph = useMemo(() => drawnOf(shown, opened), [shown, opened]);
  const { layout: row, busy } = useLayout(graph);
  const room = useRoom(root);
  const layout = useMemo(() => row && room && (isPlaced(shown) ? inRowsOf(row, graph, shown.positions) : inRows(row, graph, room)), [row, room, graph, shown]);
  const [memory] = useState(() => new SceneMemory());
  const drawn = useMemo(() => memory.draw(shown, types, opened, layout), [memory, shown, types, opened, layout]);
  const scene = useMemo(() => ({ ...drawn, notes: notesOf(shown).map(([id, { place: [x, y, w, h] }]) => ({ id, x, y, w, h })) }), [drawn, shown.notes]); // eslint-disable-line react-hooks/exhaustive-deps -- only its notes matter
  store.places = scene.places;
  const whole = useFlow(({ transform, width, height }) => showsAll(scene, transform, [width, height]));
  const palette = usePalette(data);
  const { chosen, choose, follow, frame } = useSelection(store, scene);
  const fresh = useMemo(
    () => (layout ? [...flowNotes(shown, data), ...flowFrames(shown, scene, opened), ...flowNodes(shown, scene, types, data, lights)] : []) as BoxNode[],
    [shown, scene, layout, types, data, opened, lights],
  );
  const named = useMemo(() => fresh.map((node) => (node.id === naming ? { ...node, data: { ...node.data, naming: true } } : node)), [fresh, naming]);
  const [nodes, setNodes] = useState<BoxNode[]>([]);
  useEffect(() => setNodes((old) => kept(old, named)), [named]);
  useEffect(() => setNodes((old) => marked(old, chosen.nodes)), [named, chosen]);
  const lines = useEdges(useMemo(() => (layout ? flowEdges(shown, scene, types, data, lights) : []), [shown, scene, layout, types, data, lights]));
  const [pointed, setPointed] = useState("");
  const about = useMemo(() => new Set([...chosen.nodes, ...(pointed ? [pointed] : [])]), [chosen, pointed]);

  const connectFrom = useCallback((source: string, route?: string) => setFrom({ source, route }), []);
  const toggleFold = useCallback((fold: string) => setOpened((old) => toggled(old, fold)), []);
  const announce = useCallback((text: string, at: Place | null = null) => setSaid({ text, at }), []);
  const led = useRef<Led | null>(null);
  const flow = useReactFlow();
  const [pulled, setPulled] = useState<Pulled | null>(null);
  const pullTo = useCallback((source: string, route: string, corner: Place) => {
    const { x, y, zoom } = flow.getViewport();
    setPulled({ source, route, corner, at: [(corner[0] - x) / zoom, (corner[1] - y) / zoom - NODE.h / 2] });
  }, [flow]);
  const linking = useMemo(() => linkingOf(store, types, led, announce, choose, pullTo), [store, types, announce, choose, pullTo]);
  const pull = useCallback((source: string, route: string) => {
    const box = scene.boxes.get(source);
    const { x, y, zoom } = flow.getViewport();
    if (box) setPulled({ source, route, at: [box.x + box.w + 5 * CELL, box.y], corner: [(box.x + box.w + CELL) * zoom + x, box.y * zoom + y] });
  }, [flow, scene]);
  const addNote = useCallback((at?: Place) => {
    const board = root.current?.querySelector(".board")?.getBoundingClientRect();
    const { x, y } = flow.screenToFlowPosition({ x: (board?.left ?? 0) + (board?.width ?? 0) / 2 - 90, y: (board?.top ?? 0) + 80 });
    const [next, id] = addedNote(store.spec, at ?? freeNotePlace([...scene.boxes.values(), ...scene.notes, ...scene.lines.map(labelBox)], [x, y]));
    store.edit(next);
    choose([id]);
    rename(id);
  }, [flow, store, choose, scene]);
  const anchor = useRef<Anchor | null>(null);
  const carried = useRef("");
  const { aim, splice } = useSplice({ store, types, scene, root, anchor, choose, announce });
  const edges = useMemo(() => lit(marked(lines, chosen.edges), about, aim).map((edge) => held(edge, store)), [lines, chosen, about, aim, store]);
  const pointing = edges.some((edge) => edge.className);
  const act = useMemo<Act>(
    () => ({ store, types, root, labels, connectFrom, announce, rename, toggleFold, choose, linking, splice, carried, anchor, addNote, pull }),
    [store, types, labels, connectFrom, announce, toggleFold, choose, linking, splice, addNote, pull],
  );

  const change = useCallback((changes: NodeChange<BoxNode>[]) => {
    follow(changes, false);
    const placed = changes.filter((each) => each.type === "position" || each.type === "dimensions");
    if (placed.length) setNodes((old) => applyNodeChanges(placed, old));
  }, [follow]);
  const drop = useCallback((dragged: BoxNode[]) => {
    store.release();
    const notes = dragged.filter(({ id }) => noteName(id)).reduce((spec, { id, position: { x, y } }) => {
      const [,, width, height] = spec.notes?.[noteName(id)]?.place ?? [0, 0, 0, 0];
      return changedNote(spec, id, { place: [Math.round(x), Math.round(y), width, height] });
    }, store.spec);
    const next = dropped(notes, scene, dragged.map(({ id, position }) => [id, [position.x, position.y]]));
    if (next === store.spec) setNodes((old) => kept(old, fresh));
    store.edit(next);
  }, [store, scene, fresh]);
  // Handlers stay the same from frame to frame: a new one would update every node and edge.
  const hold = useCallback(() => store.hold(), [store]);
  const { move, join } = splice;
  const carry = useCallback<OnNodeDrag<BoxNode>>((event, node, dragged) => {
    if (dragged.length === 1 && "clientX" in event) move(event, node.id);
  }, [move]);
  const dropOne = useCallback<OnNodeDrag<BoxNode>>((event, node, dragged) => {
    if (dragged.length === 1 && "clientX" in event && join(event, node.id)) store.release();
    else drop(dragged);
  }, [drop, join, store]);
  const dropAll = useCallback((_: unknown, dragged: BoxNode[]) => drop(dragged), [drop]);
  const changeEdges = useCallback((changes: EdgeChange<LineEdge>[]) => follow(changes, true), [follow]);
  const beginFrame = useCallback(() => frame(true), [frame]);
  const point = useCallback((_: unknown, node: BoxNode) => setPointed(node.id), []);
  const unpoint = useCallback(() => setPointed(""), []);
  const endFrame = useCallback(() => frame(false), [frame]);
  const hush = useCallback(() => setSaid((old) => (old.text ? { text: "", at: null } : old)), []);

  const followed = useFollow(root, scene, chosen.nodes, lights);
  const fit = useFit(root, scene, `${laid} ${layout ? "" : "waits"} ${room?.width ?? 0} ${room?.height ?? 0}`, isPlaced(shown) ? null : layout, anchor, followed);
  useSheetRoom(root, scene, chosen.nodes);
  useSettling(root, isPlaced(shown) ? null : layout);
  const arrange = useCallback(() => {
    store.layOut();
    setLaid((times) => times + 1);
  }, [store]);
  const keys = useKeys({ act, root, chosen, scene, from, setFrom, arrange, fit });

  return (
    <ActProvider value={act}>
      <div ref={root} className={`canvas${data.readonly ? " readonly" : ""}${pointing ? " pointing" : ""}${farClass(zoom)}${palette.folded ? " slim" : ""}`} style={{ height: heightOf(data), ...(far && { "--least": `${leastLetters(zoom)}px`, "--name": `${nameLetters(zoom)}px` }) }} {...keys}
        onPointerDownCapture={hush} onKeyDownCapture={hush}>
        {!data.readonly && <Palette scene={scene} folded={palette.folded} fold={palette.fold} />}
        <div className="board" role="application" aria-label={say("Method {name}", { name: spec.name })} aria-busy={busy} tabIndex={-1} onMouseDownCapture={keepTextUnmarked}>
          <ArrowHeads />
          <ReactFlow<BoxNode, ReturnType<typeof flowEdges>[number]>
            nodes={nodes} edges={edges} nodeTypes={NODES} edgeTypes={EDGES} onNodesChange={change}
            onNodeDragStart={hold} onSelectionDragStart={hold} onNodeDrag={carry}
            onNodeDragStop={dropOne} onSelectionDragStop={dropAll} onEdgesChange={changeEdges}
            onSelectionStart={beginFrame} onSelectionEnd={endFrame} onNodeMouseEnter={point} onNodeMouseLeave={unpoint}
            onReconnectStart={linking.onReconnectStart} onReconnect={linking.onReconnect} edgesReconnectable={false} reconnectRadius={8}
            onConnect={linking.onConnect} isValidConnection={linking.isValidConnection} onConnectEnd={linking.onConnectEnd}
            nodesConnectable={!data.readonly} nodesDraggable={!data.readonly} elementsSelectable nodesFocusable elevateNodesOnSelect={false}
            selectionKeyCode="Shift" multiSelectionKeyCode={SEVERAL} deleteKeyCode={null} disableKeyboardA11y
            zoomOnScroll={false} preventScrolling={false} zoomActivationKeyCode={ZOOMING} zoomOnDoubleClick={false}
            connectionRadius={30} nodeDragThreshold={3} minZoom={0.05} maxZoom={2}
            proOptions={ALONE}>
            <ViewportPortal><div ref={setLabels} className="labels" /></ViewportPortal>
            <Background variant={BackgroundVariant.Dots} gap={20} size={1.3} />
            {!whole && <MiniMap style={MAP} pannable zoomable ariaLabel={say("Map of the method")} nodeBorderRadius={24} />}
          </ReactFlow>
          {!layout && <p className="drawing">{say("Drawing the method…")}</p>}
          <Controls arrange={arrange} fit={fit} />
          {from && <ConnectForm from={from} close={() => setFrom(null)} />}
          {pulled && <AddMenu pulled={pulled} scene={scene} next={setPulled} />}
          {!from && !pulled && <SelectionBar chosen={chosen} scene={scene} />}
          <p className="said" role="status" aria-live="polite">{said.text}</p>
          <RefusalHint said={said} room={root.current?.querySelector(".board")?.clientWidth ?? 0} />
        </div>
      </div>
    </ActProvider>
  );
}

// Who looks at a run seldom adds nodes: the palette folds, unless it was unfolded by hand.
function usePalette({ run }: Store["data"]): { folded: boolean; fold: (folded: boolean) => void } {
  const [chosen, remember] = useRemembered("palette");
  const fold = useCallback((folded: boolean) => remember(folded ? "folded" : "unfolded"), [remember]);
  return { folded: chosen ? chosen === "folded" : Boolean(run), fold };
}

// In the editor, what is below the canvas stays in sight: three findings, or, in the room that the page names, that there are none.
function heightOf({ height, watch, run, findings }: Store["data"]): string {
  if (run) return `clamp(min(${height}px, 340px), 100vh - 420px, ${height}px)`; // what a node did is below it
  return watch ? `${height}px` : `clamp(min(${height}px, 380px), 100vh - ${findings.length ? "270px" : "var(--below, 270px)"}, ${height}px)`;
}

// Shift and a drag frame nodes here; a browser would mark the text of the page from the last click on.
function keepTextUnmarked(event: React.MouseEvent): void {
  const target = event.target as Element;
  if (!event.shiftKey || target.closest("input, select, textarea")) return;
  event.preventDefault();
  target.closest<HTMLElement>("button, [tabindex]")?.focus({ preventScroll: true }); // as it would be without that
}

function toggled<T>(old: ReadonlySet<T>, one: T): Set<T> {
  const next = new Set(old);
  if (!next.delete(one)) next.add(one);
  return next;
}

// Keeps what React Flow has measured; what is equal is not redrawn.
function kept(old: BoxNode[], fresh: BoxNode[]): BoxNode[] {
  const known = new Map(old.map((node) => [node.id, node]));
  return fresh.map((node) => {
    const before = known.get(node.id);
    if (!before) return node;
    return reuseEqualParts(before, { ...before, ...node, data: reuseEqualParts(before.data, node.data), dragging: false });
  });
}

function marked<T extends { id: string; selected?: boolean }>(all: T[], chosen: ReadonlySet<string>): T[] {
  const fits = (one: T) => Boolean(one.selected) === chosen.has(one.id);
  return all.every(fits) ? all : all.map((one) => (fits(one) ? one : { ...one, selected: chosen.has(one.id) }));
}

// The edges of the nodes that are pointed at or chosen stand out.
function lit(edges: LineEdge[], nodes: ReadonlySet<string>, aim: Aim | null): LineEdge[] {
  return edges.map((edge) => {
    const near = nodes.has(edge.source) || nodes.has(edge.target) ? "near" : "";
    const className = aim?.id === edge.id ? (aim.refused ? "aimed barred" : "aimed") : near;
    return (edge.className ?? "") === className ? edge : { ...edge, className };
  });
}

// The ends of a chosen edge can be dragged to another node.
function held(edge: LineEdge, store: Store): LineEdge {
  const reconnectable = Boolean(edge.selected && edge.data && !store.data.readonly && store.spec.edges.includes(edge.data.text));
  return (edge.reconnectable ?? false) === reconnectable ? edge : { ...edge, reconnectable };
}

function useEdges(fresh: LineEdge[]): LineEdge[] {
  const before = useRef(new Map<string, LineEdge>());
  return useMemo(() => {
    const edges = fresh.map((edge) => {
      const old = before.current.get(edge.id);
      return old?.data && edge.data ? reuseEqualParts(old, { ...edge, data: reuseEqualParts(old.data, edge.data) }) : edge;
    });
    before.current = new Map(edges.map((edge) => [edge.id, edge]));
    return edges;
  }, [fresh]);
}
