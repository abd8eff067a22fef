// Renames a node or a group wherever it is named.
import { movedBreakpoints } from "./breakpoints";
import { FOLD } from "../layout/scene";
import { readEdge, withFolds, written } from "./spec";
import { END, START } from "./types";
import type { Data, Place, Spec } from "./types";
import { say } from "../../shared/language";

const NAME = /^[a-z][a-z0-9_]{0,39}$/;

// Why it cannot have the name; empty if it can.
export function misnamed(spec: Spec, id: string, name: string): string {
  if (name === nameOf(id)) return "";
  if (!NAME.test(name)) return say("Use lower-case letters, digits and _, beginning with a letter, 40 characters at most.");
  if (name === START || name === END) return say("Every method has a {name} of its own.", { name });
  if (name in spec.nodes) return say("There is already a node {name}.", { name });
  return id.startsWith(FOLD) && name in (spec.folds ?? {}) ? say("There is already a group {name}.", { name }) : "";
}

export function nameOf(id: string): string {
  return id.startsWith(FOLD) ? id.slice(FOLD.length) : id;
}

// The name of a node; beside the steps of a run, that of its step.
export function shownName({ watch }: Pick<Data, "watch">, name: string): string {
  return watch?.names[name] ?? name;
}

// `places` are the positions on the canvas, for a graph that has none of its own yet.
export function renamed(spec: Spec, id: string, name: string, places: Record<string, Place>): Spec {
  const old = nameOf(id);
  const fresh = (each: string) => (each === old ? name : each);
  const keys = <T>(all: Record<string, T>) => Object.fromEntries(Object.entries(all).map(([key, value]) => [fresh(key), value]));
  const folds = Object.entries(spec.folds ?? {});
  if (id.startsWith(FOLD)) return withFolds(spec, folds.map(([fold, nodes]) => [fresh(fold), nodes]));
  const edges = spec.edges.map((text) => {
    const edge = readEdge(text);
    return edge && (edge.source === old || edge.target === old) ? written({ ...edge, source: fresh(edge.source), target: fresh(edge.target) }) : text;
  });
  const own = Object.keys(spec.nodes).some((each) => spec.positions[each]);
  const positions = keys(own ? spec.positions : places);
  return withFolds({ ...spec, nodes: keys(spec.nodes), positions, edges, ...movedBreakpoints(spec, fresh) }, folds.map(([fold, nodes]) => [fold, nodes.map(fresh)]));
}
