// Copies nodes and notes as JSON, so that they can be pasted into another graph.
import type { Chosen } from "../layout/flow_model";
import { CELL, free, NODE } from "../layout/node_places";
import type { Box } from "../layout/node_places";
import { roomIn } from "../layout/free_room";
import { labelBox, overlap, runsThrough } from "../layout/overlaps";
import { FOLD } from "../layout/scene";
import type { Scene } from "../layout/scene";
import { chosenNotes, freeNote, noteId } from "./notes";
import { edgesOf, freeName, pick, readEdge, written } from "./spec";
import type { NodeSpec, Note, Place, Spec } from "./types";

interface Piece { nodes: Record<string, NodeSpec>; edges: string[]; positions: Record<string, Place>; notes: Record<string, Note> }

const AWAY: Place = [40, 100];

// The selected nodes, including those of closed groups.
export function selectionOf(spec: Spec, chosen: Chosen): string[] {
  const inside = [...chosen.nodes].flatMap((id) => (id.startsWith(FOLD) ? (spec.folds?.[id.slice(FOLD.length)] ?? []) : [id]));
  return [...new Set(inside)].filter((name) => name in spec.nodes);
}

// React Flow also reports the edges of the nodes inside a frame: they go with their nodes.
export function chosenAfter(old: Chosen, picked: readonly { id: string; selected: boolean }[], edges: boolean, framed: boolean): Chosen {
  const next = new Set(edges ? old.edges : old.nodes);
  for (const { id, selected } of picked) {
    if (!selected) next.delete(id);
    else if (!edges || !framed) next.add(id);
  }
  return edges ? { ...old, edges: next } : { ...old, nodes: next };
}

function pieceOf(spec: Spec, scene: Scene, chosen: Chosen): Piece {
  const names = selectionOf(spec, chosen);
  const inside = new Set(names);
  const edges = edgesOf(spec).filter(({ source, target }) => inside.has(source) && inside.has(target)).map(written);
  const nodes = pick(spec.nodes, names);
  const positions = Object.fromEntries(names.map((name) => [name, scene.places[name] ?? [0, 0] as Place]));
  return { nodes, edges, positions, notes: pick(spec.notes ?? {}, chosenNotes(chosen)) };
}

export function copyText(spec: Spec, scene: Scene, chosen: Chosen): string {
  return JSON.stringify(pieceOf(spec, scene, chosen), null, 1);
}

// The graph with copies, and their ids on the canvas. They stand in the part of the drawing that is in view, if there is room.
export function duplicated(spec: Spec, scene: Scene, chosen: Chosen, view: Box | null = null): [Spec, string[]] {
  return put(spec, scene, pieceOf(spec, scene, chosen), view);
}

// Pastes text into the graph; null if it holds no nodes or notes.
export function pasted(spec: Spec, scene: Scene, text: string, view: Box | null = null): [Spec, string[]] | null {
  const piece = read(text);
  return piece && put(spec, scene, piece, view);
}

function read(text: string): Piece | null {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  const { nodes, edges, positions, notes = {} } = (data ?? {}) as Partial<Record<keyof Piece, unknown>>;
  if (!isRecord(notes) || !Object.values(notes).every(isNote)) return null;
  if (!isRecord(nodes) || !Object.values(nodes).every((node) => isRecord(node) && typeof node.type === "string")) return null;
  const place = (value: unknown): value is Place => isNumbers(value, 2);
  return {
    nodes: nodes as Piece["nodes"],
    edges: Array.isArray(edges) ? edges.filter((edge) => typeof edge === "string") : [],
    positions: Object.fromEntries(Object.entries(isRecord(positions) ? positions : {}).filter((entry): entry is [string, Place] => place(entry[1]))),
    notes: notes as Piece["notes"],
  };
}

const isNumbers = (value: unknown, length: number): boolean => Array.isArray(value) && value.length === length && value.every(Number.isFinite);

const isNote = (value: unknown): boolean => isRecord(value) && typeof value.text === "string" && typeof value.colour === "string" && isNumbers(value.place, 4);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function put(spec: Spec, scene: Scene, piece: Piece, view: Box | null): [Spec, string[]] {
  const names = new Map<string, string>();
  const nodes = { ...spec.nodes };
  const positions = { ...scene.places };
  const old = Object.values(piece.positions);
  const corner: Place = old.length ? [Math.min(...old.map(([x]) => x)), Math.min(...old.map(([, y]) => y))] : [0, 0];
  for (const [name, node] of Object.entries(piece.nodes)) {
    const fresh = freeName(name, nodes);
    names.set(name, fresh);
    nodes[fresh] = structuredClone(node);
  }
  const copies = [...names].map(([name, fresh]): Box => {
    const [x, y] = piece.positions[name] ?? corner;
    return { id: fresh, x: x + AWAY[0], y: y + AWAY[1], ...NODE };
  });
  const [across, down] = (view && roomIn(view, scene, copies)) ?? [0, roomBelow(scene, copies)];
  for (const { id, x, y } of copies) positions[id] = free(positions, id, [x + across, y + down]);
  const edges = piece.edges.flatMap((text) => {
    const edge = readEdge(text);
    const [source, target] = [names.get(edge?.source ?? ""), names.get(edge?.target ?? "")];
    return edge && source && target ? [written({ ...edge, source, target })] : [];
  });
  const notes = { ...spec.notes };
  const [right, lower] = shiftOf(piece, names, positions);
  const fresh = Object.values(piece.notes).map(({ text, colour, place: [x, y, w, h] }) => {
    const name = freeNote(notes);
    notes[name] = { text, colour, place: [Math.round(x + right), Math.round(y + lower), w, h] };
    return noteId(name);
  });
  return [{ ...spec, nodes, positions, notes, edges: [...spec.edges, ...edges] }, [...names.values(), ...fresh]];
}

// How far down copies have to go so that they cover no node, line or name.
function roomBelow(scene: Scene, copies: Box[]): number {
  const taken = [...scene.boxes.values(), ...scene.lines.map(labelBox)];
  const covers = (box: Box) => taken.some((other) => overlap(box, other)) || scene.lines.some(({ way }) => runsThrough(way, box));
  const bottom = Math.max(0, ...taken.map(({ y, h }) => y + h));
  let down = 0;
  while (down < bottom + NODE.h && copies.some((box) => covers({ ...box, y: box.y + down }))) down += CELL;
  return down;
}

// How far the copy of the first node stands from it: notes go with it.
function shiftOf(piece: Piece, names: Map<string, string>, positions: Record<string, Place>): Place {
  const [[name = "", fresh = ""] = []] = names;
  const [from, to] = [piece.positions[name], positions[fresh]];
  return from && to ? [to[0] - from[0], to[1] - from[1]] : AWAY;
}
