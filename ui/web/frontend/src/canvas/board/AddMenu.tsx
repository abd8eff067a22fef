// What a route that was pulled to an empty place leads on to: type some letters, or choose. Tab goes on with the next route.
import { useEffect, useId, useRef, useState } from "react";
import { useReactFlow, useViewport } from "@xyflow/react";
import { useAct } from "./canvas_context";
import { boardOf, focusNode } from "./focus";
import { menuPlace } from "./menu_place";
import { allTypes } from "./Palette";
import { continuations, continued, nextPull } from "../graph/continuations";
import type { Continuation, Pull } from "../graph/continuations";
import { CELL, free, isPlaced, NODE } from "../layout/node_places";
import type { Scene } from "../layout/scene";
import { Icon } from "../nodes/Icons";
import type { Place } from "../graph/types";
import { later, say } from "../../shared/language";

export interface Pulled extends Pull { at: Place; corner: Place } // where the node is put in the drawing, and the menu on the board

const WHY = { needed: later("needed"), common: later("common") };
const WIDE = 262;
const HIGH = 316;

export function AddMenu({ pulled, scene, next }: { pulled: Pulled; scene: Scene; next: (pulled: Pulled | null) => void }) {
  const act = useAct();
  const flow = useReactFlow();
  const view = useViewport();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => { input.current?.focus({ preventScroll: true }); }, [pulled]);
  useEffect(() => { box.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }); }, [at, text]);
  const { store, types } = act;
  const found = continuations(store.spec, types, allTypes(act), pulled, text);
  const leave = (to: string) => {
    next(null);
    focusNode(act.root.current, to);
  };
  const take = (to: Continuation | undefined, onward: boolean) => {
    if (!to) return;
    const unplaced = !isPlaced(store.spec);
    const places = scene.places;
    const [spec, target] = continued({ ...store.spec, positions: places }, pulled, to, free(places, "", pulled.at));
    if (to.fresh && !(onward && unplaced)) store.edit(spec);
    else if (unplaced) {
      act.anchor.current = { node: to.fresh ? target : pulled.source, at: null };
      store.layOut(spec);
    }
    else store.edit({ ...spec, positions: store.spec.positions });
    act.choose([target]);
    act.announce(to.fresh ? say("Added {name}.", { name: target }) : say("{source} leads to {target}.", { source: named(pulled), target }));
    const more = onward ? nextPull(spec, types, target) : null;
    if (!more) {
      leave(target);
      return;
    }
    setText("");
    setAt(0);
    const [x, y] = more.source === target && to.fresh ? spec.positions[target] ?? pulled.at : places[more.source] ?? pulled.at; // where it is until it is laid out
    if (!unplaced) show(flow, boardOf(act.root.current), [x, y]);
    next({ ...more, at: [x + NODE.w + 5 * CELL, y], corner: pulled.corner });
  };
  const keys: Record<string, (event: React.KeyboardEvent) => void> = {
    ArrowDown: () => setAt((at + 1) % Math.max(1, found.length)), ArrowUp: () => setAt((at + found.length - 1) % Math.max(1, found.length)),
    Enter: () => take(found[at], false), Tab: () => take(found[at], true), Escape: () => leave(pulled.source),
  };
  const board = boardOf(act.root.current);
  // What it may not cover: the node that is continued, and the one that it will make.
  const shown = ([x, y]: Place, { w, h } = NODE) => ({ x: x * view.zoom + view.x, y: y * view.zoom + view.y, w: w * view.zoom, h: h * view.zoom });
  const source = scene.boxes.get(pulled.source);
  const kept = [...source ? [shown([source.x, source.y], source)] : [], shown(free(scene.places, "", pulled.at))];
  const [left, top] = menuPlace(pulled.corner, { w: WIDE, h: HIGH }, { w: board?.clientWidth ?? 0, h: board?.clientHeight ?? 0 }, kept);
  return (
    <div ref={box} className="add-menu nopan nowheel" role="dialog" aria-label={say("Continue {source}", { source: named(pulled) })} style={{ left, top, width: WIDE, maxHeight: HIGH }}
      onBlur={(event) => { if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) next(null); }}
      onKeyDown={(event) => {
        event.stopPropagation();
        const key = keys[event.key];
        if (!key || (event.key === "Tab" && event.shiftKey)) return;
        event.preventDefault();
        key(event);
      }}>
      <p className="clip"><b>{named(pulled)}</b> {say("leads to")}</p>
      <label className="search"><Icon name="find" />
        <input ref={input} role="combobox" aria-label={say("Find a node or a type")} placeholder={say("Find a node or a type")} aria-expanded aria-controls={list} aria-activedescendant={found[at] && `${list}-${at}`}
          autoComplete="off" spellCheck={false} value={text} onChange={(event) => { setText(event.target.value); setAt(0); }} />
      </label>
      <ul id={list} role="listbox" aria-label={say("Nodes")}>
        {found.map((each, index) => (
          <li key={`${each.fresh ? "+" : ""}${each.name}`} id={`${list}-${index}`} role="option" aria-selected={index === at} title={each.about} className={each.lacks.length ? "lacks" : each.why}
            aria-label={each.fresh ? say("New {name}", { name: each.name }) : each.name}
            onPointerDown={(event) => event.preventDefault()} onPointerMove={() => setAt(index)} onClick={() => take(each, false)}>
            <Icon name={each.fresh ? "plus" : "on"} size={13} /><span className="clip">{each.name}</span><small className="clip">{each.lacks.length ? say("needs {keys}", { keys: each.lacks.join(", ") }) : each.why ? say(WHY[each.why]) : each.family}</small>
          </li>
        ))}
        {found.length === 0 && <li className="none">{say("Nothing fits.")}</li>}
      </ul>
      <p className="hint">{say("Enter adds it. Tab adds it and goes on. Esc leaves.")}</p>
    </div>
  );
}

const named = ({ source, route }: Pull) => `${source}${route && `.${route}`}`;

// Moves the view only if a place of the drawing is not in it.
function show(flow: ReturnType<typeof useReactFlow>, board: HTMLElement | null, [x, y]: Place): void {
  if (!board) return;
  const { x: dx, y: dy, zoom } = flow.getViewport();
  const [left, top] = [x * zoom + dx, y * zoom + dy];
  if (left > 0 && top > 0 && left + NODE.w * zoom < board.clientWidth && top + NODE.h * zoom < board.clientHeight) return;
  void flow.setCenter(x + NODE.w / 2, y + NODE.h / 2, { zoom, duration: 200 });
}
