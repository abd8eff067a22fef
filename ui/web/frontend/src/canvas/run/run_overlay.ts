// A run on its graph: how often each node ran and each edge was taken, and what runs now.
export interface RunOverlay {
  nodes: Record<string, { count: number; status: string }>;
  edges: Record<string, number>;
  now: string[];
  fresh: string[]; // the edges taken last
  carried: Record<string, string>; // what the node before an edge had done when it was taken last
  waiting: string[]; // the nodes before which the run halted
}

// A step of the run. `node` has the graphs it is in before its name; `edges` led to it, or from it to the end.
export interface Ran {
  seq: number;
  node: string;
  began: number;
  ended: number | null;
  status: string;
  route: string;
  message: string;
  edges: string[];
}

export interface Told {
  nodes: Record<string, { count: number; status?: string }>;
  edges: Record<string, number>;
  carried?: Record<string, string>;
  waiting?: string[];
}

export const WITHIN = "/";
const OPEN = new Set(["now", "asked"]);
const toEnd = (edge: string) => edge.endsWith("> end");

export function liveOverlay(told: Told, goes: boolean, fresh: string[]): RunOverlay {
  const nodes: RunOverlay["nodes"] = {};
  for (const [name, { count, status = "" }] of Object.entries(told.nodes)) {
    nodes[name] = { count, status: !goes && status === "now" ? "interrupted" : status };
  }
  const now = Object.entries(nodes).filter(([, { status }]) => goes && OPEN.has(status)).map(([name]) => name);
  return { nodes, edges: told.edges, now, fresh, carried: told.carried ?? {}, waiting: goes ? [] : told.waiting ?? [] };
}

// The run when the step at a place had begun; after the last step all of it is over.
export function overlayAt(way: Ran[], at: number): RunOverlay {
  const lights: RunOverlay = { nodes: {}, edges: {}, now: [], fresh: [], carried: {}, waiting: [] };
  const counted = new Set<string>();
  way.slice(0, at + 1).forEach((ran, place) => {
    const next = way[at];
    const over = place < at && ran.ended !== null && (!next || ran.ended <= next.began);
    const passed = place < at ? ran.edges : ran.edges.filter((edge) => !toEnd(edge));
    for (const edge of passed) lights.edges[edge] = (lights.edges[edge] ?? 0) + 1;
    if (place === Math.min(at, way.length - 1)) lights.fresh = passed.filter((edge) => at < way.length ? !toEnd(edge) : toEnd(edge));
    const entered = passed.filter((edge) => !toEnd(edge)).slice(0, -1).map(targetOf);
    for (const name of [ran.node, ...entered]) {
      lights.nodes[name] = { count: (lights.nodes[name]?.count ?? 0) + 1, status: ran.status };
    }
    if (!over && at < way.length) counted.add(ran.node);
  });
  lights.now = [...counted];
  return lights;
}

// `walk/start -> recall` leads to walk/recall; the graph that is entered has its own name.
function targetOf(edge: string): string {
  const [source = "", target = ""] = edge.split(/ [-=]> /);
  const within = source.slice(0, source.lastIndexOf(WITHIN) + 1);
  return within + target;
}

// The part within an inner graph, by the names there; a graph runs while one of its nodes does.
export function overlayWithin(lights: RunOverlay, within: string): RunOverlay {
  const prefix = within && within + WITHIN;
  const own = <T>(all: Record<string, T>) => Object.fromEntries(
    Object.entries(all).filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]),
  );
  const inside = (names: string[]) => names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return {
    nodes: own(lights.nodes), edges: own(lights.edges), fresh: inside(lights.fresh), carried: own(lights.carried),
    waiting: [...new Set(inside(lights.waiting).map((name) => name.split(WITHIN)[0] ?? ""))],
    now: [...new Set(inside(lights.now).map((name) => name.split(WITHIN)[0] ?? ""))],
  };
}
