// What a route can lead on to: nodes of the graph, its end, and new nodes of each type.
import { families } from "./node_summary";
import { mainRoute } from "./splice";
import { added, connected, openRoutes, targets } from "./spec";
import type { Types } from "./spec";
import { END, START } from "./types";
import type { NodeType, Place, Spec } from "./types";
import { say, sayTold } from "../../shared/language";

export interface Continuation { name: string; fresh: boolean; family: string; about: string }
export interface Pull { source: string; route: string }

// With a text, those that have it in their names come first, the closest before all; else nodes of the graph come last.
export function continuations(spec: Spec, types: Types, all: NodeType[], { source, route }: Pull, text: string): Continuation[] {
  const wanted = text.trim().toLowerCase();
  const here = targets(spec, types, source, route).map((name): Continuation => ({ name, fresh: false, family: say("In this graph"), about: name === END ? "" : spec.nodes[name]?.type ?? "" }));
  const fresh = families(all).flatMap(([family, found]) => found.map(({ name, summary }): Continuation => ({ name, fresh: true, family, about: say(sayTold(summary)) })));
  if (!wanted) return [...fresh, ...here];
  const ranked = [...here, ...fresh].map((each) => ({ each, rank: rankOf(each, wanted) })).filter(({ rank }) => rank < 4);
  return ranked.sort((one, other) => one.rank - other.rank).map(({ each }) => each);
}

function rankOf({ name, family, about }: Continuation, wanted: string): number {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  return `${family} ${about}`.toLowerCase().includes(wanted) ? 3 : 4;
}

// The graph with the route led on, and the node that it leads to.
export function continued(spec: Spec, { source, route }: Pull, to: Continuation, place: Place): [Spec, string] {
  const [next, target] = to.fresh ? added(spec, to.name, place) : [spec, to.name];
  return [connected(next, { source, route, target, fan: false }), target];
}

// Which route is next: the main one of the node just reached, else the first that leads nowhere.
export function nextPull(spec: Spec, types: Types, name: string): Pull | null {
  const main = mainRoute(spec, types, name);
  if (main !== undefined) return { source: name, route: main };
  for (const source of [START, ...Object.keys(spec.nodes)]) {
    const [route] = openRoutes(spec, source, types);
    if (route !== undefined) return { source, route };
  }
  return null;
}
