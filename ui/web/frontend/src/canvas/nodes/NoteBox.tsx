// A note: a text between the nodes, edited in its place.
import { memo, useEffect, useRef, useState } from "react";
import { NodeResizer, NodeToolbar, Position } from "@xyflow/react";
import type { Node, NodeProps } from "@xyflow/react";
import { useAct } from "../board/canvas_context";
import { focusNode } from "../board/focus";
import { Markdown } from "./Markdown";
import { changedNote, noteName, withoutNotes } from "../graph/notes";
import { COLOURS } from "../graph/types";
import type { Note } from "../graph/types";
import { later, say } from "../../shared/language";

export type NoteNode = Node<{ text: string; colour: Note["colour"]; naming: boolean }>;

const NAMES: Record<Note["colour"], string> = { yellow: later("Yellow"), green: later("Green"), blue: later("Blue"), grey: later("Grey") };
const LEAST = { width: 100, height: 48 };

export const NoteBox = memo(function NoteBox({ id, data, selected }: NodeProps<NoteNode>) {
  const act = useAct();
  const { store } = act;
  const own = !store.data.readonly;
  const put = (change: Partial<Note>) => store.edit(changedNote(store.spec, id, change));
  return (
    <div className={`note ${data.colour}${selected ? " sel" : ""}`} onDoubleClick={() => { if (own) act.rename(id); }}>
      {own && <NodeResizer isVisible={selected} minWidth={LEAST.width} minHeight={LEAST.height}
        onResizeStart={() => store.hold()} onResizeEnd={(_, { x, y, width, height }) => { store.release(); put({ place: [x, y, width, height].map(Math.round) as Note["place"] }); }} />}
      {own && <NodeToolbar isVisible={selected && !data.naming} position={Position.Top} className="node-bar">
        <div role="toolbar" aria-label={say("Note")}>
          {COLOURS.map((colour) => <button key={colour} type="button" className={`swatch ${colour}`} aria-label={say(NAMES[colour])} title={say(NAMES[colour])} aria-pressed={colour === data.colour} onClick={() => put({ colour })} />)}
          <button type="button" className="btn plain" title="F2" onClick={() => act.rename(id)}>{say("Edit")}</button>
          <button type="button" className="btn plain" title={say("Delete")} onClick={() => { store.edit(withoutNotes(store.spec, [noteName(id)])); act.choose([]); }}>{say("Delete")}</button>
        </div>
      </NodeToolbar>}
      {data.naming ? <NoteField id={id} text={data.text} /> : <div className="written"><Markdown text={data.text} /></div>}
    </div>
  );
});

// Takes the text when it is left; a note without a text is gone.
function NoteField({ id, text }: { id: string; text: string }) {
  const act = useAct();
  const { store } = act;
  const [now, setNow] = useState(text);
  const field = useRef<HTMLTextAreaElement>(null);
  const left = useRef(false);
  useEffect(() => { field.current?.focus({ preventScroll: true }); }, []);
  const leave = (wanted: string) => {
    if (left.current) return;
    left.current = true;
    act.rename(null);
    store.edit(wanted.trim() ? changedNote(store.spec, id, { text: wanted.trim() }) : withoutNotes(store.spec, [noteName(id)]));
  };
  return (
    <textarea ref={field} className="nodrag nopan nowheel" aria-label={say("Text of the note")} placeholder={say("Write a note")} value={now} maxLength={4000}
      onChange={(event) => setNow(event.target.value)} onBlur={() => leave(now)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== "Escape" && !(event.key === "Enter" && (event.ctrlKey || event.metaKey))) return;
        leave(event.key === "Escape" && text ? text : now); // a new note keeps what was typed
        focusNode(act.root.current, id);
      }} />
  );
}
