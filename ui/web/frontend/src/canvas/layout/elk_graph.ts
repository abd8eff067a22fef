// A graph as elk is given it, and what it gives back.
import type { ElkExtendedEdge, ElkNode, ElkPort } from "elkjs/lib/elk-api";
import { flowOrder } from "./flow_order";
import type { Arc, FlowOrder } from "./flow_order";
import type { EdgePath, Port } from "./edge_line";
import type { Place } from "../graph/types";

export interface Drawn { boxes: { id: string; w: number; h: number }[]; lines: (Arc & { label: string })[] }
export interface Route { way: EdgePath; label: Place; out: Port; into: Port }
export interface Layout { places: Record<string, Place>; routes: ReadonlyMap<string, Route> }

// Of several attempts the one with the fewest crossings is taken: by chance, and with what follows a loop behind it.
export interface Attempt { seed: number; behind: boolean }

const LABEL = 20;
const APART = 14;
const GHOST = "ghost";
const ENDS = { out: "out:", into: "in:" } as const;
const SIDES = ["EAST", "SOUTH", "WEST", "NORTH"];

const OPTIONS = {
  "elk.algorithm": "layered", "elk.direction": "RIGHT", "elk.edgeRouting": "ORTHOGONAL", "elk.padding": "[top=0,left=0,bottom=0,right=0]",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX", "elk.layered.crossingMinimization.greedySwitch.type": "TWO_SIDED",
  "elk.layered.edgeLabels.centerLabelPlacementStrategy": "TAIL_LAYER", "elk.layered.thoroughness": "4",
  "elk.layered.spacing.nodeNodeBetweenLayers": "16", "elk.layered.spacing.edgeNodeBetweenLayers": "14", "elk.layered.spacing.edgeEdgeBetweenLayers": "12",
  "elk.spacing.nodeNode": "28", "elk.spacing.edgeNode": "18", "elk.spacing.edgeEdge": "14", "elk.spacing.edgeLabel": "4", "elk.spacing.labelNode": "8",
  "elk.spacing.componentComponent": "110",
};

// A graph of many nodes is laid out in rows, and quickly.
const LARGE = {
  "elk.layered.thoroughness": "1", "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF", "elk.layered.nodePlacement.bk.fixedAlignment": "BALANCED",
  "elk.layered.wrapping.strategy": "MULTI_EDGE", "elk.aspectRatio": "2",
};
const MANY = 30;

export const isLarge = ({ boxes }: Drawn): boolean => boxes.length > MANY;

export function labelWidth(text: string): number {
  return Math.ceil(text.length * 6.4 + 28);
}

export function elkGraph(drawn: Drawn, { seed, behind }: Attempt): ElkNode {
  const { boxes, lines } = drawn;
  const order = flowOrder(lines);
  const nodes = new Map(boxes.map(({ id, w, h }) => [id, {
    id, width: w, height: h, ports: [] as ElkPort[], layoutOptions: { "elk.portConstraints": "FIXED_SIDE", "elk.portAlignment.default": "CENTER" },
  }]));
  const port = (node: string, id: string, side: number): string => {
    nodes.get(node)?.ports.push({ id, width: 0, height: 0, layoutOptions: { "elk.port.side": SIDES[side] ?? "EAST" } });
    return id;
  };
  const edges = lines.map((line) => elkEdge(line, order, port));
  if (behind) order.after.forEach(([before, after], at) => edges.push({ id: `${GHOST}${at}`, sources: [port(before, `${GHOST}${at}>`, 0)], targets: [port(after, `${GHOST}${at}<`, 2)] }));
  return { id: "graph", children: [...nodes.values()], edges, layoutOptions: { ...OPTIONS, ...(isLarge(drawn) ? LARGE : {}), "elk.randomSeed": String(seed) } };
}

// An edge that leads back runs below: it is given to elk the other way round, so that elk turns no other.
function elkEdge({ id, source, target, label }: Drawn["lines"][number], order: FlowOrder, port: (node: string, id: string, side: number) => string): ElkExtendedEdge {
  const back = order.feedback.has(id);
  const out = port(source, ENDS.out + id, order.returns.has(id) ? 2 : back || order.loops.has(id) ? 1 : 0);
  const into = port(target, ENDS.into + id, back ? 1 : 2);
  const main = order.main.has(id);
  return {
    id, sources: [back ? into : out], targets: [back ? out : into],
    labels: label ? [{ text: label, width: labelWidth(label), height: LABEL, layoutOptions: { "elk.edgeLabels.inline": "true" } }] : [],
    layoutOptions: { "elk.layered.priority.straightness": main ? "20" : "0", "elk.layered.priority.shortness": main ? "10" : "1" },
  };
}

// The same graph with its ports where elk put them, but those of the main path in the middle of their sides: so it runs straight.
export function alignedGraph(drawn: Drawn, attempt: Attempt, laid: ElkNode): ElkNode {
  const graph = elkGraph(drawn, attempt);
  const { main } = flowOrder(drawn.lines);
  const ends = new Set([...main].flatMap((id) => [ENDS.out + id, ENDS.into + id]));
  for (const node of graph.children ?? []) {
    const before = laid.children?.find(({ id }) => id === node.id)?.ports ?? [];
    node.layoutOptions = { ...node.layoutOptions, "elk.portConstraints": "FIXED_POS" };
    node.ports = before.map(({ id, x = 0, y = 0, width = 0, height = 0, layoutOptions = {} }) => ({ id, x, y, width, height, layoutOptions }));
    for (const side of ["EAST", "WEST"]) centre(node.ports.filter((each) => each.layoutOptions?.["elk.port.side"] === side), ends, node.height ?? 0);
  }
  return graph;
}

function centre(ports: ElkPort[], ends: ReadonlySet<string>, height: number): void {
  const sorted = ports.toSorted((one, other) => (one.y ?? 0) - (other.y ?? 0));
  const middle = sorted.findIndex(({ id }) => ends.has(id));
  if (middle < 0) return;
  const step = Math.min(APART, (height / 2 - 4) / Math.max(1, middle, sorted.length - 1 - middle));
  sorted.forEach((port, at) => { port.y = height / 2 + (at - middle) * step; });
}

export function readLayout(graph: ElkNode): Layout {
  const places: Layout["places"] = {};
  const ports = new Map<string, Port>();
  for (const node of graph.children ?? []) {
    places[node.id] = [node.x ?? 0, node.y ?? 0];
    for (const each of node.ports ?? []) ports.set(each.id, { x: each.x ?? 0, y: each.y ?? 0, side: SIDES.indexOf(String(each.layoutOptions?.["elk.port.side"])) });
  }
  const routes = new Map<string, Route>();
  for (const edge of graph.edges ?? []) {
    const [out, into] = [ports.get(ENDS.out + edge.id), ports.get(ENDS.into + edge.id)];
    if (!out || !into) continue;
    const way = wayOf(edge);
    const turned = edge.sources[0] === ENDS.into + edge.id;
    routes.set(edge.id, { way: turned ? way.toReversed() : way, label: labelOf(edge, way), out, into });
  }
  return { places, routes };
}

function wayOf(edge: ElkExtendedEdge): EdgePath {
  return (edge.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint].map(({ x, y }): Place => [x, y]));
}

function labelOf(edge: ElkExtendedEdge, way: EdgePath): Place {
  const [label] = edge.labels ?? [];
  return label ? [(label.x ?? 0) + (label.width ?? 0) / 2, (label.y ?? 0) + LABEL / 2] : way[Math.floor(way.length / 2)] ?? [0, 0];
}
