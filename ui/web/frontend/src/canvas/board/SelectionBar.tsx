// The actions on the selection.
import { useState } from "react";
import { NodeToolbar, Position, useReactFlow, useStore as useFlow } from "@xyflow/react";
import { useAct } from "./canvas_context";
import { boardOf, viewBox } from "./focus";
import type { Chosen } from "../layout/flow_model";
import { copyText, duplicated, selectionOf } from "../graph/clipboard";
import { chosenNotes, withoutNotes } from "../graph/notes";
import { mainRoute } from "../graph/splice";
import type { Box } from "../layout/node_places";
import { overlap } from "../layout/overlaps";
import { Icon } from "../nodes/Icons";
import { FOLD } from "../layout/scene";
import type { Scene } from "../layout/scene";
import { connected, openRoutes, readEdge, replacedEdge, targets, withFolds, without } from "../graph/spec";
import { breakpointAt, nextBreakpoint, withBreakpoint } from "../graph/breakpoints";
import { GRAPH } from "../graph/types";
import { later, say, sayCount } from "../../shared/language";

const ROOM = 58; // what the actions need above a node
const GAP = 8; // between them and the edge of the board

export function SelectionBar({ chosen, scene }: { chosen: Chosen; scene: Scene }) {
  const act = useAct();
  const names = selectionOf(act.store.spec, chosen);
  const folds = [...chosen.nodes].filter((id) => id.startsWith(FOLD)).map((id) => id.slice(FOLD.length));
  if (act.store.data.readonly) return null;
  const [edge] = chosen.edges;
  if (!names.length && edge === undefined) return null;
  if (!names.length && edge !== undefined && chosen.edges.size === 1) return <EdgeBar text={textOf(edge)} id={edge} />;
  if (!names.length) return <EdgesBar ids={[...chosen.edges]} />;
  return <NodeBar names={names} chosen={chosen} folds={folds} scene={scene} />;
}

function NodeBar({ names, chosen, folds, scene }: { names: string[]; chosen: Chosen; folds: string[]; scene: Scene }) {
  const act = useAct();
  const flow = useReactFlow();
  const { store } = act;
  const [only = ""] = names.length === 1 ? names : [];
  const [fold = ""] = folds;
  const [one = ""] = chosen.nodes;
  const copy = () => {
    const [next, fresh] = duplicated(store.spec, scene, chosen, viewBox(flow.getViewport(), boardOf(act.root.current)));
    store.edit(next);
    act.choose(fresh);
  };
  const erase = () => {
    store.edit(withoutNotes(without(store.placed(store.spec), names, [...chosen.edges].map(textOf)), chosenNotes(chosen)));
    act.choose([]);
  };
  const whole = only && store.spec.nodes[only]?.type === GRAPH;
  const route = only ? mainRoute(store.spec, act.types, only) : undefined;
  const actions = (
    <>
      {route !== undefined && <IconButton icon="after" label={say("Add what follows")} keys="A" act={() => act.pull(only, route)} />}
      {only && openRoutes(store.spec, only, act.types).length > 0 && <IconButton icon="link" label={say("Connect")} keys="C" act={() => act.connectFrom(only)} />}
      {whole && <button type="button" className="btn" onClick={() => store.fire("open", only)}>{say("Open")}</button>}
      {whole && <button type="button" className="btn" title={say("Replace it by its nodes")} onClick={() => store.fire("unfold", only)}>{say("Unfold")}</button>}
      {folds.length > 0 && <button type="button" className="btn" onClick={() => act.toggleFold(fold)}>{say("Show nodes")}</button>}
      {folds.length > 0 && <button type="button" className="btn" title={say("Remove the group; its nodes stay")} onClick={() => store.edit(ungrouped(store, folds))}>{say("Ungroup")}</button>}
      {names.length > 1 && folds.length === 0 && <button type="button" className="btn" title={say("Make them a method inside one node")} onClick={() => store.fire("fold", names)}>{say("Fold")}</button>}
      {names.length > 1 && folds.length === 0 && <button type="button" className="btn" title={say("G: changes only the drawing")} onClick={() => group(act, names)}>{say("Draw as one")}</button>}
      {only && <BreakpointButton name={only} />}
      {chosen.nodes.size === 1 && <IconButton icon="pencil" label={say("Rename")} keys="F2" act={() => act.rename(one)} />}
      <IconButton icon="twice" label={say("Duplicate")} keys={say("Ctrl+D")} act={copy} />
      <IconButton icon="copy" label={say("Copy")} keys={say("Ctrl+C")} act={() => { if (isSecureContext) void navigator.clipboard.writeText(copyText(store.spec, scene, chosen)); }} />
      <IconButton icon="bin" label={say("Delete")} keys={say("Delete")} act={erase} />
    </>
  );
  const box = scene.boxes.get(one);
  if (chosen.nodes.size === 1 && box) return <BesideNode box={box} others={[...scene.boxes.values()].filter((other) => other !== box)}>{actions}</BesideNode>;
  return (
    <div className="bar" role="toolbar" aria-label={say("Selection")}>
      <b className="clip">{sayCount(names.length, "{n} node", "{n} nodes")}</b>
      {actions}
    </div>
  );
}

// Above the one node that is chosen, or below it, where it covers fewer of the others; within the board.
function BesideNode({ box, others, children }: { box: Box; others: Box[]; children: React.ReactNode }) {
  const [wide, setWide] = useState(0);
  const low = useFlow(({ transform: [, y, zoom], height }) => {
    const [top, bottom] = [box.y * zoom + y, (box.y + box.h) * zoom + y];
    if (top < ROOM || bottom > height - ROOM) return top < ROOM;
    const [room, w] = [ROOM / zoom, wide / zoom];
    const covered = (from: number) => others.filter((other) => overlap(other, { id: "", x: box.x + (box.w - w) / 2, y: from, w, h: room })).length;
    return covered(box.y - room) > covered(box.y + box.h);
  });
  const shift = useFlow(({ transform: [x, , zoom], width }) => {
    const middle = (box.x + box.w / 2) * zoom + x;
    return Math.max(wide / 2 + GAP, Math.min(middle, width - wide / 2 - GAP)) - middle;
  });
  return (
    <NodeToolbar nodeId={box.id} isVisible position={low ? Position.Bottom : Position.Top} offset={12} className="node-bar" style={{ marginLeft: shift }}>
      <div role="toolbar" aria-label={say("Selection")} ref={(bar) => { if (bar) setWide(bar.offsetWidth); }}>{children}</div>
    </NodeToolbar>
  );
}

function IconButton({ icon, label, keys, act }: { icon: string; label: string; keys: string; act: () => void }) {
  return <button type="button" className="btn plain" aria-label={label} title={keys === label ? label : `${label} (${keys})`} onClick={act}><Icon name={icon} size={16} /></button>;
}

type Act = ReturnType<typeof useAct>;

const HALTS = { none: later("Breakpoint"), before: later("Breakpoint: before"), after: later("Breakpoint: after"), both: later("Breakpoint: both") };

function BreakpointButton({ name }: { name: string }) {
  const { store } = useAct();
  const on = breakpointAt(store.spec, name);
  const change = () => store.edit(withBreakpoint(store.spec, name, nextBreakpoint(store.spec, name)));
  const text = say(HALTS[on ?? "none"]);
  return <button type="button" className="btn plain" aria-label={text} title={`${text} (B)`} aria-pressed={Boolean(on)} onClick={change}><Icon name="halt" size={16} /></button>;
}

function ungrouped(store: Act["store"], folds: string[]) {
  const kept = Object.entries(store.spec.folds ?? {}).filter(([name]) => !folds.includes(name));
  return withFolds(store.spec, kept);
}

// Draws nodes as one box; the graph and its hash do not change.
export function group(act: Act, names: string[]): void {
  const { spec } = act.store;
  const others = Object.entries(spec.folds ?? {}).map(([name, nodes]): [string, string[]] => [name, nodes.filter((node) => !names.includes(node))]);
  let name = "group";
  for (let number = 2; others.some(([other]) => other === name) || name in spec.nodes; number++) name = `group_${number}`;
  act.store.edit(withFolds(spec, [...others, [name, names]]));
  act.choose([FOLD + name]);
}

// Two equal edges have the same text, and a number after it here.
export function textOf(id: string): string {
  return id.replace(/#\d+$/, "");
}

function EdgesBar({ ids }: { ids: string[] }) {
  const act = useAct();
  return (
    <div className="bar" role="toolbar" aria-label={say("Edges")}>
      <b className="clip">{sayCount(ids.length, "{n} edge", "{n} edges")}</b>
      <button type="button" className="btn plain" title={say("Delete")} onClick={() => { act.store.edit(without(act.store.placed(act.store.spec), [], ids.map(textOf))); act.choose([]); }}>{say("Delete")}</button>
    </div>
  );
}

function EdgeBar({ text, id }: { text: string; id: string }) {
  const act = useAct();
  const { store } = act;
  const edge = readEdge(text);
  if (!edge) return null;
  const rest = without(store.spec, [], [text]);
  const open = targets(rest, act.types, edge.source, edge.route);
  const put = (change: Partial<typeof edge>) => {
    const fresh = { ...edge, ...change };
    const next = store.spec.edges.filter((each) => each === text).length > 1 ? connected(rest, fresh) : replacedEdge(store.spec, text, fresh);
    store.edit(next);
    act.choose([], [next.edges.find((each) => readEdge(each)?.source === edge.source && readEdge(each)?.route === edge.route) ?? id]);
  };
  return (
    <div className="bar" role="toolbar" aria-label={say("Edge")}>
      <b className="clip">{edge.source}{edge.route && `.${edge.route}`}</b>
      <label>{say("leads to")}<select aria-label={say("Target")} value={edge.target} onChange={(event) => put({ target: event.target.value })}>
        {!open.includes(edge.target) && <option>{edge.target}</option>}
        {open.map((each) => <option key={each}>{each}</option>)}
      </select></label>
      {(edge.fan || store.spec.nodes[edge.target]?.type === GRAPH) && (
        <label className="check" title={say("In parallel: each drawn arm has its own branch and state")}><input type="checkbox" checked={edge.fan} onChange={(event) => put({ fan: event.target.checked })} />{say("one branch for each arm")}</label>
      )}
      <button type="button" className="btn plain" title={say("Delete")} onClick={() => { store.edit(rest); act.choose([]); }}>{say("Delete")}</button>
    </div>
  );
}
