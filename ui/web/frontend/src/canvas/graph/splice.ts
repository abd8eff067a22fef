// Puts a node on an edge, between the two nodes that it joined; or says why that is not possible.
import { unopened } from "./links";
import { routeOutcome } from "./route_outcome";
import type { Outcome } from "./route_outcome";
import { edgesOf, openRoutes, readEdge, replacedEdge, routesOf, written } from "./spec";
import type { Edge, Types } from "./spec";
import { enoughRoute, isEnding, whereAnswered, whereWorkGoesOn } from "./verdict_routes";
import { GRAPH } from "./types";
import type { Spec } from "./types";
import { say } from "../../shared/language";

export type Spliced = { spec: Spec; led: Edge[] } | { refused: string };

const ELSE = "else";
const BEST: Outcome[] = ["found", "pass", "plain", "partial", "nothing", "failed"];

// The route that goes on along the way: of those that lead nowhere yet, the one of a branch whose rules do not hold, else the one
// with the best outcome.
export function mainRoute(spec: Spec, types: Types, name: string, open = openRoutes(spec, name, types)): string | undefined {
  const node = spec.nodes[name];
  const spent = types.get(node?.type ?? "")?.spent ?? "";
  const otherwise = open.find((route) => route === (node?.params?.otherwise ?? ELSE));
  const rank = (route: string) => BEST.indexOf(routeOutcome(route, spent));
  return otherwise ?? [...open].sort((one, other) => rank(one) - rank(other))[0];
}

export function spliced(spec: Spec, types: Types, text: string, name: string): Spliced {
  const edge = readEdge(text);
  if (!edge || !(name in spec.nodes)) return { refused: say("That edge is no longer there.") };
  if (edge.fan && spec.nodes[name]?.type !== GRAPH) return { refused: say("{edge} gives each arm its own branch: only a node of type graph can stand in it.", { edge: text }) };
  const led = replacedEdge(spec, text, { ...edge, target: name });
  const onward = ways(led, types, name, edge.target);
  if (!onward.length) return { refused: unopened(spec, types, name) || say("{node} has no route that could lead on.", { node: name }) };
  const at = led.edges.indexOf(written({ ...edge, target: name }));
  return { spec: { ...led, edges: led.edges.toSpliced(at + 1, 0, ...onward.map(written)) }, led: onward };
}

// The main route leads to where the edge went. A judge has two ways on: where there is enough, to the answer; else, to where
// the work goes on. The edge went along one of them, and the rest of the graph says where the other leads.
function ways(spec: Spec, types: Types, name: string, target: string): Edge[] {
  const open = openRoutes(spec, name, types);
  const enough = enoughRoute(spec, types, name);
  const others = open.filter((route) => route !== enough);
  const to = (route: string | undefined, end: string | undefined): Edge[] => (route === undefined || end === undefined ? [] : [{ source: name, route, target: end, fan: false }]);
  if (!open.includes(enough) || !others.length) return to(mainRoute(spec, types, name), target);
  const goesOn = mainRoute(spec, types, name, others) ?? "";
  if (isEnding(spec, types, target)) return [...to(enough, target), ...to(goesOn, whereWorkGoesOn(spec, types, name, goesOn))];
  return [...to(goesOn, target), ...to(enough, whereAnswered(spec, types, name, enough))];
}

// Only a node that no edge touches is put on one by dragging it there.
export function isLoose(spec: Spec, types: Types, name: string): boolean {
  return name in spec.nodes && routesOf(spec, name, types).length > 0 && edgesOf(spec).every(({ source, target }) => source !== name && target !== name);
}
