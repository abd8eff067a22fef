// Says beside the pointer why an edge cannot be drawn, while it is held over a node and after it is dropped.
import { useEffect } from "react";
import { useConnection } from "@xyflow/react";
import { useAct } from "./canvas_context";
import type { Place } from "../graph/types";

const WIDE = 250;

export interface Said { text: string; at: Place | null }

export function RefusalHint({ said, room }: { said: Said; room: number }) {
  const act = useAct();
  const { text, at } = useConnection((link): Said => {
    if (!link.inProgress || !link.toNode) return { text: "", at: null };
    const from = { node: link.fromNode.id, handle: link.fromHandle.id ?? null, type: link.fromHandle.type };
    const why = act.linking.why(from, { node: link.toNode.id, handle: link.toHandle?.id ?? null });
    return why ? { text: why, at: [link.pointer.x, link.pointer.y] } : { text: "", at: null };
  });
  const { announce } = act;
  useEffect(() => { if (text) announce(text); }, [text, announce]);
  const shown = text ? { text, at } : said;
  if (!shown.at || !shown.text) return null;
  const [x, y] = shown.at;
  const left = Math.max(8, Math.min(x + 14, room - WIDE - 8));
  return <p className="why" style={{ left, top: y + 16, maxWidth: WIDE }} aria-hidden="true">{shown.text}</p>;
}
