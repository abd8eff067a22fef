// The scene as nodes and edges of React Flow.
import type { Box } from "./node_places";
import { FOLD } from "./scene";
import type { Scene } from "./scene";
import { readEdge, written } from "../graph/spec";
import type { Types } from "../graph/spec";
import type { GroupFrameNode } from "../nodes/GroupFrame";
import type { BoxData, BoxNode } from "../nodes/NodeBox";
import type { LineEdge } from "../nodes/EdgeLine";
import { END, GRAPH, START } from "../graph/types";
import { breakpointAt } from "../graph/breakpoints";
import type { Breakpoint, Data, Finding, Spec } from "../graph/types";
import type { RunOverlay } from "../run/run_overlay";
import type { NoteNode } from "../nodes/NoteBox";
import { noteId, notesOf } from "../graph/notes";
import { REMOVED } from "../graph/removed_nodes";
import { shownName } from "../graph/rename";
import { nodeFacts, summarizeNode } from "../graph/node_summary";
import { say, sayCount, sayTold } from "../../shared/language";

interface Told { index: number; finding: Finding }
export interface Chosen { nodes: ReadonlySet<string>; edges: ReadonlySet<string> }

export function flowNodes(spec: Spec, scene: Scene, types: Types, data: Data, lights: RunOverlay | null): BoxNode[] {
  const told = byPlace(data.findings, (text) => edgeOwner(spec, text));
  return [...scene.boxes.values()].map((box): BoxNode => {
    const kind = kindOf(box.id, spec);
    return {
      id: box.id, type: "box", position: { x: box.x, y: box.y }, width: box.w, height: box.h,
      draggable: !data.readonly, deletable: false, zIndex: scene.open.has(box.id) ? 2 : 0, // routes to draw from stand above names
      ariaLabel: labelOf(box, kind, spec, data), data: boxData(box.id, kind, spec, scene, types, data, told, lights),
    };
  });
}

// Notes lie behind all the rest.
export function flowNotes(spec: Spec, data: Data): NoteNode[] {
  return notesOf(spec).map(([name, { text, colour, place: [x, y, width, height] }]): NoteNode => ({
    id: noteId(name), type: "note", position: { x, y }, width, height, data: { text, colour, naming: false }, zIndex: -1,
    draggable: !data.readonly, connectable: false, deletable: false, ariaLabel: say("Note: {text}", { text }),
  }));
}

// A frame behind the nodes of each open group.
export function flowFrames(spec: Spec, scene: Scene, opened: ReadonlySet<string>): GroupFrameNode[] {
  return Object.entries(spec.folds ?? {}).flatMap(([name, inside]): GroupFrameNode[] => {
    const boxes = inside.flatMap((each) => scene.boxes.get(each) ?? []);
    if (!opened.has(name) || !boxes.length) return [];
    const [left, top] = [Math.min(...boxes.map((box) => box.x)) - 20, Math.min(...boxes.map((box) => box.y)) - 34];
    const width = Math.max(...boxes.map((box) => box.x + box.w)) + 20 - left;
    const height = Math.max(...boxes.map((box) => box.y + box.h)) + 20 - top;
    return [{
      id: `frame:${name}`, type: "frame", position: { x: left, y: top }, width, height, data: { name },
      draggable: false, selectable: false, focusable: false, connectable: false, zIndex: 0,
    }];
  });
}

function kindOf(id: string, spec: Spec): BoxData["kind"] {
  if (id === START || id === END) return "pill";
  if (id.startsWith(FOLD)) return "fold";
  const type = spec.nodes[id]?.type;
  return type === GRAPH ? "graph" : type === REMOVED ? "ghost" : "node";
}

function labelOf(box: Box, kind: BoxData["kind"], spec: Spec, data: Data): string {
  if (kind === "pill") return box.id;
  return kind === "fold" ? say("Group {name}", { name: box.id.slice(FOLD.length) }) : [say("Node {node}", { node: shownName(data, box.id) }), summaryOf(spec, box.id)].filter(Boolean).join(", ");
}

function summaryOf(spec: Spec, name: string): string {
  const node = spec.nodes[name];
  return node && node.type !== REMOVED ? summarizeNode(node) : "";
}

function boxData(
  id: string, kind: BoxData["kind"], spec: Spec, scene: Scene, types: Types, data: Data,
  told: Map<string, Told[]>, lights: RunOverlay | null,
): BoxData {
  const name = kind === "fold" ? id.slice(FOLD.length) : id;
  const inside = kind === "fold" ? (spec.folds?.[name] ?? []) : [name];
  const node = spec.nodes[name];
  const type = types.get(node?.type ?? "");
  const runs = inside.map((each) => lights?.nodes[each]);
  return {
    name, kind, facts: kind === "fold" ? [{ text: sayCount(inside.length, "group, {n} node", "group, {n} nodes") }] : node && kind !== "ghost" ? nodeFacts(node, spec.parameters) : [],
    about: kind === "node" ? node?.description || sayTold(type?.summary ?? "") : kind === "graph" ? node?.description ?? "" : "", family: kind === "graph" ? GRAPH : type?.family ?? "",
    title: [node?.description ?? "", sayTold(type?.summary ?? "")].filter(Boolean).join("\n"), spent: type?.spent ?? "",
    wired: scene.wired.get(id) ?? [], entered: scene.entered.get(id) ?? [], open: scene.open.get(id) ?? [], naming: false,
    findings: inside.flatMap((each) => told.get(each) ?? []),
    change: inside.map((each) => data.diff?.[each]).find(Boolean),
    halts: kind === "fold" ? inside.map((each) => breakpointAt(spec, each)).find(Boolean) : breakpointAt(spec, id) ?? haltsInside(spec, id),
    lit: lights && {
      count: runs.reduce((sum, run) => sum + (run?.count ?? 0), 0),
      status: runs.findLast(Boolean)?.status ?? "", now: inside.some((each) => lights.now.includes(each)),
      waits: inside.some((each) => lights.waiting.includes(each)),
    },
  };
}

// A breakpoint inside a graph is shown at the node that holds it.
function haltsInside(spec: Spec, id: string): Breakpoint | undefined {
  return Object.keys(spec.breakpoints ?? {}).some((path) => path.startsWith(`${id}/`)) ? "before" : undefined;
}

// A finding inside a graph (`walk/act`) is shown at the node that holds it.
function byPlace(findings: Finding[], owner: (place: string) => string = (place) => place): Map<string, Told[]> {
  const found = new Map<string, Told[]>();
  findings.forEach((finding, index) => {
    const places = [finding.at, ...finding.also].map((place) => owner(place.split("/")[0] ?? ""));
    for (const at of new Set(places)) found.set(at, [...(found.get(at) ?? []), { index, finding }]);
  });
  return found;
}

// An edge that leads to no node, or comes from none, is not drawn: what is found there is shown at its other end.
function edgeOwner(spec: Spec, place: string): string {
  const edge = readEdge(place);
  if (!edge) return place;
  const [from, to] = [edge.source === START || edge.source in spec.nodes, edge.target === END || edge.target in spec.nodes];
  return from && to ? place : from ? edge.source : edge.target;
}

export function flowEdges(spec: Spec, scene: Scene, types: Types, data: Data, lights: RunOverlay | null): LineEdge[] {
  const told = byPlace(data.findings);
  return scene.lines.map(({ id, edge, from, to, way, label, before }): LineEdge => {
    const text = written(edge);
    return {
      id, type: "line", source: from, target: to, sourceHandle: `out:${id}`, targetHandle: `in:${id}`,
      focusable: false, deletable: false,
      data: {
        text, route: edge.route, spent: types.get(spec.nodes[edge.source]?.type ?? "")?.spent ?? "", fan: edge.fan,
        way, label, before,
        findings: told.get(text) ?? [], change: data.diff?.[text], count: lights?.edges[text] ?? 0, carried: lights?.carried[text] ?? "", fresh: lights?.fresh.includes(text) ?? false,
      },
    };
  });
}
