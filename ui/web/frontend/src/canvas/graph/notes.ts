// Notes that lie on the canvas. On it their ids begin with `note:`, so that no node has the same.
import type { Chosen } from "../layout/flow_model";
import type { Note, Place, Spec } from "./types";

const NOTE = "note:";
const SIZE: Place = [220, 120];
const GAP = 12; // between a note and what stands beside it
const STEP = 40;

export const noteId = (name: string): string => NOTE + name;

// The name of a note by its id on the canvas; empty for everything else.
export function noteName(id: string): string {
  return id.startsWith(NOTE) ? id.slice(NOTE.length) : "";
}

// Those of this graph, and not of a graph inside one of its nodes.
export function notesOf(spec: Spec): [string, Note][] {
  return Object.entries(spec.notes ?? {}).filter(([name]) => !name.includes("/"));
}

// The nearest place to the one wanted at which a note covers nothing.
export function freeNotePlace(taken: readonly { x: number; y: number; w: number; h: number }[], [x, y]: Place): Place {
  const clear = ([left, top]: Place) => taken.every((box) => left + SIZE[0] + GAP <= box.x || box.x + box.w + GAP <= left || top + SIZE[1] + GAP <= box.y || box.y + box.h + GAP <= top);
  for (let ring = 0; ring < 60; ring++) {
    const around: Place[] = [];
    for (let across = -ring; across <= ring; across++) {
      for (let down = -ring; down <= ring; down++) {
        if (Math.max(Math.abs(across), Math.abs(down)) === ring) around.push([x + across * STEP, y + down * STEP]);
      }
    }
    const found = around.filter(clear).sort((one, other) => Math.hypot(one[0] - x, one[1] - y) - Math.hypot(other[0] - x, other[1] - y))[0];
    if (found) return found;
  }
  return [x, y];
}

export function addedNote(spec: Spec, [x, y]: Place): [Spec, string] {
  const name = freeNote(spec.notes ?? {});
  const note: Note = { text: "", colour: "yellow", place: [Math.round(x), Math.round(y), ...SIZE] };
  return [{ ...spec, notes: { ...spec.notes, [name]: note } }, noteId(name)];
}

export function freeNote(notes: Record<string, Note>): string {
  let number = 1;
  while (`note_${number}` in notes) number++;
  return `note_${number}`;
}

export function changedNote(spec: Spec, id: string, change: Partial<Note>): Spec {
  const [name, old] = [noteName(id), spec.notes?.[noteName(id)]];
  if (!old) return spec;
  const note = { ...old, ...change };
  return JSON.stringify(note) === JSON.stringify(old) ? spec : { ...spec, notes: { ...spec.notes, [name]: note } };
}

export function withoutNotes(spec: Spec, names: Iterable<string>): Spec {
  const gone = new Set(names);
  const kept = Object.entries(spec.notes ?? {}).filter(([name]) => !gone.has(name));
  return kept.length === Object.keys(spec.notes ?? {}).length ? spec : { ...spec, notes: Object.fromEntries(kept) };
}

// The names of those that are selected.
export const chosenNotes = (chosen: Chosen): string[] => [...chosen.nodes].map(noteName).filter(Boolean);
