// The rows of a timeline, without their elements.
import { nameHandbook } from "../shared/format";
import type { Outcome, RunView, TimelineEntry, TimelineRow } from "../shared/run_view";
import type { SignKind } from "../shared/signs";

const UNDER_WAY = new Set(["running", "waiting"]);
const INTERRUPTED = "Interrupted";
const WARNINGS = new Set(["Warned", "Warning"]);
const TITLES: Partial<Record<string, string>> = { Warned: "Warning", Steered: "Your hint" };
const UNIMPORTANT = /^(0 |nothing|no |a question of its own|$)/;
const VERDICT = /^(answered|partial|abstained|adequate|feasible|infeasible|nothing): */;
const LEDGER_IDS = / ?\[e\d+(?:[,;\s]+e\d+)*\]/g;

// The entries that are shown, by their keys.
export function shownEntries(view: RunView, handbook: string): [string, TimelineEntry][] {
  const over = !UNDER_WAY.has(view.session.status);
  return Object.entries(view.timeline)
    .filter(([, entry]) => entry.text || entry.outcome === "now" || entry.type === "")
    .map(([key, entry]): [string, TimelineEntry] => [key, translate(over ? endWork(entry) : entry, handbook)])
    .filter(([, entry]) => entry.title !== "Begun");
}

// What was at work when a run was interrupted is not at work any more.
export function endWork(entry: TimelineEntry): TimelineEntry {
  const end = <R extends TimelineRow>(row: R): R => ({ ...row, outcome: row.outcome === "now" ? "interrupted" : row.outcome });
  return { ...end(entry), rows: mapValues(entry.rows, end) };
}

function translate(entry: TimelineEntry, handbook: string): TimelineEntry {
  const rows = mapValues(entry.rows, (row) => ({ ...row, text: nameHandbook(row.text, handbook) }));
  const title = entry.type === "" ? TITLES[entry.title] ?? entry.title : entry.title;
  return { ...entry, title: nameHandbook(title, handbook), text: nameHandbook(entry.text, handbook), rows };
}

function mapValues<T>(all: Record<string, T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, change(value)]));
}

export function signOf(entry: { title: string; type: string; outcome: Outcome }): SignKind {
  if (entry.outcome !== "done") return entry.outcome;
  if (entry.type === "" && WARNINGS.has(entry.title)) return "partial";
  return entry.title === INTERRUPTED ? "interrupted" : "found";
}

// One line on what the entry is about now.
export function summarizeEntry(entry: TimelineEntry): string {
  const inner = Object.values(entry.rows).at(-1);
  const doing = entry.outcome === "now" && inner ? [inner.node, inner.text].filter(Boolean).join(": ") : entry.text;
  return [entry.title, doing].filter(Boolean).join(" · ");
}

// A step that passed without anything to report takes less room.
export function isUnimportant(entry: TimelineEntry): boolean {
  return entry.outcome === "done" && !entry.url && UNIMPORTANT.test(entry.text);
}

// The text of an entry without the verdict, which the sign shows, and without ids of the ledger.
export function entryText(entry: TimelineEntry): string {
  return entry.text.replace(VERDICT, "").replace(LEDGER_IDS, "");
}
