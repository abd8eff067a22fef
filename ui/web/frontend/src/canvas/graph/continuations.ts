// What a route can lead on to: nodes of the graph, its end, and new nodes of each type.
import { families } from "./node_summary";
import { mainRoute } from "./splice";
import { added, connected, edgesOf, openRoutes, targets } from "./spec";
import type { Types } from "./spec";
import { END, GRAPH, START } from "./types";
import type { NodeType, Place, Spec } from "./types";
import { say, sayTold } from "../../shared/language";

export interface Continuation { name: string; fresh: boolean; family: string; about: string; lacks: string[]; why: "" | "needed" | "common" } // lacks: keys that nobody has written by then
export interface Pull { source: string; route: string }

// With a text, those that have it in their names come first, the closest before all; else what the graph needs, what follows
// in the presets, the other new nodes, those of the graph, and last the types that need what nobody has written by then.
export function continuations(spec: Spec, types: Types, all: NodeType[], { source, route }: Pull, text: string): Continuation[] {
  const wanted = text.trim().toLowerCase();
  const here = targets(spec, types, source, route).map((name): Continuation => ({ name, fresh: false, family: say("In this method"), about: name === END ? "" : spec.nodes[name]?.type ?? "", lacks: [], why: "" }));
  const written = writtenAfter(spec, types, source);
  const fresh = families(all).flatMap(([family, found]) => found.map(({ name, summary, needs = [] }): Continuation => ({
    name, fresh: true, family, about: say(sayTold(summary)), lacks: written ? needs.filter((key) => !written.has(key)) : [], why: "",
  })));
  const lacking = ({ lacks }: Continuation) => Number(lacks.length > 0);
  const reasons = reasonsFor(spec, types, { source, route });
  const explained = [...fresh.filter((each) => !lacking(each)), ...here, ...fresh.filter(lacking)].map((each) => ({ each, ...reasons(each) }));
  const shown = explained.map(({ each, why, times }) => ({ each: { ...each, why }, times }));
  if (!wanted) return shown.sort((one, other) => weightOf(other) - weightOf(one)).map(({ each }) => each);
  const ranked = shown.map(({ each }) => each).sort((one, other) => Number(one.fresh) - Number(other.fresh)).map((each) => ({ each, rank: rankOf(each, wanted) })).filter(({ rank }) => rank < 4);
  return ranked.sort((one, other) => one.rank - other.rank || lacking(one.each) - lacking(other.each)).map(({ each }) => each);
}

const WEIGHTS = { needed: 1000, common: 1, "": 0 };

const weightOf = ({ each: { why }, times }: { each: Continuation; times: number }) => WEIGHTS[why] + times;

// A node is needed that nothing leads to, or whose type writes what another node waits for; common is what follows in the presets.
function reasonsFor(spec: Spec, types: Types, { source, route }: Pull): (one: Continuation) => { why: Continuation["why"]; times: number } {
  const edges = edgesOf(spec);
  const reached = new Set(edges.map(({ target }) => target));
  const names = Object.keys(spec.nodes);
  const typeOf = (name: string) => types.get(spec.nodes[name]?.type ?? "");
  const written = new Set(names.flatMap((name) => typeOf(name)?.writes ?? []));
  const missing = new Set(names.flatMap((name) => typeOf(name)?.needs ?? []).filter((key) => !written.has(key)));
  const followed = types.get(source === START ? START : spec.nodes[source]?.type ?? "")?.followed?.[route] ?? {};
  return ({ name, fresh, lacks }) => {
    const type = fresh ? name : name === END ? END : spec.nodes[name]?.type ?? "";
    const times = lacks.length ? 0 : followed[type] ?? 0;
    const unreached = !fresh && name !== source && !reached.has(name) && (name !== END || names.length > 0 && times > 0);
    const fills = fresh && !lacks.length && Boolean(types.get(name)?.writes.some((key) => missing.has(key)));
    return { why: unreached || fills ? "needed" : times ? "common" : "", times };
  };
}

// What every way from the start to behind a node has written; null where that is not known: behind a graph inside, or nowhere.
function writtenAfter(spec: Spec, types: Types, source: string): ReadonlySet<string> | null {
  const before = new Map<string, ReadonlySet<string>>([[START, new Set()]]);
  const after = (name: string) => new Set([...before.get(name) ?? [], ...types.get(spec.nodes[name]?.type ?? "")?.writes ?? []]);
  const queue = [START];
  const edges = edgesOf(spec);
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const known = after(name);
    for (const { target } of edges.filter((edge) => edge.source === name)) {
      const old = before.get(target);
      const common = old ? new Set([...old].filter((key) => known.has(key))) : known;
      if (old?.size === common.size) continue;
      before.set(target, common);
      queue.push(target);
    }
  }
  const inside = [...before.keys()].some((name) => spec.nodes[name]?.type === GRAPH);
  return inside || !before.has(source) ? null : after(source);
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
