// The leads of an answer: the words that answer, their sentence, and the further quotes, folded.
import { el } from "../shared/dom";
import type { Child } from "../shared/dom";
import type { FurtherQuote, LeadSentence, Piece, QuoteBlock } from "../shared/run_view";

type CiteId = (id: string) => Child;

// The words first, under the heading of what they answer, then the sentence in which they are marked.
export function leadSection(lead: LeadSentence, heading: Child, cite: CiteId): HTMLElement {
  return el("section", { class: "lead" },
    heading,
    lead.words && el("p", { class: "first" }, el("strong", {}, lead.words)),
    el("div", { class: lead.words ? "said" : "said first" }, blockLines(lead.blocks, lead.columns), cite(lead.quote)));
}

export function furtherQuotes(more: readonly FurtherQuote[], cite: CiteId): Child {
  return more.length > 0 && el("details", { class: "told more" },
    el("summary", {}, `More quotes (${more.length})`),
    more.map((quote) => el("div", { class: "said" }, blockLines(quote.blocks, []), cite(quote.quote))));
}

// The lines of a quote; rows that follow each other stand in one table, under its header.
export function blockLines(blocks: readonly QuoteBlock[], columns: readonly string[]): Child[] {
  const shown: Child[] = [];
  let rows: HTMLElement | null = null;
  for (const { kind, cells } of blocks) {
    if (kind !== "row") {
      rows = null;
      shown.push(el("p", { class: kind }, cells.map(pieceNodes), " "));
      continue;
    }
    if (!rows) shown.push(el("table", {}, columns.length > 0 && header(columns), rows = el("tbody")));
    rows.append(el("tr", {}, cells.map((cell) => el("td", {}, pieceNodes(cell)))));
  }
  return shown;
}

function header(columns: readonly string[]): HTMLElement {
  return el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name))));
}

function pieceNodes(pieces: readonly Piece[]): Child[] {
  return pieces.map(([text, marked]) => (marked ? el("mark", {}, text) : text));
}
