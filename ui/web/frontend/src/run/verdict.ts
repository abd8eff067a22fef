// Whether an answer covers the question, and each sub-question, in a sign and in words.
import { el } from "../shared/dom";
import type { Child } from "../shared/dom";
import type { RunView, SubQuestion } from "../shared/run_view";
import { describeStatus, sign } from "../shared/signs";
import { later, say, sayCount, sayTold } from "../shared/language";

export type Coverage = "found" | "uncertain" | "unlikely" | "partial" | "nothing";
export interface Reading { read: number; status: string; stopped?: boolean } // how many pages a run read, and how it ended
export interface Verdict { kind: Coverage; word: string; why: string }

const ENDED = new Set(["answered", "partial", "abstained"]);
const WORDS: Readonly<Record<Coverage, string>> = { found: later("Answered"), uncertain: later("Answered, uncertain"), unlikely: later("Possibly answered"), partial: later("Partly answered"), nothing: later("Not found") };
export const ONLY_CLOSEST = later("No sentence answers this for certain. These passages come closest.");
const ELSEWHERE = later("The first sentence may be wrong; another quote below may answer.");
const OFFLINE = "offline";
const ESTIMATED = later("The figure is an estimate by rules with learned weights; no language model made it.");
const UNCHECKED = later("The run was stopped before its answer was checked.");

// The verdict on an answer; none while it may still change.
export function verdictOf(view: RunView): Verdict | null {
  const { status, open } = view.session;
  if (!ENDED.has(status)) return null;
  if (status === "abstained" || !view.answer.text) return { kind: "nothing", word: status === "abstained" ? say(WORDS.nothing) : describeStatus("empty")[1], why: wasStopped(view) && !view.answer.text ? describeStop(view) : view.read || view.answer.text ? describeSearch(view) : unread(view) };
  if (isUnjudged(view)) return { kind: "partial", word: say("Stopped"), why: say(UNCHECKED) };
  const parts = Math.max(Object.keys(view.parts).length, open.length);
  const doubts = view.answer.doubts?.length ?? 0;
  const unlikely = Object.values(view.parts).filter(({ open: left, unlikely: weak }) => weak && !left).length;
  const uncertain = Object.values(view.parts).filter(({ open: left, doubtful }) => doubtful && !left).length - unlikely;
  const lacking = [
    open.length > 0 && sayCount(open.length, "{n} of {parts} sub-questions is still open.", "{n} of {parts} sub-questions are still open.", { parts }),
    unlikely > 0 && sayCount(unlikely, "{n} of {parts} sub-questions is only possibly answered.", "{n} of {parts} sub-questions are only possibly answered.", { parts }),
    uncertain > 0 && sayCount(uncertain, "The quote for {n} sub-question may not answer it.", "The quotes for {n} sub-questions may not answer them."),
  ].find(Boolean);
  const lacks = [parts > 1 && lacking, doubts > 0 && sayCount(doubts, "{n} statement not supported by the quotes.", "{n} statements not supported by the quotes.")].filter(Boolean).join(" ");
  const half = status === "partial" && !lacks && (view.answer.closest ? say(ONLY_CLOSEST) : wasStopped(view) && open.length === 0 ? say(UNCHECKED) : say("Part of what is asked was not found."));
  if (view.session.stands === "unlikely") return { kind: "unlikely", word: say(WORDS.unlikely), why: lacks || say(ELSEWHERE) };
  if (open.length > 0 || status === "partial") return { kind: "partial", word: say(WORDS.partial), why: half || lacks };
  if (lacks || uncertain > 0) return { kind: "uncertain", word: say(WORDS.uncertain), why: lacks };
  return { kind: "found", word: say(WORDS.found), why: parts === 2 ? say("Both sub-questions have quotes.") : parts > 2 ? say("All {n} sub-questions have quotes.", { n: parts }) : say("Each statement has a quote.") };
}

// What was done before the run ended, short of reading.
function unread(view: RunView): string {
  const { pages } = view;
  if (!pages) return say("No page was found that could be read.");
  return sayCount(pages, "{n} page is known, but the run ended before it was read.", "{n} pages are known, but the run ended before one was read.");
}

// Of a run that was stopped it is not known what the pages say that it had begun to read.
function describeStop({ read }: RunView): string {
  if (!read) return say("Stopped before a page was read for an answer.");
  return sayCount(read, "Ended before reading was done; {n} page was opened.", "Ended before reading was done; {n} pages were opened.");
}

// Did somebody stop it?
export function wasStopped({ answer }: RunView): boolean {
  return answer.reason?.startsWith("The run was stopped.") ?? false;
}

// Was it stopped before a sub-question was judged?
export function isUnjudged({ parts }: Pick<RunView, "parts">): boolean {
  return Object.values(parts).some(({ unjudged }) => unjudged);
}

// Were all pages opened that were ranked, though more were known?
export function isExhausted({ answer }: RunView): boolean {
  return answer.reason?.startsWith("No other page looked likely.") ?? false;
}

// Where an answer was looked for in vain, and where not.
function describeSearch(view: RunView): string {
  const { read } = view;
  const left = view.pages - read;
  if (view.pages > 0 && left <= 0) return sayCount(read, "The only known page was read; no answer was recognized.", "All {n} known pages were read; no answer was recognized.");
  if (left > 0 && isExhausted(view)) return sayCount(read, "Not found on the page that looked likely.", "Not found on the {n} pages that looked likely.") + " " + sayCount(left, "The other known page matches the question less and was not read.", "The other {n} known pages match the question less and were not read.");
  const where = sayCount(read, "Not found on the page that was read.", "Not found on the {n} pages that were read.");
  return left > 0 ? `${where} ${sayCount(left, "{n} known page was not read.", "{n} known pages were not read.")}` : where;
}

export function coverageOf({ quotes, open, doubtful, unlikely, unjudged }: SubQuestion): Coverage {
  if (!quotes) return "nothing";
  return open || unjudged ? "partial" : unlikely ? "unlikely" : doubtful ? "uncertain" : "found";
}

// Under a head with the status the verdict has a pill only where it says something else.
export function needsPill(view: RunView, headed: boolean): boolean {
  return !headed || verdictOf(view)?.word !== describeStatus(view.session.stands)[1];
}

export function verdictLine(view: RunView, headed = false): Child {
  const verdict = verdictOf(view);
  if (!verdict) return null;
  const { kind, word, why } = verdict;
  const judge = describeJudge(view);
  const [figure, meaning] = ratesEachPart(view) ? [null, null] : worth(view.answer.worth);
  const byRules = view.session.model === OFFLINE;
  const sentences: Child[] = [figure && [figure, byRules && judge ? `, ${judge}` : "", "."], (kind !== "found" || (!figure && !judge)) && why, !byRules && judge && `${judge}.`];
  const told = sentences.filter(Boolean).flatMap((sentence, at) => [at > 0 && " ", sentence]);
  return el("div", { class: "row wrap verdict" },
    needsPill(view, headed) && el("span", { class: `pill p-${kind}` }, sign(kind, 14), word), el("span", { class: "why" }, told), meaning);
}

// Does each sub-question stand over its answer, with how likely that is right?
export function ratesEachPart({ parts, answer }: RunView): boolean {
  if (answer.table || !answer.laid || Object.values(parts).every(({ likely }) => likely === undefined)) return false;
  const led = new Set(answer.laid.leads.map((lead) => lead.part));
  return led.size + Object.entries(parts).filter(([text, { open }]) => open && !led.has(text)).length > 1;
}

// Who checked whether the quotes answer, where there is an answer.
export function describeJudge(view: RunView): string {
  const { session, answer } = view;
  if (!answer.text || !ENDED.has(session.status) || session.status === "abstained") return "";
  if (session.model !== OFFLINE) return say("Checked with {model}", { model: session.model.split(",")[0] ?? "" });
  return answer.worth && !ratesEachPart(view) ? say("estimated by rules") : "";
}

// How likely the answer is right, and below it, once it is pressed, what this figure says.
function worth(told: string | undefined): [HTMLElement | null, HTMLElement | null] {
  if (!told) return [null, null];
  const share = /\d+/.exec(told)?.[0];
  const checked = share ? say("Of answers with this figure that were checked, about {share} in 100 were right.", { share }) : "";
  const meaning = el("div", { class: "meaning", role: "note", hidden: true }, checked && el("p", {}, checked), el("p", {}, say(ESTIMATED)));
  const figure = el("button", { class: "worth", title: checked || say(ESTIMATED), "aria-expanded": "false", on: { click: () => {
    meaning.hidden = !meaning.hidden;
    figure.setAttribute("aria-expanded", String(!meaning.hidden));
  } } }, sayTold(told));
  return [figure, meaning];
}

// What the quotes do not support: how much of it, and each statement with the reason.
export function describeDoubts({ answer }: RunView): [string, string[]] {
  const doubts = (answer.doubts ?? []).map(({ sentence, why }) => `${sentence} (${sayTold(why)})`);
  return [sayCount(doubts.length, "{n} statement not supported by the quotes", "{n} statements not supported by the quotes"), doubts];
}

// A sub-question with its mark, as the heading of what answers it.
export function partHeading(text: string, part: SubQuestion | undefined, reading: Reading): HTMLElement[] {
  const kind = coverageOf(part ?? { quotes: 1, open: false, doubtful: false });
  const word = kind === "nothing" ? describeOpen(reading) : part?.unjudged ? say("Not checked") : say(WORDS[kind]);
  const [figure, meaning] = worth(describeWorth(part));
  const line = el("p", { class: "row asked" }, sign(kind, 14), el("b", {}, text), el("span", { class: `word c-${kind}` }, word), figure);
  return meaning ? [line, meaning] : [line];
}

// How likely the answer to a sub-question is right; nothing where that was not rated.
export function describeWorth(part: SubQuestion | undefined): string {
  return part?.likely === undefined || part.unjudged ? "" : `Certainty: ${Math.round(part.likely * 100)} %`;
}

// What became of a sub-question without a quote: no more than was done is claimed.
export function describeOpen({ read, status, stopped }: Reading): string {
  if (!ENDED.has(status) || !read || stopped) return say("Still open");
  return sayCount(read, "Not found on the page read", "Not found on the {n} pages read");
}
