// The rows of a timeline, without their elements.
import { nameSites } from "../shared/format";
import type { SiteNames } from "../shared/format";
import { say, sayTold } from "../shared/language";
import type { Outcome, RunView, TimelineEntry, TimelineRow } from "../shared/run_view";
import type { SignKind } from "../shared/signs";
import { plainWords } from "./plain_words";

const UNDER_WAY = new Set(["running", "waiting"]);
const INTERRUPTED = "Interrupted";
const WARNINGS = new Set(["Warned", "Warning"]);
const TITLES: Partial<Record<string, string>> = { Warned: "Warning", Steered: "Your hint" };
const STEERS = [["hint: ", "Your hint"], ["site: ", "Site added"], ["forbidden: ", "Not to be read"]] as const;
const LIMITS = /^\w+: (?:no limit|[\d,.]+)$/;
const UNIMPORTANT = /^(0 |nothing|no |all rounds are used|used as written|$)/;
const VERDICT = /^(answered|partial|abstained|adequate|feasible|infeasible|nothing): */;
const RETURNED = /^(end of )?step (\d+)(?: · (.+))?$/;
const IN_VAIN = plainWords("0 passages");
const SET_ASIDE = /^set aside: [^·]*$/;
const ROUND = /^\d+ · /;
const MORE_QUOTES = /\s*More quotes:[^]*$/;
const ANSWERED = new Set(["found", "partial", "nothing", "done"]);
const LEDGER_IDS = / ?\[e\d+(?:[,;\s]+e\d+)*\]/g;

// The entries that are shown, by their keys.
export function shownEntries(view: RunView, names: SiteNames): [string, TimelineEntry][] {
  const over = !UNDER_WAY.has(view.session.status);
  return Object.entries(view.timeline)
    .filter(([, entry]) => entry.text || entry.outcome === "now" || entry.type === "")
    .map(([key, entry]): [string, TimelineEntry] => [key, translate(over ? endWork(withoutAnswer(entry)) : entry, names)])
    .filter(([, entry]) => entry.title !== "Begun")
    .filter(([, entry], at, all) => !repeats(entry, all[at + 1]?.[1]) && !isInVainAgain(entry, all.slice(0, at)));
}

// The answer of a run that is over stands beside its steps.
function withoutAnswer(entry: TimelineEntry): TimelineEntry {
  return entry.type === "answerer" && ANSWERED.has(entry.outcome) ? { ...entry, text: "" } : entry;
}

// A step that failed and was tried again, and failed in the same way, is told once.
function repeats(entry: TimelineEntry, next: TimelineEntry | undefined): boolean {
  return entry.outcome === "failed" && next?.outcome === "failed" && entry.title === next.title && entry.text === next.text;
}

// A step that had nothing to quote again, as in each round and after each way back, is told once.
function isInVainAgain({ title, text, url }: TimelineEntry, before: readonly [string, TimelineEntry][]): boolean {
  return text === IN_VAIN && !url && before.some(([, each]) => each.title === title && each.text === text);
}

// What was at work when a run was interrupted is not at work any more.
export function endWork(entry: TimelineEntry): TimelineEntry {
  const end = <R extends TimelineRow>(row: R): R => ({ ...row, outcome: row.outcome === "now" ? "interrupted" : row.outcome });
  return { ...end(entry), rows: mapValues(entry.rows, end) };
}

function translate(entry: TimelineEntry, names: SiteNames): TimelineEntry {
  const rows = mapValues(entry.rows, (row) => ({ ...row, text: plainWords(nameSites(row.text, names)) }));
  const [told, text] = describeReturn(entry) ?? describeSteer(entry) ?? [entry.type === "" ? TITLES[entry.title] ?? entry.title : entry.title, entry.text];
  const named = nameSites(told, names);
  return { ...entry, title: named, text: withoutPage(plainWords(nameSites(text, names)), named), rows: mapValues(rows, (row) => ({ ...row, text: withoutPage(row.text, named).replace(VERDICT, "") })) };
}

// A run that went on from an earlier step, perhaps with a change.
function describeReturn({ type, title, text }: TimelineEntry): [string, string] | null {
  const [, end, step, change = ""] = RETURNED.exec(type === "" && title === "Rewound" ? text : "") ?? [];
  if (step === undefined) return null;
  if (SET_ASIDE.test(change)) return ["Looked further", "without the quote of that answer"];
  return [end ? `Back to the end at step ${step}` : `Continued from step ${step}`, change];
}

// What a user changed during the run: a hint, sites, addresses not to be read, or limits.
function describeSteer({ type, title, text }: TimelineEntry): [string, string] | null {
  if (type !== "" || title !== "Steered") return null;
  const parts = text.split(" · ");
  if (parts.every((part) => LIMITS.test(part))) return ["Limits changed", text];
  const steer = STEERS.find(([begin]) => text.startsWith(begin));
  if (!steer) return null;
  const [start, named] = steer;
  if (start === "hint: ") return [named, text.slice(start.length)];
  return parts.every((part) => part.startsWith(start)) ? [named, parts.map((part) => part.slice(start.length)).join(", ")] : null;
}

// What an attempt came to, without the page, which is the title: `adequate: A: answered here.` under `1 · A`.
function withoutPage(text: string, title: string): string {
  const page = title.replace(ROUND, "");
  const [verdict = "", rest] = [VERDICT.exec(text)?.[0], text.replace(VERDICT, "")];
  const told = [page, "nothing"].find((name) => title !== page && rest.startsWith(`${name}: `));
  return told ? verdict + rest.slice(told.length + 2) : text;
}

// What a node does, as a reader of the page calls it.
export function nodeName(node: string, { names }: Pick<RunView, "names">): string {
  return sayTold(names[node] ?? node);
}

// The title of an entry; that of a round names pages.
export function shownTitle(entry: TimelineEntry): string {
  return entry.url ? entry.title : sayTold(entry.title);
}

export function shownText(entry: TimelineEntry): string {
  return sayTold(entryText(entry));
}

function mapValues<T>(all: Record<string, T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, change(value)]));
}

export function signOf(entry: { title: string; type: string; url: string; outcome: Outcome }): SignKind {
  if (entry.outcome !== "done") return entry.outcome;
  if (entry.type === "" && WARNINGS.has(entry.title)) return "partial";
  if (entry.url) return "done"; // enough quotes for an answer, of which it is not known yet how sure it is
  return entry.title === INTERRUPTED ? "interrupted" : "found";
}

// One line on what the entry is about now.
export function summarizeEntry(entry: TimelineEntry, view: Pick<RunView, "names">): string {
  const inner = Object.values(entry.rows).at(-1);
  const doing = entry.outcome === "now" && inner ? [nodeName(inner.node, view), sayTold(inner.text)].filter(Boolean).join(": ") : shownText(entry);
  return [shownTitle(entry), doing].filter(Boolean).join(" · ");
}

// A step that passed without anything to report takes less room.
export function isUnimportant(entry: TimelineEntry): boolean {
  return entry.outcome === "done" && !entry.url && UNIMPORTANT.test(entry.text);
}

const NOT_FOUND = /^(abstained|infeasible|nothing):? *$/;

// What a checkpoint came to, in plain words.
export function describeResult(message: string): string {
  return NOT_FOUND.test(message) ? say("Not found") : sayTold(entryText({ text: plainWords(message) }));
}

// The text of an entry without the verdict, which the sign shows, and without ids of the ledger.
export function entryText(entry: Pick<TimelineEntry, "text">): string {
  return entry.text.replace(VERDICT, "").replace(LEDGER_IDS, "").replace(MORE_QUOTES, "");
}
