// A node: its name, a summary, its routes, and its findings.
import { memo, useEffect } from "react";
import { Handle, Position, useConnection, useUpdateNodeInternals } from "@xyflow/react";
import type { Node, NodeProps } from "@xyflow/react";
import { useAct } from "../board/canvas_context";
import { FindingBadge } from "./FindingBadge";
import { boardOf } from "../board/focus";
import { Facts } from "./Facts";
import { NodeName } from "./NodeName";
import type { Fact } from "../graph/node_summary";
import { readEdge, takenBy } from "../graph/spec";
import { bareClass, routeOutcome } from "../graph/route_outcome";
import { SIDES } from "../layout/edge_line";
import type { Port } from "../layout/scene";
import { Icon, Sign } from "./Icons";
import type { Breakpoint, Finding, Sign as Change } from "../graph/types";
import { later, say, sayCount } from "../../shared/language";

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- React Flow wants a type with an index signature
export type BoxData = {
  name: string;
  facts: Fact[]; // its type, its bounds, and what else it is told
  about: string;
  family: string;
  kind: "node" | "graph" | "fold" | "pill" | "ghost";
  title: string;
  spent: string;
  wired: Port[];
  entered: Port[];
  open: Port[];
  naming: boolean;
  findings: { index: number; finding: Finding }[];
  change: Change | undefined;
  halts: Breakpoint | undefined;
  lit: { count: number; status: string; now: boolean; waits: boolean } | null;
};
export type BoxNode = Node<BoxData>;

const CHANGES = { "+": ["plus", later("added")], "-": ["minus", later("removed")], "~": ["tilde", later("changed")] } as const;

export const NodeBox = memo(function NodeBox({ id, data, selected }: NodeProps<BoxNode>) {
  const update = useUpdateNodeInternals();
  const shape = JSON.stringify([data.open, data.wired, data.entered]);
  useEffect(() => update(id), [id, shape, update]);
  const { linking } = useAct();
  const aim = useConnection((link) => (link.inProgress ? link.fromHandle.type : ""));
  const refused = useConnection((link) => link.inProgress
    && linking.why({ node: link.fromNode.id, handle: link.fromHandle.id ?? null, type: link.fromHandle.type }, { node: id, handle: null }) !== "");
  const fault = data.findings.some(({ finding }) => finding.severity === "error");
  const classes = ["box", data.kind, selected && "sel", fault && "fault", data.change && `change-${CHANGES[data.change][0]}`, data.lit?.now && "lit", data.lit?.waits && "waits", data.lit && data.kind !== "pill" && !data.lit.count && !data.lit.now && !data.lit.waits && "idle", refused && "refused"];
  return (
    <div className={classes.filter(Boolean).join(" ")} title={data.title}>
      <Handle id="in" type="target" position={Position.Top} className={aim === "source" ? "in catch" : "in"} isConnectableStart={false} />
      <Handle id="out" type="source" position={Position.Top} className={aim === "target" ? "in catch" : "in"} isConnectableStart={false} />
      {data.kind === "pill" ? data.name : <Body id={id} data={data} />}
      {data.wired.map((port) => <Handle key={`out:${port.id}`} id={`out:${port.id}`} type="source" position={SIDES[port.side] ?? Position.Right} className="anchor" style={at(port)} isConnectableStart={false} />)}
      {data.entered.map((port) => <Handle key={`in:${port.id}`} id={`in:${port.id}`} type="target" position={SIDES[port.side] ?? Position.Left} className="anchor" style={at(port)} isConnectableStart={false} />)}
      {data.wired.map((port) => <Wired key={port.id} port={port} spent={data.spent} />)}
      {data.open.map((port) => <Open key={port.id} port={port} node={data.name} spent={data.spent} />)}
      {data.findings.length > 0 && <FindingBadge findings={data.findings} />}
      {data.halts && <Halt on={data.halts} />}
      {data.lit?.waits && <span className="next">{say("next")}</span>}
      {data.change && <span className={`change c-${CHANGES[data.change][0]}`}><Sign kind={CHANGES[data.change][0]} size={14} />{say(CHANGES[data.change][1])}</span>}
      {data.lit && data.lit.count > 0 && <span className="count" aria-label={sayCount(data.lit.count, "ran once", "ran {n} times")}>{data.lit.count}</span>}
    </div>
  );
});

const HALTS = { before: [later("Pauses before this node")], after: [later("Pauses after this node")], both: [later("Pauses before this node"), later("Pauses after this node")] } as const;

function Halt({ on }: { on: Breakpoint }) {
  return HALTS[on].map((text, place) => (
    <span key={text} role="img" className={`halt ${on === "after" || place > 0 ? "after" : "before"}`} aria-label={say(text)} title={say(text)} />
  ));
}

function Body({ id, data }: { id: string; data: BoxData }) {
  const act = useAct();
  return (
    <>
      <b>{data.family && <Icon name={data.family} size={15} />}{data.lit?.now && <Sign kind="now" size={14} />}{data.lit?.status === "failed" && <Sign kind="failed" size={14} />}<NodeName id={id} naming={data.naming} />
        {data.kind === "graph" && <button type="button" className="within nodrag" aria-label={say("Open {name}", { name: data.name })} title={say("Open the method inside")} onClick={() => act.store.fire("open", data.name)}><Icon name="open" /></button>}
        {data.kind === "fold" && <button type="button" className="within nodrag" aria-label={say("Open {name}", { name: data.name })} title={say("Show its nodes")} onClick={() => act.toggleFold(data.name)}><Icon name="open" /></button>}
      </b>
      {data.about && <p className="about">{data.about}</p>}
      <Facts node={data.name} facts={data.facts} />
    </>
  );
}

// A route that has an edge: no other can be drawn from it.
function Wired({ port, spent }: { port: Port; spent: string }) {
  const act = useAct();
  const edge = readEdge(port.id.replace(/#\d+$/, ""));
  const refuse = (event: React.PointerEvent) => {
    const board = boardOf(act.root.current)?.getBoundingClientRect();
    if (edge && board && !act.store.data.readonly) act.announce(takenBy(act.store.spec, edge.source, edge.route), [event.clientX - board.left, event.clientY - board.top]);
  };
  return <span className={`dot nodrag nopan o-${routeOutcome(port.route, spent)}`} style={at(port)} onPointerDown={refuse} />;
}

// A route that leads to no node: drag its name to draw an edge.
function Open({ port, node, spent }: { port: Port; node: string; spent: string }) {
  const act = useAct();
  const kind = routeOutcome(port.route, spent);
  const start = () => act.connectFrom(node, port.route);
  const title = port.lost ? say("There is no node {name}: drag it to the right one, or press Enter", { name: port.lost }) : say("Leads nowhere: drag it to a node, or press Enter");
  return (
    <>
      <span className={`stub side-${port.side}`} style={at(port)} />
      <Handle id={port.id} type="source" position={SIDES[port.side] ?? Position.Top} className={`route free side-${port.side} o-${kind}${bareClass(kind)}${port.lost ? " lost" : ""}`}
        style={at(port)} role="button" tabIndex={act.store.data.readonly ? -1 : 0} isConnectable={!act.store.data.readonly}
        aria-label={say("Connect {source}", { source: `${node}${port.route && `.${port.route}`}` })} title={title}
        onDoubleClick={start} onKeyDown={(event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); start(); } }}>
        <Sign kind={kind} size={11} /><span>{port.route || say("entry")}</span>{port.lost && <span className="no-node">→ {port.lost}</span>}
      </Handle>
    </>
  );
}

const at = (port: Port) => ({ left: port.x, top: port.y, right: "auto", bottom: "auto" });
