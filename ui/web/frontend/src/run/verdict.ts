// Whether an answer covers the question, and each sub-question, in a sign and in words.
import { el } from "../shared/dom";
import type { Child } from "../shared/dom";
import { countOf } from "../shared/format";
import type { RunView, SubQuestion } from "../shared/run_view";
import { sign } from "../shared/signs";

export type Coverage = "found" | "partial" | "nothing";
export interface Verdict { kind: Coverage; word: string; why: string }

const ENDED = new Set(["answered", "partial", "abstained"]);
const WORDS: Readonly<Record<Coverage, string>> = { found: "Covered", partial: "Partly covered", nothing: "Not found" };
const NONE = "No page that was read answers this.";

// The verdict on an answer; none while it may still change.
export function verdictOf(view: RunView): Verdict | null {
  const { status, open } = view.session;
  if (!ENDED.has(status)) return null;
  if (status === "abstained" || !view.answer.text) return { kind: "nothing", word: WORDS.nothing, why: NONE };
  const parts = Math.max(Object.keys(view.parts).length, open.length);
  const doubts = view.answer.doubts?.length ?? 0;
  const lacks = [
    open.length > 0 && parts > 1 && `${open.length} of ${parts} sub-questions ${open.length === 1 ? "is" : "are"} still open.`,
    doubts > 0 && `${countOf(doubts, "statement")} not supported by the quotes.`,
  ].filter(Boolean).join(" ");
  const half = status === "partial" && !lacks && "The question is only partly answered.";
  if (lacks || open.length > 0 || status === "partial") return { kind: "partial", word: WORDS.partial, why: half || lacks };
  return { kind: "found", word: WORDS.found, why: parts > 1 ? `${parts === 2 ? "Both" : `All ${parts}`} sub-questions have quotes.` : "Each statement has a quote." };
}

export function coverageOf({ quotes, open }: SubQuestion): Coverage {
  return quotes ? (open ? "partial" : "found") : "nothing";
}

export function verdictLine(view: RunView): Child {
  const verdict = verdictOf(view);
  if (!verdict) return null;
  const { kind, word, why } = verdict;
  return el("p", { class: "row wrap verdict" }, el("span", { class: `pill p-${kind}` }, sign(kind, 14), word),
    [why, view.answer.worth && `${view.answer.worth}.`].filter(Boolean).join(" "));
}

// A sub-question with its mark, as the heading of what answers it.
export function partHeading(text: string, part: SubQuestion | undefined, running: boolean): HTMLElement {
  const kind = coverageOf(part ?? { quotes: 1, open: false });
  const word = kind === "nothing" && running ? "Open" : WORDS[kind];
  return el("p", { class: "row asked" }, sign(kind, 14), el("b", {}, text.charAt(0).toUpperCase() + text.slice(1)), el("span", { class: `word c-${kind}` }, word));
}
