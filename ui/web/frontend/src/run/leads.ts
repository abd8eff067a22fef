// The leads of an answer: the words that answer, their sentence, and the further quotes, folded.
import { el, nodesOf } from "../shared/dom";
import type { Child } from "../shared/dom";
import { splitRows } from "../shared/quote_text";
import type { TextBlock } from "./answer_text";
import type { FurtherQuote, LeadSentence, Piece, QuoteBlock, SubQuestion } from "../shared/run_view";
import { later, say } from "../shared/language";

// What stands over a sentence that answers a question for yes or no without saying either.
const UNDECIDED = later("The page says:");
const SO_FAR = later("Read so far, not checked:");
const DOUBTFUL = later("This may answer it:");
const UNLIKELY = later("No sentence says it clearly. The nearest one:");

const LONGEST_TERM = 60;
const SHORT = 12; // characters of a cell that stays on one line

type CiteId = (id: string) => Child;

// The words first, under the heading of what they answer, then the sentence in which they are marked.
// A Yes or a No stands in one line with its reason: alone it would say too much.
// What a stopped run has not judged is told as read so far. A doubtful one is told as what may answer, and has no words in front of its sentence but Yes and No.
// A sentence that stands above already, as the answer to another sub-question, is not told `again`.
export function leadSection(lead: LeadSentence, heading: Child, cite: CiteId, part?: SubQuestion, again = false): HTMLElement {
  const lines = again ? [say("Said in the same place as above."), " ", cite(lead.quote)] : blockLines(lead.blocks, lead.columns, cite(lead.quote));
  const note = noteOver(lead, part);
  if (part?.doubtful || lead.so_far) {
    return el("section", { class: "lead doubtful" },
      heading,
      [!heading, lead.so_far, lead.undecided, part?.unlikely].some(Boolean) && el("p", { class: "small" }, note), // else the heading says it
      el("div", { class: "said" }, lead.yes_no && `${lead.words}. `, lines));
  }
  const words = lead.words && el("strong", {}, lead.words);
  if (words && lead.yes_no) return el("section", { class: "lead" }, heading, el("div", { class: "said judged" }, words, ". ", lines));
  return el("section", { class: "lead" },
    heading,
    words && el("p", { class: "first" }, words),
    note && el("p", { class: "small" }, note),
    el("div", { class: words || again ? "said" : "said first" }, lines));
}

// What is said of a lead over its sentence; nothing over one that answers for certain.
export function noteOver(lead: LeadSentence, part: SubQuestion | undefined): string {
  if (lead.so_far) return say(SO_FAR);
  if (part?.unlikely) return say(UNLIKELY);
  return lead.undecided ? say(UNDECIDED) : part?.doubtful ? say(DOUBTFUL) : "";
}

// Which leads stand in a sentence that an earlier one stands in.
export function saidBefore(leads: readonly LeadSentence[]): boolean[] {
  const told = leads.map(({ quote, blocks }) => quote + JSON.stringify(blocks.map(({ cells }) => cells.map((cell) => cell.map(([text]) => text).join("")))));
  return told.map((text, at) => told.indexOf(text) < at);
}

export function furtherQuotes(more: readonly FurtherQuote[], cite: CiteId, open = false): Child {
  return more.length > 0 && el("details", { class: "told more", open },
    el("summary", {}, say("More quotes ({n})", { n: more.length })),
    more.map((quote) => quoteLines(quote, cite)));
}

export function quoteLines({ quote, blocks }: FurtherQuote, cite: CiteId): HTMLElement {
  return el("div", { class: "said" }, blockLines(blocks, [], cite(quote)));
}

// The lines of a quote, `end` in the last of them; rows that follow each other stand in one table, under its header.
export function blockLines(blocks: readonly QuoteBlock[], columns: readonly string[] = [], end: Child = null): Child[] {
  const shown: HTMLElement[] = [];
  let rows: HTMLElement | null = null;
  let last: HTMLElement | null = null;
  for (const { kind, cells } of blocks) {
    if (kind === "row") {
      if (!rows) shown.push(el("table", {}, columns.length > 0 && header(columns), rows = el("tbody")));
      const row = cells.map((cell) => el("td", isShort(cell) ? { class: "short" } : {}, pieceNodes(cell)));
      rows.append(el("tr", {}, row));
      last = row.at(-1) ?? null;
    } else {
      rows = null;
      shown.push(last = el("p", { class: kind === "text" && isTerm(cells) ? "text term" : kind }, cells.map(pieceNodes), " "));
    }
  }
  if (last && last.className !== "code") last.append(...nodesOf([" ", end]));
  else return [shown, end];
  return shown;
}

// A value with its unit, or a year, is not broken into two lines.
function isShort(cell: readonly Piece[]): boolean {
  return cell.reduce((length, [text]) => length + text.length, 0) <= SHORT;
}

// A line that is no sentence, as the term of a definition is, does not run into the next one.
function isTerm(cells: readonly Piece[][]): boolean {
  const text = cells.flatMap((cell) => cell.map(([piece]) => piece)).join("").trim();
  return text.length < LONGEST_TERM && !/[.!?:;,…。！？：；，]$/.test(text);
}

// A piece of an answer as text, `inline` for what stands in a line.
export function blockElement(block: TextBlock, inline: (words: string) => Child[]): HTMLElement {
  switch (block.kind) {
    case "code": return el("pre", {}, block.text);
    case "list": return el(block.ordered ? "ol" : "ul", { class: "items" }, block.items.map((item) => el("li", {}, inline(item))));
    case "table": return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": say("Table") }, el("table", {},
      el("tbody", {}, block.rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, inline(cell))))))));
    default: return el("p", {}, inline(block.text));
  }
}

// A text in which the rows that it quotes are tables.
export function rowTables(text: string, inline: (words: string) => Child): Child[] {
  return splitRows(text).map((piece) => (typeof piece === "string" ? inline(piece)
    : el("table", {}, el("tbody", {}, piece.map((row) => el("tr", {}, row.map((cell) => el("td", {}, cell))))))));
}

function header(columns: readonly string[]): HTMLElement {
  return el("thead", {}, el("tr", {}, columns.map((name) => el("th", { scope: "col" }, name))));
}

function pieceNodes(pieces: readonly Piece[]): Child[] {
  return pieces.map(([text, marked]) => (marked ? el("mark", {}, text) : text));
}
