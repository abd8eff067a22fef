// Whether an answer covers the question, and each sub-question, in a sign and in words.
import { el } from "../shared/dom";
import type { Child } from "../shared/dom";
import type { RunView, SubQuestion } from "../shared/run_view";
import { sign } from "../shared/signs";
import { later, say, sayCount, sayTold } from "../shared/language";

export type Coverage = "found" | "partial" | "nothing";
export interface Verdict { kind: Coverage; word: string; why: string }

const ENDED = new Set(["answered", "partial", "abstained"]);
const WORDS: Readonly<Record<Coverage, string>> = { found: later("Covered"), partial: later("Partly covered"), nothing: later("Not found") };
const UNCERTAIN = later("Uncertain");
const NONE = later("No page that was read answers this.");

// The verdict on an answer; none while it may still change.
export function verdictOf(view: RunView): Verdict | null {
  const { status, open } = view.session;
  if (!ENDED.has(status)) return null;
  const read = Object.keys(view.visited).length > 0 || Object.keys(view.evidence).length > 0;
  if (!read && !view.answer.text) return { kind: "nothing", word: say("Nothing was read"), why: say("The run ended before a page was read.") };
  if (status === "abstained" || !view.answer.text) return { kind: "nothing", word: say(WORDS.nothing), why: say(NONE) };
  const parts = Math.max(Object.keys(view.parts).length, open.length);
  const doubts = view.answer.doubts?.length ?? 0;
  const uncertain = Object.values(view.parts).filter(({ open: left, doubtful }) => doubtful && !left).length;
  const lacks = [
    open.length > 0 && parts > 1 && sayCount(open.length, "{n} of {parts} sub-questions is still open.", "{n} of {parts} sub-questions are still open.", { parts }),
    doubts > 0 && sayCount(doubts, "{n} statement not supported by the quotes.", "{n} statements not supported by the quotes."),
    uncertain > 0 && sayCount(uncertain, "The quote for {n} sub-question may not answer it.", "The quotes for {n} sub-questions may not answer them."),
  ].filter(Boolean).join(" ");
  const half = status === "partial" && !lacks && say("The question is only partly answered.");
  if (lacks || open.length > 0 || status === "partial") return { kind: "partial", word: say(WORDS.partial), why: half || lacks };
  return { kind: "found", word: say(WORDS.found), why: parts === 2 ? say("Both sub-questions have quotes.") : parts > 2 ? say("All {n} sub-questions have quotes.", { n: parts }) : say("Each statement has a quote.") };
}

export function coverageOf({ quotes, open, doubtful }: SubQuestion): Coverage {
  return quotes ? (open || doubtful ? "partial" : "found") : "nothing";
}

export function verdictLine(view: RunView): Child {
  const verdict = verdictOf(view);
  if (!verdict) return null;
  const { kind, word, why } = verdict;
  return el("p", { class: "row wrap verdict" }, el("span", { class: `pill p-${kind}` }, sign(kind, 14), word),
    [why, view.answer.worth && `${sayTold(view.answer.worth)}.`].filter(Boolean).join(" "));
}

// A sub-question with its mark, as the heading of what answers it.
export function partHeading(text: string, part: SubQuestion | undefined, running: boolean): HTMLElement {
  const kind = coverageOf(part ?? { quotes: 1, open: false, doubtful: false });
  const word = kind === "nothing" && running ? say("Still open") : say(part?.doubtful && !part.open ? UNCERTAIN : WORDS[kind]);
  return el("p", { class: "row asked" }, sign(kind, 14), el("b", {}, text.charAt(0).toUpperCase() + text.slice(1)), el("span", { class: `word c-${kind}` }, word));
}
