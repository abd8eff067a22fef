// The node types by family: drag one in, or add it with Enter. The search also finds nodes of the graph.
import { useState } from "react";
import { useReactFlow } from "@xyflow/react";
import { useAct } from "./canvas_context";
import type { Act } from "./canvas_context";
import { boardOf, focusNode, viewBox } from "./focus";
import { roomIn } from "../layout/free_room";
import { free, NODE } from "../layout/node_places";
import type { Scene } from "../layout/scene";
import { Icon } from "../nodes/Icons";
import { added } from "../graph/spec";
import { GRAPH } from "../graph/types";
import type { NodeType, Place } from "../graph/types";
import { families } from "../graph/node_summary";
import { later, say, sayTold } from "../../shared/language";

export const NOTE = " note"; // no type has this name
export const DRAGGED = "application/x-forager-node";
const INSIDE: NodeType = { name: GRAPH, family: later("Groups"), summary: later("Holds a method of its own."), routes: ["end"], reads: [], writes: [], spent: "", own: false };

interface Given { scene: Scene; folded: boolean; fold: (folded: boolean) => void }

export function Palette({ scene, folded, fold }: Given) {
  const act = useAct();
  const [wanted, setWanted] = useState("");
  const [open, setOpen] = useState(false);
  const add = useAdd(scene, act);
  const go = useGo(scene);
  const { here, shown, note } = fitting(act, wanted);
  // The field's own text may be ahead of what is drawn.
  const first = (text: string) => {
    const { here: [node], shown: [type], note } = fitting(act, text);
    if (text.trim().toLowerCase() === say("note")) act.addNote();
    else if (node && (node === text.trim() || !type)) go(node);
    else if (type) add(type.name);
    else if (note) act.addNote();
  };
  return (
    <nav className={`palette${open ? " open" : ""}`} aria-label={say("Palette")}>
      <button type="button" className="btn plain fold" aria-expanded={!folded} aria-label={folded ? say("Show the palette") : say("Hide the palette")} title={folded ? say("Show the palette") : say("Hide the palette")} onClick={() => fold(!folded)}><Icon name={folded ? "unfold" : "fold"} /></button>
      <button type="button" className="btn toggle" aria-expanded={open} onClick={() => setOpen(!open)}><Icon name={open ? "close" : "plus"} />{say("Add a node")}</button>
      <label className="search"><Icon name="find" />
        <input type="search" placeholder={say("Find …")} aria-label={say("Find a node")} value={wanted} onChange={(event) => setWanted(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") { event.preventDefault(); first(event.currentTarget.value); setWanted(""); }
            if (event.key === "Escape") setWanted("");
          }} />
      </label>
      <div className="types">
        {here.length > 0 && <section><h2>{say("In this method")}</h2><ul>{here.map((name) => <li key={name}><button type="button" onClick={() => go(name)}>{name}<Icon name="find" size={13} /></button></li>)}</ul></section>}
        {families(shown).map(([family, types]) => (
          <section key={family}><h2>{family}</h2><ul>
            {types.map((type) => (
              <li key={type.name}>
                <button type="button" draggable title={summaryOf(type)} aria-label={say("Add {name}", { name: type.name })} onClick={() => { add(type.name); setOpen(false); }}
                  onDragEnd={() => { act.carried.current = ""; act.splice.leave(); }}
                  onDragStart={(event) => { act.carried.current = type.name; event.dataTransfer.setData(DRAGGED, type.name); event.dataTransfer.effectAllowed = "copy"; }}>
                  {type.name}<Icon name="grip" size={14} />
                </button>
              </li>
            ))}
          </ul></section>
        ))}
        {note && (
          <section><h2>{say("Notes")}</h2><ul><li>
            <button type="button" draggable title={say("A text on the canvas. It changes nothing of what runs.")} aria-label={say("Add {name}", { name: say("note") })} onClick={() => { act.addNote(); setOpen(false); }}
              onDragEnd={() => { act.carried.current = ""; }}
              onDragStart={(event) => { act.carried.current = NOTE; event.dataTransfer.setData(DRAGGED, NOTE); event.dataTransfer.effectAllowed = "copy"; }}>
              {say("note")}<Icon name="grip" size={14} />
            </button>
          </li></ul></section>
        )}
      </div>
    </nav>
  );
}

// The shipped types are described by the server, a graph inside here.
const summaryOf = (type: NodeType) => say(sayTold(type.summary));

export const allTypes = (act: Act): NodeType[] => [...act.store.data.types, INSIDE];

// The nodes of the graph and the types that match a text, and whether a note does.
function fitting(act: Act, text: string): { here: string[]; shown: NodeType[]; note: boolean } {
  const wanted = text.trim().toLowerCase();
  const fits = (words: string) => words.toLowerCase().includes(wanted);
  const types = allTypes(act);
  return {
    here: wanted ? Object.keys(act.store.spec.nodes).filter(fits) : [],
    shown: types.filter((type) => fits(`${type.name} ${type.family} ${summaryOf(type)}`)),
    note: fits(say("note")),
  };
}

// Adds a node where there is room: at a place, beside the selection, or in the middle of the view.
export function useAdd(scene: Scene, act: Act): (type: string, place?: Place) => void {
  const flow = useReactFlow();
  return (type, place) => {
    const wanted = place ?? middle(flow, act);
    const view = place ? null : viewBox(flow.getViewport(), boardOf(act.root.current));
    const [dx, dy] = (view && roomIn(view, scene, [{ id: "", x: wanted[0], y: wanted[1], ...NODE }])) ?? [0, 0];
    const at = free(scene.places, "", [wanted[0] + dx, wanted[1] + dy]);
    const [next, name] = added({ ...act.store.spec, positions: scene.places }, type, at);
    act.store.edit(next);
    act.choose([name]);
    act.announce(say("Added {name}.", { name }));
    focusNode(act.root.current, name);
  };
}

function middle(flow: ReturnType<typeof useReactFlow>, act: Act): Place {
  const rect = boardOf(act.root.current)?.getBoundingClientRect();
  if (!rect) return [0, 0];
  const { x, y } = flow.screenToFlowPosition({ x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 });
  return [x - NODE.w / 2, y - NODE.h / 2];
}

function useGo(scene: Scene): (name: string) => void {
  const act = useAct();
  const flow = useReactFlow();
  return (name) => {
    const id = scene.folded.get(name) ?? name;
    const box = scene.boxes.get(id);
    if (!box) return;
    void flow.setCenter(box.x + box.w / 2, box.y + box.h / 2, { zoom: Math.max(flow.getZoom(), 0.8), duration: 200 });
    act.choose([id]);
    focusNode(act.root.current, id);
  };
}
