// The checkpoints of a turn and the lanes of their branches.
export interface Checkpoint {
  number: number;
  id: string;
  parent: string;
  time: number;
  seconds: number; // of work until then
  ran: string[];
  next: string[];
  source: string;
  message: string;
  outcome: string;
  current: boolean;
  on_path: boolean;
}

export interface Lane { lane: number; above: string | undefined }

const DECIDING = new Set(["interpreter", "surveyor", "selector", "extractor", "critic", "reflector", "answerer"]);

// Is it more than a step on the way: what a node decided, the begin, the present one, or where a fork began?
export function isDecision(point: Checkpoint, types: Readonly<Record<string, string>>, isForked: boolean): boolean {
  const decides = point.message !== "" && point.ran.some((node) => DECIDING.has(types[node] ?? ""));
  return !point.ran.length || decides || point.outcome === "failed" || point.current || isForked;
}

// For each row its lane, and the nearest row before it on its own branch. Lane 0 leads to the newest
// checkpoint; every branch that was left has one of its own.
export function assignLanes(shown: readonly Checkpoint[], all: readonly Checkpoint[]): Map<string, Lane> {
  const rows = new Map(shown.map((point) => [point.id, point]));
  const every = new Map(all.map((point) => [point.id, point]));
  const lanes = new Map<string, Lane>();
  const continued = new Set<string>();
  let last = 0;
  for (const point of shown) {
    let above: string | undefined = point.parent;
    while (above && !rows.has(above)) above = every.get(above)?.parent;
    const before = above === undefined ? undefined : rows.get(above);
    const continues = before !== undefined && !before.on_path && !continued.has(before.id);
    if (continues) continued.add(before.id);
    const lane = point.on_path ? 0 : continues ? lanes.get(before.id)?.lane ?? 0 : ++last;
    lanes.set(point.id, { lane, above: before?.id });
  }
  return lanes;
}

export function countLanes(lanes: ReadonlyMap<string, Lane>): number {
  return 1 + Math.max(0, ...[...lanes.values()].map(({ lane }) => lane));
}
