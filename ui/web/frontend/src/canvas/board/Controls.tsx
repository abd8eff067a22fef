// Zoom, fit, layout and the list of keys, at the foot of the canvas.
import { useState } from "react";
import { useReactFlow, useViewport } from "@xyflow/react";
import { useAct } from "./canvas_context";
import { Icon } from "../nodes/Icons";

const KEYS: [string, string][] = [
  ["Tab", "go from node to node"], ["Enter", "select"], ["Shift+Enter", "add to the selection"], ["Arrows", "move what is selected"],
  ["C", "connect a route"], ["F2", "rename"], ["Delete", "delete"], ["Ctrl+D", "duplicate"], ["Ctrl+C, X, V", "copy, cut, paste"],
  ["Ctrl+Z, Y", "undo, redo"], ["Ctrl+A", "select all"], ["G", "draw as one"], ["/", "find, or add a node"],
  ["+, −, 0", "zoom, fit"], ["L", "lay out"], ["Ctrl+S", "save"], ["Esc", "let go"],
];

export function Controls({ arrange, fit }: { arrange: () => void; fit: (duration?: number) => void }) {
  const flow = useReactFlow();
  const { zoom } = useViewport();
  const { readonly } = useAct().store.data;
  const [help, setHelp] = useState(false);
  return (
    <div className="controls" role="toolbar" aria-label="View"
      onKeyDown={(event) => { if (event.key === "Escape") setHelp(false); }}
      onBlur={(event) => { if (!event.currentTarget.contains(event.relatedTarget)) setHelp(false); }}>
      <button type="button" aria-label="Zoom out" title="Zoom out" onClick={() => void flow.zoomOut()}><Icon name="minus" /></button>
      <button type="button" className="zoom" aria-label={`Zoom ${Math.round(zoom * 100)} %, set to 100 %`} title="Full size" onClick={() => void flow.zoomTo(1)}>{Math.round(zoom * 100)} %</button>
      <button type="button" aria-label="Zoom in" title="Zoom in" onClick={() => void flow.zoomIn()}><Icon name="plus" /></button>
      <button type="button" aria-label="Fit" title="Show the whole graph" onClick={() => fit()}><Icon name="fit" /></button>
      {!readonly && <button type="button" aria-label="Lay out" title="Lay out again" onClick={arrange}><Icon name="layout" /></button>}
      {!readonly && <button type="button" aria-label="Keys" title="Keys" aria-expanded={help} onClick={() => setHelp(!help)}><Icon name="keys" /></button>}
      {help && <dl className="keys">{KEYS.map(([key, what]) => <div key={key}><dt>{key}</dt><dd>{what}</dd></div>)}</dl>}
    </div>
  );
}
