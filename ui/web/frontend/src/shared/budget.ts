// What a run may spend, by kind: in meters, in figures, and beside another run.
import { formatClock } from "./format";
import type { LimitedKind, RunView, SpendKind, Used } from "./run_view";
import { formatDollars, formatNumber, later, say, sayCount } from "./language";

const ORDER: readonly string[] = ["pages", "rounds", "calls", "tokens", "dollars", "seconds"];
const OF_MODELS = new Set(["calls", "tokens", "dollars"]);

// The kinds that apply, always in one order: the offline model takes neither calls nor tokens nor money.
export function applicableKinds<K extends string, V>(kinds: Readonly<Partial<Record<K, V>>>, offline: boolean): [K, V][] {
  const entries = Object.entries(kinds) as [K, V][];
  return entries.filter(([kind]) => !offline || !OF_MODELS.has(kind.toLowerCase()))
    .sort(([one], [other]) => ORDER.indexOf(one) - ORDER.indexOf(other)); // what is in no order stays where it was
}

// The server's clock of a run; what a page knows of a run that goes on is old until the stream has begun.
export function clockOf(view: RunView, isLive: boolean): string {
  const active = view.session.status === "running" || view.session.status === "waiting";
  return active && !isLive ? "" : formatClock(view.spend.seconds.used);
}

// How much of the clock a fork took over; empty where it is nothing that the clock shows.
export function describeTaken({ spend }: RunView): string {
  const { taken = 0 } = spend.seconds;
  return taken >= 1 ? say("{time} of it taken over", { time: formatClock(taken) }) : "";
}

const KIND_TITLES: Record<LimitedKind, string> = { pages: later("Pages opened"), rounds: later("Rounds"), calls: later("Calls"), tokens: later("Tokens"), dollars: later("Dollars"), seconds: later("Time") };

// What is counted; a limit on pages counts those that were only mapped, too.
export function spendTitle(kind: LimitedKind, { fetched }: Used): string {
  return say(kind === "pages" && fetched ? later("Pages fetched") : KIND_TITLES[kind]);
}

// What the meter of fetched pages leaves open: how many were read, and those that are in the map without having been fetched anew.
export function describePages({ spend, session, pages, read }: Pick<RunView, "spend" | "session" | "pages" | "read">): string {
  const { used, fetched } = spend.pages;
  if (!fetched) return "";
  const earlier = session.sites.length > 0 ? pages - used : 0;
  return [
    used > 0 && (read < used ? say("{n} read for the answer, the others only mapped", { n: read }) : say("{n} read for the answer", { n: read })),
    earlier > 0 && sayCount(earlier, "{n} more page is known from an earlier run and was not fetched again", "{n} more pages are known from an earlier run and were not fetched again"),
  ].filter(Boolean).join(" · ");
}

// In a meter, where there is little room.
export function formatMeter(kind: LimitedKind, value: number): string {
  if (kind === "seconds") return formatClock(value);
  if (kind === "dollars") return formatNumber(value, value && value < 0.1 ? 3 : 2);
  if (value >= 1e6) return `${formatNumber(value / 1e6, 1, 0)}M`;
  return value >= 1e4 ? `${formatNumber(value / 1e3, 1, 0)}k` : formatNumber(value, 3, 0);
}

// In a figure, with its unit.
export function formatSpent(kind: SpendKind, value: number): string {
  if (kind === "dollars") return formatDollars(value, value < 10 ? 3 : 2);
  if (kind === "seconds") return value < 60 ? say("{seconds} s", { seconds: formatNumber(value, 1) }) : formatClock(value);
  return value >= 10000 ? `${formatNumber(value / 1000, 1)}k` : formatNumber(Math.round(value));
}
