// A button that opens the findings of the checker on a node or an edge, each with its fix.
import { useState } from "react";
import { useAct } from "../board/canvas_context";
import { Sign } from "./Icons";
import type { Finding } from "../graph/types";
import { sayCount, sayTold } from "../../shared/language";

export interface Told { index: number; finding: Finding }

export function FindingBadge({ findings }: { findings: Told[] }) {
  const act = useAct();
  const [open, setOpen] = useState(false);
  const fault = findings.some(({ finding }) => finding.severity === "error");
  const count = sayCount(findings.length, "{n} finding", "{n} findings");
  return (
    <span className="badge nodrag nopan" onKeyDown={(event) => {
      event.stopPropagation();
      if (event.key === "Escape") setOpen(false);
    }}>
      <button type="button" className={fault ? "c-failed" : "c-partial"} aria-expanded={open}
        aria-label={`${count}: ${sayTold(findings[0]?.finding.message ?? "")}`} onClick={() => setOpen(!open)}>
        <Sign kind={fault ? "failed" : "partial"} size={18} />
      </button>
      {open && (
        <ul className="told" role="group" aria-label={count}>
          {findings.map(({ finding, index }) => (
            <li key={index}>
              <p><Sign kind={finding.severity === "error" ? "failed" : "partial"} /><span>{sayTold(finding.message)}</span></p>
              {finding.mend && <p className="mend">{sayTold(finding.mend)}</p>}
              {!act.store.data.readonly && fixesOf(finding).map(({ label }) => (
                <button key={label} type="button" className="btn" onClick={() => { setOpen(false); act.store.fire("fix", { at: finding.at, label }); }}>
                  {sayTold(label)}
                </button>
              ))}
            </li>
          ))}
        </ul>
      )}
    </span>
  );
}

const fixesOf = ({ fix, alternatives = [] }: Finding) => (fix ? [fix, ...alternatives] : []);
