// Keyboard commands, the clipboard, and dropping nodes from the palette.
import { useEffect, useRef } from "react";
import type { ClipboardEvent, DragEvent, HTMLAttributes, KeyboardEvent, RefObject } from "react";
import { flushSync } from "react-dom";
import { useReactFlow } from "@xyflow/react";
import type { Act } from "./canvas_context";
import { nextBreakpoint, withBreakpoint } from "../graph/breakpoints";
import { copyText, duplicated, pasted, selectionOf } from "../graph/clipboard";
import type { From } from "./ConnectForm";
import type { Chosen } from "../layout/flow_model";
import { nudged } from "../layout/node_moves";
import { boardOf, viewBox } from "./focus";
import { DRAGGED, NOTE } from "./Palette";
import { chosenNotes, noteName, withoutNotes } from "../graph/notes";
import { FOLD } from "../layout/scene";
import type { Scene } from "../layout/scene";
import { group, textOf } from "./SelectionBar";
import { unopened } from "../graph/links";
import { mainRoute } from "../graph/splice";
import { without } from "../graph/spec";
import { END, START } from "../graph/types";
import type { Place } from "../graph/types";
import { say } from "../../shared/language";

interface Means {
  act: Act; root: RefObject<HTMLDivElement | null>; chosen: Chosen; scene: Scene;
  from: From | null; setFrom: (from: From | null) => void; arrange: () => void; fit: (duration?: number) => void;
}

const ARROWS: Record<string, Place> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function useKeys(means: Means): HTMLAttributes<HTMLDivElement> {
  const { act, root, chosen, scene, setFrom, arrange, fit } = means;
  const flow = useReactFlow();
  const { store } = act;
  const names = () => selectionOf(store.spec, chosen);

  const remove = () => {
    store.edit(withoutNotes(without(store.placed(store.spec), names(), [...chosen.edges].map(textOf)), chosenNotes(chosen)));
    act.choose([]);
    boardOf(root.current)?.focus({ preventScroll: true });
  };
  const copy = () => {
    const [next, fresh] = duplicated(store.spec, scene, chosen, viewBox(flow.getViewport(), boardOf(root.current)));
    if (!fresh.length) return;
    store.edit(next);
    act.choose(fresh);
  };
  const focused = (event: KeyboardEvent): string =>
    (event.target as Element).closest<HTMLElement>(".react-flow__node")?.dataset.id ?? "";

  const withControl: Record<string, () => void> = {
    z: () => store.fire("undo"), Z: () => store.fire("redo"), y: () => store.fire("redo"), s: () => store.fire("save"),
    d: copy, a: () => act.choose([...scene.boxes.keys()].filter((id) => id !== START && id !== END)),
  };
  const edits: Record<string, () => void> = {
    Delete: remove, Backspace: remove, l: arrange,
    g: () => names().length > 1 && group(act, names()),
  };
  const always: Record<string, () => void> = {
    "+": () => void flow.zoomIn(), "-": () => void flow.zoomOut(), "0": () => fit(), f: () => fit(),
    "/": () => findNode(root.current),
    Escape: () => { setFrom(null); act.choose([]); },
  };

  useKeysElsewhere(root, store.data.readonly ? {} : { z: withControl.z, Z: withControl.Z, y: withControl.y, s: withControl.s });
  const commandOf = (event: KeyboardEvent): (() => void) | undefined => {
    const { readonly } = store.data;
    if (event.ctrlKey || event.metaKey) return readonly ? undefined : withControl[event.shiftKey ? event.key.toUpperCase() : event.key];
    const node = focused(event);
    const onNode = node !== "" && (event.target as Element).classList.contains("react-flow__node");
    if (onNode && (event.key === "Enter" || event.key === " ")) return () => act.choose(event.shiftKey ? toggled(chosen.nodes, node) : [node]);
    if (readonly) return always[event.key];
    const [one = ""] = chosen.nodes.size === 1 ? chosen.nodes : [];
    const meant = onNode ? node : one;
    if (event.key === "F2" && meant && meant !== START && meant !== END) return () => act.rename(meant);
    if (node && !noteName(node) && event.key.toLowerCase() === "c") return () => setFrom({ source: sourceOf(node), route: undefined });
    if (node && !noteName(node) && event.key.toLowerCase() === "a") return () => onward(sourceOf(node));
    if (event.key.toLowerCase() === "b" && meant in store.spec.nodes) return () => store.edit(withBreakpoint(store.spec, meant, nextBreakpoint(store.spec, meant)));
    const way = ARROWS[event.key];
    if (way && (chosen.nodes.size || onNode)) return () => store.edit(nudged(store.spec, scene, chosen.nodes.size ? chosen.nodes : [node], way));
    return edits[event.key] ?? always[event.key];
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.target as Element).closest("input, select, textarea")) return;
    if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) event.stopPropagation(); // Streamlit has keys of its own
    const command = commandOf(event);
    if (!command) return;
    event.preventDefault();
    event.stopPropagation();
    command();
  };
  const onward = (source: string): void => {
    const route = mainRoute(store.spec, act.types, source);
    if (route === undefined) act.announce(unopened(store.spec, act.types, source));
    else act.pull(source, route);
  };
  const sourceOf = (id: string) => (id.startsWith(FOLD) ? (store.spec.folds?.[id.slice(FOLD.length)]?.[0] ?? id) : id);

  const onCopy = (event: ClipboardEvent) => {
    const told = [...names(), ...chosenNotes(chosen)];
    if ((event.target as Element).closest("input, select, textarea") || !told.length) return false;
    event.preventDefault();
    event.clipboardData.setData("text/plain", copyText(store.spec, scene, chosen));
    act.announce(say("Copied {nodes}.", { nodes: told.join(", ") }));
    return true;
  };
  const onCut = (event: ClipboardEvent) => {
    if (onCopy(event) && !store.data.readonly) remove();
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (store.data.readonly || (event.target as Element).closest("input, select, textarea")) return;
    const done = pasted(store.spec, scene, event.clipboardData.getData("text/plain"), viewBox(flow.getViewport(), boardOf(root.current)));
    if (!done) return act.announce(say("The clipboard holds no nodes."));
    event.preventDefault();
    store.edit(done[0]);
    act.choose(done[1]);
    act.announce(say("Pasted {nodes}.", { nodes: done[1].map((id) => noteName(id) || id).join(", ") }));
  };
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(DRAGGED)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    if (act.carried.current && act.carried.current !== NOTE && !store.data.readonly) act.splice.over(event, act.carried.current);
  };
  const onDrop = (event: DragEvent) => {
    const type = event.dataTransfer.getData(DRAGGED);
    if (!type || store.data.readonly || !(event.target as Element).closest(".board")) return;
    event.preventDefault();
    const { x, y } = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    if (type === NOTE) act.addNote([x - 110, y - 60]);
    else act.splice.put(event, type);
  };
  return { onKeyDown, onCopy, onCut, onPaste, onDragOver, onDrop };
}

// A button that ran is gone, and the focus with it: undo, redo and save work wherever no text is written.
function useKeysElsewhere(root: RefObject<HTMLDivElement | null>, commands: Record<string, (() => void) | undefined>): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const path = event.composedPath();
      const [place] = path;
      const writes = place instanceof HTMLElement && (place.isContentEditable || place.matches("input, select, textarea, [role=dialog], [role=dialog] *"));
      const command = (event.ctrlKey || event.metaKey) && !writes && !path.includes(root.current as EventTarget)
        ? latest.current[event.shiftKey ? event.key.toUpperCase() : event.key] : undefined;
      if (!command) return;
      event.preventDefault();
      command();
    };
    document.addEventListener("keydown", onKey);
    return () => { document.removeEventListener("keydown", onKey); };
  }, [root]);
}

function toggled(old: ReadonlySet<string>, id: string): string[] {
  return old.has(id) ? [...old].filter((each) => each !== id) : [...old, id];
}

function findNode(canvas: HTMLElement | null): void {
  const field = canvas?.querySelector<HTMLInputElement>(".search input");
  const buttons = [...canvas?.querySelectorAll<HTMLElement>(".palette > [aria-expanded=false]") ?? []];
  if (!field?.offsetParent) flushSync(() => buttons.find((button) => button.offsetParent)?.click());
  field?.focus();
}
