// Adds to a graph the nodes and edges that an earlier version had, to show the difference.
import { readEdge } from "./spec";
import type { Data, Spec } from "./types";

export const REMOVED = " removed";

export function withRemoved(spec: Spec, diff: Data["diff"]): Spec {
  const gone = Object.entries(diff ?? {}).filter(([, sign]) => sign === "-").map(([at]) => at);
  const edges = gone.filter((at) => readEdge(at) && !spec.edges.includes(at));
  const nodes = gone.filter((at) => !readEdge(at) && !(at in spec.nodes));
  if (!edges.length && !nodes.length) return spec;
  const ghosts = Object.fromEntries(nodes.map((name) => [name, { type: REMOVED }]));
  return { ...spec, nodes: { ...spec.nodes, ...ghosts }, edges: [...spec.edges, ...edges] };
}
