// An answer as it is laid out for every turn: the present one, and those before it.
import { el } from "../shared/dom";
import type { Child } from "../shared/dom";
import { splitCitations } from "../shared/quote_text";
import type { FurtherQuote, LaidAnswer, SubQuestion } from "../shared/run_view";
import { styledPieces, textBlocks } from "./answer_text";
import { foldPassage } from "./fold";
import { blockElement, furtherQuotes, leadSection, quoteLines, saidBefore } from "./leads";
import { partHeading } from "./verdict";
import type { Reading } from "./verdict";

export interface AskedParts extends Reading { parts: Readonly<Record<string, SubQuestion>> }

const BEST_PASSAGES = 2; // as many as an export shows
const UNANSWERED: SubQuestion = { quotes: 0, open: true, doubtful: false };

// What answers each sub-question under its heading, then the sub-questions that nothing answers.
export function laidAnswer<Q>(asked: AskedParts, laid: LaidAnswer, quotes: ReadonlyMap<string, Q>, cite: (quote: Q) => Child): Child[] {
  const led = new Set(laid.leads.map((lead) => lead.part));
  const unled = Object.entries(asked.parts).filter(([text, { open }]) => open && !led.has(text));
  const named = led.size + unled.length > 1;
  const heading = (text: string): Child => named && partHeading(text, asked.parts[text], asked);
  const citeId = citeById(quotes, cite);
  const again = saidBefore(laid.leads);
  return [
    ...writtenLines(laid.before, quotes, cite),
    ...laid.leads.map((lead, at) => leadSection(lead, heading(lead.part), citeId, asked.parts[lead.part], again[at])),
    ...(named ? unled.map(([text]) => el("section", { class: "lead" }, partHeading(text, UNANSWERED, asked))) : []),
    ...writtenLines(laid.after, quotes, cite), furtherQuotes(laid.more, citeId, laid.leads.some((lead) => asked.parts[lead.part]?.unlikely)), // one of them then rather answers
  ];
}

// The passages that come nearest to a question that no sentence answers; all but the best are folded.
export function closestQuotes(closest: readonly FurtherQuote[], citeId: (id: string) => Child, whole = false): Child[] {
  if (whole) return closest.map((quote) => foldPassage(quoteLines(quote, citeId)));
  return [...closest.slice(0, BEST_PASSAGES).map((quote) => foldPassage(quoteLines(quote, citeId))), furtherQuotes(closest.slice(BEST_PASSAGES), citeId)];
}

export function citeById<Q>(quotes: ReadonlyMap<string, Q>, cite: (quote: Q) => Child): (id: string) => Child {
  return (id) => { const quote = quotes.get(id); return quote !== undefined && cite(quote); };
}

// Lines that a model wrote, with their citations, code and emphasis.
export function writtenLines<Q>(lines: readonly string[], quotes: ReadonlyMap<string, Q>, cite: (quote: Q) => Child): Child[] {
  const inline = (words: string): Child[] => splitCitations<Q, { cited: Child }>(words, quotes, (quote) => ({ cited: cite(quote) })).flatMap((piece): Child[] => (typeof piece === "string"
    ? styledPieces(piece).map(([text, style]) => (style === "plain" ? text : el(style, {}, text)))
    : [piece.cited]));
  return textBlocks(lines).map((block) => blockElement(block, inline));
}
