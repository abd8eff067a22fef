// Zoom, fit, layout and the list of keys, at the foot of the canvas.
import { useState } from "react";
import { useReactFlow, useViewport } from "@xyflow/react";
import { useAct } from "./canvas_context";
import { Icon } from "../nodes/Icons";
import { later, say } from "../../shared/language";

const KEYS: [string, string][] = [
  [later("Tab"), later("go from node to node")], [later("Enter"), later("select")], [later("Shift+Enter"), later("add to the selection")], [later("Arrows"), later("move what is selected")],
  ["A", later("add what follows")], ["C", later("connect a route")], ["B", later("breakpoint: before, after, both")], ["F2", later("rename")], [later("Delete"), later("delete")], [later("Ctrl+D"), later("duplicate")], [later("Ctrl+C, X, V"), later("copy, cut, paste")],
  [later("Ctrl+Z, Y"), later("undo, redo")], [later("Ctrl+A"), later("select all")], ["G", later("draw as one")], ["/", later("find, or add a node")],
  ["+, −, 0", later("zoom, fit")], ["L", later("lay out")], [later("Ctrl+S"), later("save")], [later("Esc"), later("let go")],
];

export function Controls({ arrange, fit }: { arrange: () => void; fit: (duration?: number) => void }) {
  const flow = useReactFlow();
  const { zoom } = useViewport();
  const { readonly } = useAct().store.data;
  const [help, setHelp] = useState(false);
  return (
    <div className="controls" role="toolbar" aria-label={say("View")}
      onKeyDown={(event) => { if (event.key === "Escape") setHelp(false); }}
      onBlur={(event) => { if (!event.currentTarget.contains(event.relatedTarget)) setHelp(false); }}>
      <button type="button" aria-label={say("Zoom out")} title={say("Zoom out")} onClick={() => void flow.zoomOut()}><Icon name="minus" /></button>
      <button type="button" className="zoom" aria-label={say("Zoom {zoom} %, set to 100 %", { zoom: Math.round(zoom * 100) })} title={say("Full size")} onClick={() => void flow.zoomTo(1)}>{Math.round(zoom * 100)} %</button>
      <button type="button" aria-label={say("Zoom in")} title={say("Zoom in")} onClick={() => void flow.zoomIn()}><Icon name="plus" /></button>
      <button type="button" aria-label={say("Fit")} title={say("Show the whole method")} onClick={() => fit()}><Icon name="fit" /></button>
      {!readonly && <button type="button" aria-label={say("Lay out")} title={say("Lay out again")} onClick={arrange}><Icon name="layout" /></button>}
      {!readonly && <button type="button" aria-label={say("Keys")} title={say("Keys")} aria-expanded={help} onClick={() => setHelp(!help)}><Icon name="keys" /></button>}
      {help && <dl className="keys">{KEYS.map(([key, what]) => <div key={key}><dt>{say(key)}</dt><dd>{say(what)}</dd></div>)}</dl>}
    </div>
  );
}
