// The answer with its citations, what it leaves open, and the quote that is opened.
import { defineRunPart } from "../shared/component";
import type { Run, RunData } from "../shared/component";
import { createChangeCheck, el, nodesOf } from "../shared/dom";
import type { Child } from "../shared/dom";
import { countOf, shorten } from "../shared/format";
import { icon } from "../shared/icons";
import { splitCitations, stripBlockMarks } from "../shared/quote_text";
import type { AnswerTable, LaidAnswer, RunView, TableCell } from "../shared/run_view";
import { sign } from "../shared/signs";
import { copiedAnswer, putOnClipboard } from "./copy_answer";
import { furtherQuotes, leadSection } from "./leads";
import { numberQuotes, quoteCard } from "./quote_card";
import type { NumberedQuote } from "./quote_card";
import styles from "./answer.css" with { type: "text" };

type Quotes = ReadonlyMap<string, NumberedQuote>;
type Cite = (quote: NumberedQuote) => HTMLElement;

const MOST_IN_DRAFT = 4;
const LONG = 70;
const COPY = "Copy answer";
const NOT_COPIED = "The browser does not allow this. Select the text and copy it.";
const SHOWN_MS = 4000;

export const answer = defineRunPart([styles], (root) => {
  const changed = createChangeCheck();
  let shown: string | null = null; // the id of the quote whose card is there
  let card: HTMLElement | null = null;
  return (view, run) => {
    const quotes = numberQuotes(view);
    const quote = quotes.get(run.openedQuote ?? "");
    const opened = quote?.id ?? null;
    const another = opened !== shown;
    if (!changed([view.answer, view.citations, view.parts, view.session, view.answer.text ? 0 : view.evidence]) && !another) return;
    if (another) card = quote ? quoteCard(quote, run) : null;
    shown = opened;
    root.replaceChildren(...nodesOf([body(view, quotes, run), coverage(view), card, remarks(view)]));
    if (!card) return;
    root.querySelector(".cite.on")?.closest(".answer > *")?.after(card); // beside what it supports
    if (!another) return;
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
  };
});

function body(view: RunView, quotes: Quotes, run: Run<RunData>): Child {
  const { text, table, worth, laid } = view.answer;
  const cite: Cite = (quote) => citation(quote, run);
  if (!text) return draft(view, quotes, cite);
  const paragraphs = (lines: readonly string[]): Child[] => lines.map((line) => el("p", {}, splitCitations(line, quotes, cite)));
  const blocks = table ? tableRows(table, quotes, cite) : laid ? ledAnswer(laid, paragraphs, quotes, cite) : paragraphs(text.split(/\n+/));
  const vain = view.session.status === "abstained";
  return [
    vain && el("p", { class: "waiting" }, el("span", {}, `${describeNoAnswer("abstained", "")} These passages come closest.`)),
    el("div", { class: vain ? "answer draft" : "answer", role: "region", "aria-label": "Answer", "aria-live": "polite" }, blocks),
    worth && el("p", { class: "faint small" }, worth),
    view.session.status !== "running" && copyButton(view),
  ];
}

function copyButton(view: RunView): HTMLElement {
  const said = el("span", {}, COPY);
  const button = el("button", {
    class: "copy row tight", "aria-live": "polite",
    on: { click: () => { void putOnClipboard(copiedAnswer(view)).then((done) => { say(done ? "Copied, with its sources" : NOT_COPIED); }); } },
  }, icon("copy"), said);
  const say = (text: string): void => {
    said.textContent = text;
    setTimeout(() => { said.textContent = COPY; }, SHOWN_MS);
  };
  return button;
}

function ledAnswer(laid: LaidAnswer, paragraphs: (lines: readonly string[]) => Child[], quotes: Quotes, cite: Cite): Child[] {
  const citeId = (id: string): Child => { const quote = quotes.get(id); return quote && cite(quote); };
  return [
    ...paragraphs(laid.before), ...laid.leads.map((lead) => leadSection(lead, laid.leads.length > 1, citeId)),
    ...paragraphs(laid.after), furtherQuotes(laid.more, citeId),
  ];
}

function citation(quote: NumberedQuote, run: Run<RunData>): HTMLElement {
  const on = run.openedQuote === quote.id;
  const title = quote.title || quote.url;
  return el("button", {
    class: on ? "cite on" : "cite", "aria-label": `Citation ${quote.number}: ${title}`, "aria-expanded": String(on), title,
    on: { click: () => { run.toggleQuote(quote.id); } },
  }, quote.number);
}

// What the page says while there is no answer.
export function describeNoAnswer(status: string, error: string): string {
  switch (status) {
    case "running": return "Reading… quotes appear here as they are found.";
    case "waiting": return "The run waits for your answer above.";
    case "abstained": return "No page that was read answers this.";
    case "paused": return "Paused. Resume to continue where it left off.";
    case "interrupted": return "Forager stopped during this run. Resume to continue; nothing is lost.";
    case "failed": return error || "The run failed.";
    default: return "There is no answer.";
  }
}

// The best quotes so far stand for the answer.
function draft(view: RunView, quotes: Quotes, cite: Cite): Child {
  const { status, error } = view.session;
  const words = describeNoAnswer(status, error);
  if (status === "failed") return el("p", { class: "fault row", role: "alert" }, sign("failed"), el("span", {}, words));
  const best = [...quotes.values()].sort((one, other) => other.confidence - one.confidence).slice(0, MOST_IN_DRAFT);
  if (!best.length) return el("p", { class: "waiting" }, el("span", {}, words));
  const lines = best.map((quote) => el("p", {}, el("span", { class: "words" }, `“${stripBlockMarks(quote.quote)}”`), cite(quote)));
  return [
    el("div", { class: "answer draft", role: "region", "aria-label": "Draft" }, lines),
    el("p", { class: "faint small" }, status === "running" ? "Quotes found so far. The answer follows." : words),
  ];
}

function tableRows(table: AnswerTable, quotes: Quotes, cite: Cite): HTMLElement {
  const content = ({ text, cites }: TableCell): Child => [text, cites.flatMap((id) => quotes.get(id) ?? []).map(cite)];
  const cell = (each: TableCell, place: number) => (place ? el("td", {}, content(each)) : el("th", { scope: "row" }, content(each)));
  return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Answer as a table" }, el("table", {},
    el("thead", {}, el("tr", {}, table.columns.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, table.rows.map((row) => el("tr", {}, row.map(cell))))));
}

// Each sub-question with its number of quotes.
function coverage(view: RunView): Child {
  const parts = Object.entries(view.parts);
  if (!parts.length || view.answer.table) return null;
  return el("ul", { class: "row wrap cover", "aria-label": "Sub-questions" }, parts.map(([text, { quotes, open }]) => {
    const kind = quotes ? (open ? "partial" : "found") : "nothing";
    return el("li", { class: "row part", title: text },
      sign(kind, 14), el("b", {}, shorten(text, LONG)), countOf(quotes, "quote"), open && quotes ? ", still open" : "");
  }));
}

function remarks(view: RunView): Child {
  const { open, notes, error, status } = view.session;
  const doubts = (view.answer.doubts ?? []).map(({ sentence, why }) => `${sentence} (${why})`);
  return [
    status === "failed" && view.answer.text && el("p", { class: "fault row", role: "alert" }, sign("failed"), error),
    status !== "running" && view.answer.reason && el("p", { class: "small" }, view.answer.reason),
    status !== "running" && remark("nothing", "Closest", view.answer.nearest ? [view.answer.nearest] : [], true),
    remark("partial", `Not supported by the quotes · ${doubts.length}`, doubts),
    status !== "running" && view.answer.text && remark("nothing", `Not answered · ${open.length}`, open),
    remark("partial", countOf(notes.length, "warning"), notes, true),
  ];
}

function remark(kind: string, title: string, lines: readonly string[], open = false): Child {
  return lines.length > 0 && el("details", { class: "told", open },
    el("summary", { class: "row" }, sign(kind, 14), title), el("ul", {}, lines.map((line) => el("li", {}, line))));
}
