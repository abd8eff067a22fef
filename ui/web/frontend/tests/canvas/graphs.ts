// Graphs for the tests of the canvas.
import type { Types } from "../../src/canvas/graph/spec";
import type { NodeType, Place, Spec } from "../../src/canvas/graph/types";

function type(name: string, ...routes: string[]): [string, NodeType] {
  return [name, { name, family: "walk", summary: "", routes, reads: [], writes: [], spent: "", own: false }];
}

export const TYPES: Types = new Map([type("selector", "arm", "exhausted"), type("actor", "moved", "failed"), type("answerer", "end")]);

export function spec(change: Partial<Spec> = {}): Spec {
  return {
    name: "small", description: "",
    nodes: { select: { type: "selector" }, act: { type: "actor" }, answer: { type: "answerer" } },
    edges: ["start -> select", "select.arm => act", "act.moved -> act", "answer.end -> end"],
    positions: {}, ...change,
  };
}

// A ring of nodes with cross links, as large as asked for.
export function ring(count: number): Spec {
  const names = Array.from({ length: count }, (_, at) => `n${at}`);
  const edges = names.flatMap((name, at) => [`${name}.moved -> ${names[(at + 1) % count] ?? ""}`, `${name}.failed -> ${names[(at * 5 + 3) % count] ?? ""}`]);
  return spec({ nodes: Object.fromEntries(names.map((name) => [name, { type: "actor" }])), edges: ["start -> n0", ...edges] });
}

export function place(all: Record<string, Place>, name: string): Place {
  const found = all[name];
  if (!found) throw new Error(`${name} stands nowhere`);
  return found;
}
