// What a run spent on its way, checkpoint by checkpoint.
import type { SpendKind } from "../shared/run_view";

// Lists with an entry for each checkpoint: the round, the nodes that ran, and all that was spent by then.
export interface Spending extends Record<SpendKind, number[]> { round: number[]; ran: string[] }
export type NodeSpend = Record<SpendKind, number> & { runs: number };
export interface Size { width: number; height: number }
export interface Course { line: string; visits: number[]; limit: number | undefined; height: number }

export const NOTHING_SPENT: Spending = { round: [], ran: [], pages: [], calls: [], tokens: [], dollars: [], seconds: [] };
const LEAST = 1e-9; // no division by zero
const MARGIN = { top: 5, bottom: 3 };

// What each node took of it, the one that took the most time first.
export function sumByNode(way: Spending, kinds: readonly SpendKind[]): [string, NodeSpend][] {
  const sums = new Map<string, NodeSpend>();
  way.ran.forEach((node, at) => {
    if (!node) return;
    const own = sums.get(node) ?? { runs: 0, pages: 0, calls: 0, tokens: 0, dollars: 0, seconds: 0 };
    own.runs += 1;
    for (const kind of kinds) own[kind] += (way[kind][at] ?? 0) - (way[kind][at - 1] ?? 0);
    sums.set(node, own);
  });
  return [...sums].sort(([, one], [, other]) => other.seconds - one.seconds);
}

// What was spent over the time of work, as a path of steps; where each visit began; and the limit, if it is near.
export function spendCourse(kind: SpendKind, used: number, limit: number | undefined, way: Spending, now: number, { width, height }: Size): Course {
  const values = way[kind];
  const times = way.seconds;
  const last = Math.max(now, times.at(-1) ?? 0);
  const end = Math.max(LEAST, last);
  const top = Math.max(LEAST, used, ...values);
  const x = (time: number) => (time / end) * width;
  const y = (value: number) => height - MARGIN.bottom - (value / top) * (height - MARGIN.top - MARGIN.bottom);
  const steps = values.map((value, at) => `H${x(times[at] ?? 0).toFixed(1)}V${y(value).toFixed(1)}`);
  return {
    line: `M0,${y(0)}${steps.join("")}H${x(last).toFixed(1)}V${y(used).toFixed(1)}`,
    visits: way.round.flatMap((round, at) => (round && round !== way.round[at - 1] ? [x(times[at] ?? 0)] : [])),
    limit: limit !== undefined && limit <= top * 1.02 ? y(limit) : undefined,
    height,
  };
}
