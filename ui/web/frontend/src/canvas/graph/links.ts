// What comes of drawing an edge, or of moving one of its ends; or why that is refused.
import { FOLD } from "../layout/scene";
import { connected, edgesOf, fanned, openRoutes, readEdge, refusal, replacedEdge, takenBy, without, written } from "./spec";
import type { Edge, Types } from "./spec";
import { END } from "./types";
import type { Spec } from "./types";
import { say } from "../../shared/language";

export interface Link { source: string; sourceHandle?: string | null; target: string }
export interface Led { text: string; end: "source" | "target" } // an edge, and the end of it that is moved
export type Outcome = { spec: Spec; edge: Edge } | { refused: string };

export function linked(spec: Spec, types: Types, link: Link, led: Led | null): Outcome {
  const group = [link.source, link.target].find((id) => id.startsWith(FOLD));
  const old = led && readEdge(led.text);
  if (group && group === (led?.end === "source" ? link.source : link.target)) {
    return { refused: say("Show the nodes of {group} first: an edge belongs to one of them.", { group: group.slice(FOLD.length) }) };
  }
  if (!old) return drawn(spec, types, { source: link.source, route: routeOf(link) ?? "", target: link.target, fan: fanned(spec, link.target) });
  const rest = without(spec, [], [led.text]);
  const fresh = led.end === "target" ? { ...old, target: link.target } : sourced(rest, types, old, link);
  if ("refused" in fresh) return fresh;
  if (written(fresh) === led.text) return { refused: "" };
  const reason = refusal(rest, types, fresh.source, fresh.route, fresh.target);
  if (reason) return { refused: reason };
  const beside = edgesOf(rest).find((edge) => edge.target === fresh.target);
  const edge = { ...fresh, fan: beside ? beside.fan : fresh.fan };
  return { spec: replacedEdge(spec, led.text, edge), edge };
}

function drawn(spec: Spec, types: Types, edge: Edge): Outcome {
  const reason = refusal(spec, types, edge.source, edge.route, edge.target);
  return reason ? { refused: reason } : { spec: connected(spec, edge), edge };
}

// An open route has a handle of its own; the node as a whole stands for the one that fits.
export function routeOf({ source, sourceHandle }: Omit<Link, "target">): string | null {
  return sourceHandle?.startsWith(`${source}.`) ? sourceHandle.slice(source.length + 1) : null;
}

function sourced(rest: Spec, types: Types, old: Edge, link: Link): Edge | { refused: string } {
  const { source } = link;
  const open = openRoutes(rest, source, types);
  const route = routeOf(link) ?? (open.includes(old.route) ? old.route : open.length === 1 ? open[0] : undefined);
  if (route !== undefined) return { ...old, source, route };
  const barred = unopened(rest, types, source);
  return { refused: barred || say("{source} has several open routes: drop it on {routes}.", { source, routes: open.join(" / ") }) };
}

// Why no edge can be drawn from a node; empty if one can.
export function unopened(spec: Spec, types: Types, source: string): string {
  if (openRoutes(spec, source, types).length) return "";
  return source === END ? say("Nothing leads out of end.") : takenBy(spec, source, "") || say("Every route of {source} leads somewhere already.", { source });
}
