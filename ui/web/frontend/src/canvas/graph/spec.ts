// Reads and changes a graph, apart from its drawing. All functions are pure.
import { movedBreakpoints } from "./breakpoints";
import { END, GRAPH, START } from "./types";
import type { NodeType, Place, Spec } from "./types";
import { say } from "../../shared/language";

export interface Edge { source: string; route: string; target: string; fan: boolean }
export type Types = ReadonlyMap<string, NodeType>;

const EDGE = /^\s*([^\s.]+?)(?:\.([^\s.]+))?\s*(->|=>)\s*([^\s.]+)\s*$/;

export function readEdge(text: string): Edge | null {
  const found = EDGE.exec(text);
  if (!found) return null;
  const [, source = "", route = "", arrow, target = ""] = found;
  return { source, route, target, fan: arrow === "=>" };
}

export function written({ source, route, target, fan }: Edge): string {
  return `${source}${route && `.${route}`} ${fan ? "=>" : "->"} ${target}`;
}

export function edgesOf(spec: Spec): Edge[] {
  return spec.edges.map(readEdge).filter((edge) => edge !== null);
}

// The routes out of a node; if its type is not known, those of its edges.
export function routesOf(spec: Spec, name: string, types: Types): string[] {
  if (name === START) return [""];
  const type = spec.nodes[name]?.type ?? "";
  if (type === GRAPH) return [END];
  const drawn = edgesOf(spec).filter((edge) => edge.source === name).map((edge) => edge.route);
  const known = types.get(type);
  return [...new Set([...(known?.node_routes?.[name] ?? known?.routes ?? []), ...drawn])];
}

export function openRoutes(spec: Spec, name: string, types: Types): string[] {
  const wired = new Set(edgesOf(spec).filter((edge) => edge.source === name && leadsTo(spec, edge.target)).map((edge) => edge.route));
  return routesOf(spec, name, types).filter((route) => !wired.has(route));
}

const leadsTo = (spec: Spec, target: string) => target === END || target in spec.nodes;

// The name to which a route leads though no node has it; empty if there is none.
export function lostTarget(spec: Spec, name: string, route: string): string {
  return edgesOf(spec).find((edge) => edge.source === name && edge.route === route && !leadsTo(spec, edge.target))?.target ?? "";
}

// Why an edge cannot be drawn; empty if it can.
export function refusal(spec: Spec, types: Types, source: string, route: string, target: string): string {
  if (target === START) return say("Nothing leads into start.");
  if (source === END) return say("Nothing leads out of end.");
  if (source === START && target === END) return say("The entry leads to a node.");
  if (target !== END && !(target in spec.nodes)) return say("There is no node {target}.", { target });
  const taken = takenBy(spec, source, route);
  if (taken) return taken;
  if (!routesOf(spec, source, types).includes(route)) return say("{source} has no route {route}.", { source, route });
  return "";
}

// Why a route takes no other edge: it has one already. Empty if it has none.
export function takenBy(spec: Spec, source: string, route: string): string {
  const taken = edgesOf(spec).find((edge) => edge.source === source && edge.route === route && leadsTo(spec, edge.target));
  return taken ? say("{source} already leads to {target}. Lead that edge elsewhere, or delete it first.", { source: `${source}${route && `.${route}`}`, target: taken.target }) : "";
}

// In place of an edge of the same route that leads to no node.
export function connected(spec: Spec, edge: Edge): Spec {
  const lost = lostTarget(spec, edge.source, edge.route);
  const kept = spec.edges.filter((text) => {
    const old = readEdge(text);
    return !lost || old?.source !== edge.source || old.route !== edge.route;
  });
  return { ...spec, edges: [...kept, written(edge)] };
}

// The nodes that an edge can lead to, and the end.
export function targets(spec: Spec, types: Types, source: string, route: string): string[] {
  return [...Object.keys(spec.nodes), END].filter((target) => !refusal(spec, types, source, route, target));
}

// All edges into a node fan out, or none: do those of this one?
export function fanned(spec: Spec, target: string): boolean {
  return edgesOf(spec).some((edge) => edge.target === target && edge.fan);
}

export function without(spec: Spec, names: readonly string[], texts: readonly string[] = []): Spec {
  const gone = new Set(names);
  const keep = <T>(all: Record<string, T>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !gone.has(name)));
  const edges = spec.edges.filter((text) => {
    const edge = readEdge(text);
    return !texts.includes(text) && !(edge && (gone.has(edge.source) || gone.has(edge.target)));
  });
  return withFolds(
    { ...spec, nodes: keep(spec.nodes), positions: keep(spec.positions), edges, ...movedBreakpoints(spec, (name) => (gone.has(name) ? null : name)) },
    Object.entries(spec.folds ?? {}).map(([name, nodes]) => [name, nodes.filter((node) => !gone.has(node))]),
  );
}

// The entries with these names, in the order of the names.
export function pick<T>(all: Record<string, T>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(names.flatMap((name) => {
    const value = all[name];
    return value === undefined ? [] : [[name, value] as const];
  }));
}

// Drops groups without nodes; a graph that has no groups does not mention them.
export function withFolds(spec: Spec, folds: [string, string[]][]): Spec {
  const { folds: old, ...rest } = spec;
  const kept = folds.filter(([, nodes]) => nodes.length > 0);
  return kept.length || old ? { ...rest, folds: Object.fromEntries(kept) } : rest;
}

export function replacedEdge(spec: Spec, old: string, edge: Edge): Spec {
  return { ...spec, edges: spec.edges.map((text) => (text === old ? written(edge) : text)) };
}

export function freeName(wanted: string, taken: Record<string, unknown>): string {
  const clean = wanted.toLowerCase().replace(/[^a-z0-9_]+/g, "_").replace(/^[^a-z]+/, "") || "node";
  const stem = clean.slice(0, 36);
  if (!(stem in taken) && stem !== START && stem !== END) return stem;
  const root = stem.replace(/_\d+$/, "");
  for (let number = 2; ; number++) {
    const name = `${root}_${number}`;
    if (!(name in taken)) return name;
  }
}

export function added(spec: Spec, type: string, place: Place): [Spec, string] {
  const name = freeName(type, spec.nodes);
  const nodes = { ...spec.nodes, [name]: { type, params: {} } };
  return [{ ...spec, nodes, positions: { ...spec.positions, [name]: place } }, name];
}
