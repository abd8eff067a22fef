// What a node is told, in a line; a number is changed in its place.
import { useEffect, useMemo, useRef, useState } from "react";
import { useStore as useFlow } from "@xyflow/react";
import { useAct } from "../board/canvas_context";
import { focusNode } from "../board/focus";
import { farZoom, fittingLetters, leastLetters } from "../board/letters";
import { BETWEEN, fittingFacts, withParam } from "../graph/node_summary";
import type { Fact } from "../graph/node_summary";
import { say } from "../../shared/language";

const SIZE = 11; // as in the style sheet, near by
const ROOM = 140;

export function Facts({ node, facts }: { node: string; facts: Fact[] }) {
  const { store } = useAct();
  const [open, setOpen] = useState("");
  const fitting = useMemo(() => fittingFacts(facts, SIZE, ROOM), [facts]);
  const fit = fittingLetters(facts.find(({ bound }) => bound)?.text ?? "");
  const narrow = useFlow(({ transform: [,, zoom] }) => leastLetters(farZoom(zoom)) > fit);
  return (
    <p className="bounds clip">
      {fitting.map(({ text, short = text, param, bound, title }, at) => (
        <span key={at} className={bound ? "bound" : undefined} title={title}>
          {at > 0 && <span className="between">{BETWEEN}</span>}
          {param === undefined || store.data.readonly ? (narrow ? short : text)
            : param === open ? <NumberInput node={node} param={param} close={() => setOpen("")} />
            : <button type="button" className="fact nodrag" tabIndex={-1} title={say("Change {name}", { name: param })} onClick={(event) => { event.stopPropagation(); setOpen(param); }}>{narrow ? short : text}</button>}
        </span>
      ))}
    </p>
  );
}

function NumberInput({ node, param, close }: { node: string; param: string; close: () => void }) {
  const act = useAct();
  const [value, setValue] = useState(() => JSON.stringify(act.store.spec.nodes[node]?.params?.[param] ?? ""));
  const input = useRef<HTMLInputElement>(null);
  const left = useRef(false);
  useEffect(() => input.current?.select(), []);
  const leave = (taken: boolean) => {
    if (left.current) return;
    left.current = true;
    const wanted = Number(value);
    if (taken && value.trim() && Number.isFinite(wanted)) act.store.edit(withParam(act.store.spec, node, param, wanted));
    close();
  };
  return (
    <input ref={input} className="naming nodrag nopan" type="number" step="any" aria-label={say("{name} of {node}", { name: param, node })} value={value}
      onClick={(event) => event.stopPropagation()} onChange={(event) => setValue(event.target.value)} onBlur={() => leave(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== "Enter" && event.key !== "Escape") return;
        leave(event.key === "Enter");
        focusNode(act.root.current, node);
      }} />
  );
}
