// What the drawing follows: the main path, the edges that lead back, and the branches that loop.
import { END, START } from "../graph/types";

export interface Arc { id: string; source: string; target: string }

export interface FlowOrder {
  feedback: ReadonlySet<string>; // edges that lead back
  main: ReadonlySet<string>; // the edges of the longest path from start to end
  loops: ReadonlySet<string>; // edges off the main path, into a branch that leads back to where it left
  returns: ReadonlySet<string>; // edges that lead back over the one edge that led here
  after: [string, string][]; // the second node stands to the right of the first: a loop is left behind its body
}

export function flowOrder(arcs: readonly Arc[]): FlowOrder {
  const leaving = groupBy(arcs, (arc) => arc.source);
  const { feedback, order } = explore(leaving, arcs);
  const main = longestPath(leaving, feedback, order);
  const onMain = new Set(arcs.filter((arc) => main.has(arc.id)).map((arc) => arc.target));
  const loops = new Set(arcs.filter((arc) => !feedback.has(arc.id) && !onMain.has(arc.target) && reaches(leaving, arc.target, arc.source)).map((arc) => arc.id));
  const returns = new Set(arcs.filter((arc) => feedback.has(arc.id)
    && arcs.some((there) => loops.has(there.id) && there.source === arc.target && there.target === arc.source)).map((arc) => arc.id));
  return { feedback, main, loops, returns, after: loopExits(arcs, feedback, main) };
}

function groupBy(arcs: readonly Arc[], key: (arc: Arc) => string): Map<string, Arc[]> {
  const found = new Map<string, Arc[]>();
  for (const arc of arcs) found.set(key(arc), [...(found.get(key(arc)) ?? []), arc]);
  return found;
}

// In depth, from the start: an edge to a node whose way is not over leads back. The order puts each node before those it leads to.
function explore(leaving: Map<string, Arc[]>, arcs: readonly Arc[]): { feedback: Set<string>; order: string[] } {
  const feedback = new Set<string>();
  const order: string[] = [];
  const open = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string): void => {
    open.add(name);
    seen.add(name);
    for (const arc of leaving.get(name) ?? []) {
      if (open.has(arc.target)) feedback.add(arc.id);
      else if (!seen.has(arc.target)) visit(arc.target);
    }
    open.delete(name);
    order.unshift(name);
  };
  for (const name of [START, ...arcs.map((arc) => arc.source)]) if (!seen.has(name)) visit(name);
  return { feedback, order };
}

function longestPath(leaving: Map<string, Arc[]>, feedback: ReadonlySet<string>, order: string[]): Set<string> {
  const far = new Map([[START, 0]]);
  const by = new Map<string, Arc>();
  for (const name of order) {
    const here = far.get(name);
    if (here === undefined) continue;
    for (const arc of leaving.get(name) ?? []) {
      if (feedback.has(arc.id) || here + 1 <= (far.get(arc.target) ?? -1)) continue;
      far.set(arc.target, here + 1);
      by.set(arc.target, arc);
    }
  }
  const main = new Set<string>();
  for (let arc = by.get(END); arc; arc = by.get(arc.source)) main.add(arc.id);
  return main;
}

function reaches(leaving: Map<string, Arc[]>, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const name of seen) {
    if (name === to) return true;
    for (const arc of leaving.get(name) ?? []) seen.add(arc.target);
  }
  return false;
}

// Where the main path leaves a loop at its head: what follows stands behind the node from which the loop leads back.
function loopExits(arcs: readonly Arc[], feedback: ReadonlySet<string>, main: ReadonlySet<string>): [string, string][] {
  const coming = groupBy(arcs.filter((arc) => !feedback.has(arc.id)), (arc) => arc.target);
  const found: [string, string][] = [];
  for (const back of arcs.filter((arc) => feedback.has(arc.id))) {
    const body = new Set([back.source]);
    for (const name of body) if (name !== back.target) for (const arc of coming.get(name) ?? []) body.add(arc.source);
    const exit = arcs.find((arc) => main.has(arc.id) && arc.source === back.target);
    if (exit && !body.has(exit.target)) found.push([back.source, exit.target]);
  }
  return found;
}
