// Where the routes of a judge lead: to the part of the graph that ends it, or back to where more is found.
import { edgesOf } from "./spec";
import type { Edge, Types } from "./spec";
import { END, GRAPH, START } from "./types";
import type { Spec } from "./types";

const ANSWER = "answer";
const EVIDENCE = "evidence";

// The route on which what was found is enough; empty for a node that is no judge.
export function enoughRoute(spec: Spec, types: Types, name: string): string {
  const type = types.get(spec.nodes[name]?.type ?? "");
  return type?.node_enough?.[name] ?? type?.enough ?? "";
}

// Is only the end left there: does nothing behind it find more?
export function isEnding(spec: Spec, types: Types, target: string): boolean {
  const behind = [...reached(edgesOf(spec), target)];
  return behind.includes(END) && behind.every((name) => spec.nodes[name]?.type !== GRAPH && !writes(spec, types, name).includes(EVIDENCE));
}

// A node of the part that ends the graph: where the presets lead the route, else one that writes the answer, else the first; else the end.
export function whereAnswered(spec: Spec, types: Types, name: string, route: string): string | undefined {
  const found = [...reached(edgesOf(spec), START)].filter((each) => each in spec.nodes && each !== name && isEnding(spec, types, each));
  const usual = followers(spec, types, name, route);
  const end = edgesOf(spec).some(({ target }) => target === END) ? END : undefined;
  return best(found, (each) => 100 * usual(each) + Number(writes(spec, types, each).includes(ANSWER))) ?? end;
}

// A node on a way to this one: where the presets lead the route, else one that walks. What would never end is left out.
export function whereWorkGoesOn(spec: Spec, types: Types, name: string, route: string): string | undefined {
  const edges = edgesOf(spec);
  const back = edges.map((edge) => ({ ...edge, source: edge.target, target: edge.source }));
  const bounded = (target: string) => !reached(edgesUnspent(spec, types, [...edges, { source: name, route, target, fan: false }]), target).has(name);
  const found = [...reached(back, name)].filter((each) => each in spec.nodes && each !== name && !isEnding(spec, types, each) && bounded(each));
  const usual = followers(spec, types, name, route);
  const walks = (each: string) => Number(Boolean(types.get(spec.nodes[each]?.type ?? "")?.spent));
  return best(found, (each) => 100 * usual(each) + walks(each));
}

// What is left when each node with a budget takes the route of its spent budget.
function edgesUnspent(spec: Spec, types: Types, edges: Edge[]): Edge[] {
  return edges.filter(({ source, route }) => [route, ""].includes(types.get(spec.nodes[source]?.type ?? "")?.spent ?? ""));
}

const writes = (spec: Spec, types: Types, name: string) => types.get(spec.nodes[name]?.type ?? "")?.writes ?? [];

// How often the type of a node follows on the route in the presets.
function followers(spec: Spec, types: Types, name: string, route: string): (each: string) => number {
  const known = types.get(spec.nodes[name]?.type ?? "")?.followed?.[route] ?? {};
  return (each) => known[spec.nodes[each]?.type ?? ""] ?? 0;
}

const best = (names: string[], weight: (name: string) => number) =>
  [...names].sort((one, other) => weight(other) - weight(one))[0];

function reached(edges: Edge[], from: string): Set<string> {
  const found = new Set([from]);
  for (const name of found) for (const { source, target } of edges) if (source === name) found.add(target);
  return found;
}
