// Lays out a graph with elk: several attempts, of which the one with the fewest crossings is taken.
import type { ElkNode } from "elkjs/lib/elk-api";
import { countCrossings } from "./crossings";
import { alignedGraph, elkGraph, isLarge, readLayout } from "./elk_graph";
import type { Attempt, Drawn, Layout } from "./elk_graph";
import { flowOrder } from "./flow_order";

export interface Engine { layout: (graph: ElkNode) => Promise<ElkNode> }

const SEEDS = [12, 1, 5]; // the first of them fit the graphs that are shipped

interface Tried { attempt: Attempt; laid: ElkNode; layout: Layout; crossings: number }

export async function layOut(engine: Engine, drawn: Drawn): Promise<Layout> {
  if (isLarge(drawn)) return readLayout(await engine.layout(elkGraph(drawn, { seed: 1, behind: false })));
  let best: Tried | null = null;
  for (const attempt of attemptsFor(drawn)) {
    const tried = await draw(engine, elkGraph(drawn, attempt), attempt);
    if (!best || tried.crossings < best.crossings) best = tried;
    if (!best.crossings) break;
  }
  if (!best) return { places: {}, routes: new Map() };
  const straight = await draw(engine, alignedGraph(drawn, best.attempt, best.laid), best.attempt);
  return straight.crossings <= best.crossings ? straight.layout : best.layout;
}

async function draw(engine: Engine, graph: ElkNode, attempt: Attempt): Promise<Tried> {
  const laid = await engine.layout(graph);
  const layout = readLayout(laid);
  return { attempt, laid, layout, crossings: countCrossings([...layout.routes.values()].map(({ way }) => way)) };
}

function attemptsFor({ lines }: Drawn): Attempt[] {
  const ways = flowOrder(lines).after.length ? [false, true] : [false];
  return SEEDS.flatMap((seed) => ways.map((behind) => ({ seed, behind })));
}
