// The answer with its citations, what it leaves open, and the quote that is opened.
import { defineRunPart } from "../shared/component";
import type { Run, RunData } from "../shared/component";
import { createChangeCheck, el, link, nodesOf } from "../shared/dom";
import type { Child } from "../shared/dom";
import { nameSites, shorten } from "../shared/format";
import type { SiteNames } from "../shared/format";
import { icon } from "../shared/icons";
import type { AnswerTable, LaidAnswer, NearestQuote, RunView, SubQuestion, TableCell } from "../shared/run_view";
import { sign } from "../shared/signs";
import { answersAlike, describeNoEffect, originToCompare } from "./fork_effect";
import { copiedAnswer, putOnClipboard } from "./copy_answer";
import { foldPassage } from "./fold";
import { citeById, closestQuotes, laidAnswer, writtenLines } from "./laid_answer";
import { blockLines, furtherQuotes, quoteLines } from "./leads";
import { numberQuotes, quoteCard } from "./quote_card";
import type { NumberedQuote } from "./quote_card";
import { plainWords, titleWarnings } from "./plain_words";
import { coverageOf, describeDoubts, describeOpen, isUnjudged, verdictLine, verdictOf, wasStopped } from "./verdict";
import type { Reading } from "./verdict";
import { later, say, sayCount, sayTold } from "../shared/language";
import styles from "./answer.css" with { type: "text" };

type Quotes = ReadonlyMap<string, NumberedQuote>;
type Cite = (quote: NumberedQuote) => HTMLElement;

const LONG = 70;
const COPY = later("Copy answer");
const NOT_COPIED = later("The browser blocked copying. Select the text and copy it.");
const KEPT = later("The quotes found are under Evidence.");
const SHOWN_MS = 4000;
const TOLD_BY_VERDICT = /^(The run was stopped|No other page looked likely)\. ?/;
const PAGES_READ = / ?(Pages read: [\d,]+( of [\d,]+)?|No page was read)\.$/;

interface AnswerData extends RunData { headed?: boolean } // whether the status of the run stands above it

export const answer = defineRunPart<AnswerData>([styles], (root) => {
  const changed = createChangeCheck();
  let shown: string | null = null; // the id of the quote whose card is there
  let card: HTMLElement | null = null;
  let close = (): void => undefined;
  const narrow = matchMedia("(max-width: 760px)");
  let compared = ""; // the answer that was compared with that of the session forked from
  let alike = false;
  let pressed = 0; // which of the citations of one quote was pressed last
  let pressedLead = 0; // and which of the leads from that quote it cites
  const cites = (id: string): HTMLElement[] => [...content.querySelectorAll<HTMLElement>(`.cite[data-quote="${id}"]`)];
  const content = root.appendChild(el("div"));
  content.addEventListener("click", ({ target }) => {
    const cite = target instanceof Element ? target.closest<HTMLElement>(".cite") : null;
    if (!cite) return;
    const alike = cites(cite.dataset.quote ?? "");
    pressed = Math.max(0, alike.indexOf(cite));
    pressedLead = leadPlace(alike.map((each) => each.closest("tbody th") !== null), pressed);
  }, { capture: true });
  // On a narrow screen the card comes from below, over the page.
  const sheet = root.appendChild(el("dialog", { class: "sheet", "aria-label": say("Citation"), on: {
    close: () => { if (shown) close(); },
    click: (event) => { if (event.target === sheet) sheet.close(); },
  } }));
  return (view, run) => {
    const quotes = numberQuotes(view);
    const quote = quotes.get(run.openedQuote ?? "");
    const opened = quote?.id ?? null;
    const another = opened !== shown;
    const origin = originToCompare(view);
    if (origin && compared !== view.answer.text) {
      compared = view.answer.text;
      void answersAlike(view, origin, run.data.token).then((same) => { alike = same; run.redraw(); });
    }
    if (!changed([alike, view.answer, view.citations, view.parts, view.session, view.pages, view.read]) && !another) return;
    const left = another ? shown : null;
    if (another) card = quote ? quoteCard(quote, run, inPlace(view.answer.laid?.leads.filter((lead) => lead.quote === quote.id) ?? [], pressedLead)) : null;
    if (another && quote) close = () => { run.toggleQuote(quote.id); };
    shown = opened;
    const below = card !== null && (another ? narrow.matches : sheet.open);
    const vain = view.session.status === "abstained"; // its quotes answer nothing, so they stand last
    const folds = new Map(foldsOf(root).map((fold) => [fold.className, fold.open]));
    content.replaceChildren(...nodesOf([verdictLine(view, run.data.headed), vain && coverage(view), body(view, quotes, run), !vain && coverage(view), !below && card, alike && origin && el("p", { class: "small" }, describeNoEffect(view)), remarks(view, run.data.sites)]));
    for (const fold of foldsOf(root)) fold.open = folds.get(fold.className) ?? fold.open;
    if (!card) {
      const focusLost = sheet.firstChild !== null || document.activeElement === document.body;
      sheet.close();
      sheet.replaceChildren();
      if (left && focusLost) inPlace(cites(left), pressed)?.focus({ preventScroll: true });
      return;
    }
    if (!below) inPlace([...content.querySelectorAll(".cite.on")], pressed)?.closest(".answer > *")?.after(card); // beside what it supports
    if (!another) return;
    if (below) {
      sheet.replaceChildren(card);
      if (!sheet.open) sheet.showModal();
    }
    card.focus({ preventScroll: true });
    if (below) return;
    card.scrollIntoView({ block: "nearest" });
  };
});

// The one in a place, or else the first.
function inPlace<T>(all: readonly T[], place: number): T | undefined {
  return all[place] ?? all[0];
}

function foldsOf(root: HTMLElement): HTMLDetailsElement[] {
  return [...root.querySelectorAll("details")];
}

function body(view: RunView, quotes: Quotes, run: Run<RunData>): Child {
  const { text, table, laid, closest } = view.answer;
  const cite: Cite = (quote) => citation(quote, run);
  if (!text) return draft(view, quotes, cite);
  const citeId = citeById(quotes, cite);
  const vain = view.session.status === "abstained";
  const blocks = closest ? closestQuotes(closest, citeId, vain) : table ? tabled(table, laid, quotes, cite) : laid ? laidAnswer({ parts: view.parts, ...readingOf(view) }, laid, quotes, cite) : writtenLines(text.split("\n"), quotes, cite);
  return [
    el("div", { class: vain || closest || isUnjudged(view) ? "answer draft" : "answer", role: "region", "aria-label": say("Answer"), "aria-live": "polite" },
      vain ? foldNearest(closest?.length ?? Object.keys(view.citations).length, blocks) : blocks),
    view.session.status !== "running" && copyButton(view, run.data.sites),
  ];
}

// What does not answer stands folded, under a line that says so.
function foldNearest(count: number, ...passages: Child[]): HTMLElement {
  return el("details", { class: "told nearest" },
    el("summary", {}, say("Nearest passages ({n})", { n: count }), el("span", { class: "faint" }, ` ${say("None was recognized as an answer.")}`)), passages);
}

function copyButton(view: RunView, sites: SiteNames): HTMLElement {
  const said = el("span", {}, say(COPY));
  const button = el("button", {
    class: "copy row tight", "aria-live": "polite",
    on: { click: () => { void putOnClipboard(copiedAnswer(view, sites)).then((done) => { tell(done ? say("Copied, with its sources") : say(NOT_COPIED)); }); } },
  }, icon("copy"), said);
  const tell = (text: string): void => {
    said.textContent = text;
    setTimeout(() => { said.textContent = say(COPY); }, SHOWN_MS);
  };
  return button;
}

function citation(quote: NumberedQuote, run: Run<RunData>): HTMLElement {
  const on = run.openedQuote === quote.id;
  const title = quote.title || quote.url;
  return el("button", {
    class: on ? "cite on" : "cite", "data-quote": quote.id, "aria-label": say("Citation {number}: {title}", { number: quote.number, title }), "aria-expanded": String(on), title,
    on: { click: () => { run.toggleQuote(quote.id); } },
  }, quote.number);
}

// What the page says while there is no answer.
export function describeNoAnswer(status: string, error: string, read = 0): string {
  switch (status) {
    case "running": return read === 0 ? say("Finding pages… quotes appear here once the first is read.") : say("Reading… quotes appear here as they are found.");
    case "waiting": return say("The run waits for your answer above.");
    case "abstained": return say("No answer was recognized on the pages that were read.");
    case "paused": return say("Paused. Resume to continue where it left off.");
    case "interrupted": return say("Forager stopped during this run. Resume to continue; nothing is lost.");
    case "failed": return sayTold(plainWords(error)) || say("The run failed.");
    default: return say("There is no answer.");
  }
}

// The best quotes so far stand for the answer.
function draft(view: RunView, quotes: Quotes, cite: Cite): Child {
  const { status, error } = view.session;
  const words = describeNoAnswer(status, error, view.read);
  if (status === "failed") return el("p", { class: "fault row", role: "alert" }, sign("failed"), el("span", {}, words));
  if (verdictOf(view) && view.answer.nearest && !view.answer.closest) return nearestQuote(view.answer.nearest);
  if (verdictOf(view)) return Object.keys(view.evidence).length > 0 && el("p", { class: "faint small" }, say(KEPT));
  const best = view.answer.draft ?? [];
  if (!best.length) return el("p", { class: "waiting" }, el("span", {}, words));
  const lines = best.map((quote) => quoteLines(quote, citeById(quotes, cite)));
  return [
    status === "running" ? el("p", { class: "faint small so-far" }, say("Quotes found so far. The answer follows.")) : el("p", { class: "faint small" }, words),
    el("div", { class: "answer draft", role: "region", "aria-label": say("Draft") }, lines),
  ];
}

// A table has the leads for its cells, and stands in their place.
function tabled(table: AnswerTable, laid: LaidAnswer | undefined, quotes: Quotes, cite: Cite): Child[] {
  const rows = tableRows(table, quotes, cite);
  if (!laid) return [rows];
  return [...writtenLines(laid.before, quotes, cite), rows, ...writtenLines(laid.after, quotes, cite), furtherQuotes(laid.more, citeById(quotes, cite))];
}

// The place of the lead behind the citation at `pressed` among those of one quote: a row's name cites the cell that follows.
export function leadPlace(inNames: readonly boolean[], pressed: number): number {
  return pressed - inNames.slice(0, pressed).filter(Boolean).length;
}

function tableRows(table: AnswerTable, quotes: Quotes, cite: Cite): HTMLElement {
  const content = ({ text, cites }: TableCell): Child => [text, cites.flatMap((id) => quotes.get(id) ?? []).map(cite)];
  const cell = (each: TableCell, place: number) => (place ? el("td", { "data-name": table.columns[place] ?? "", class: !each.text && "none" }, content(each)) : el("th", { scope: "row" }, content(each)));
  return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": say("Answer as a table") }, el("table", {},
    el("thead", {}, el("tr", {}, table.columns.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, table.rows.map((row) => el("tr", {}, row.map(cell))))));
}

function readingOf(view: RunView): Reading {
  return { read: view.read, status: view.session.status, stopped: wasStopped(view) };
}

// Each sub-question with its number of quotes.
function coverage(view: RunView): Child {
  const parts = Object.entries(view.parts);
  const open = parts.some(([, part]) => part.open);
  const vain = verdictOf(view)?.kind === "nothing";
  if (parts.length < (vain || view.answer.closest ? 2 : 1) || view.answer.laid || (view.answer.table && !open)) return null;
  return el("ul", { class: "row wrap cover", "aria-label": say("Sub-questions") }, parts.map(([text, part]) =>
    el("li", { class: "row part", title: text }, sign(vain ? "nothing" : coverageOf(part), 14), el("b", {}, shorten(text, LONG)), vain ? describeOpen(readingOf(view)) : describePart(part))));
}

function describePart({ quotes, open }: SubQuestion): string {
  if (!quotes) return say("still open");
  return open ? sayCount(quotes, "{n} quote, still open", "{n} quotes, still open") : sayCount(quotes, "{n} quote", "{n} quotes");
}

function remarks(view: RunView, names: SiteNames): Child {
  const { notes, error, status } = view.session;
  const [doubtful, doubts] = describeDoubts(view);
  return [
    status === "failed" && view.answer.text && el("p", { class: "fault row", role: "alert" }, sign("failed"), sayTold(plainWords(error))),
    status !== "running" && reasonOf(view) && el("p", { class: "small" }, sayTold(plainWords(reasonOf(view)))),
    view.answer.reading && el("p", { class: "small" }, nameSites(sayTold(view.answer.reading), names)),
    status !== "running" && view.answer.text && view.answer.nearest && !view.answer.closest && nearestQuote(view.answer.nearest),
    remark("partial", doubtful, doubts),
    warnings(notes),
  ];
}

// Why the answer is not complete, without the pages that the verdict has told.
function reasonOf(view: RunView): string {
  const { reason = "" } = view.answer;
  if (verdictOf(view)?.kind !== "nothing") return isUnjudged(view) ? reason.replace(TOLD_BY_VERDICT, "") : reason;
  return reason.replace(PAGES_READ, "").replace(TOLD_BY_VERDICT, "");
}

function nearestQuote({ why, title, url, blocks }: NearestQuote): HTMLElement {
  return el("section", { "aria-label": say("Nearest passage") }, foldNearest(1,
    el("div", { class: "answer draft" }, foldPassage(el("div", { class: "said" }, blockLines(blocks)))),
    el("p", { class: "small" }, link(url, { class: "underlined" }, title || url), ` ${sayTold(why)}`)));
}

// What a reader must not overlook is never folded; a title that says it stands for the rest.
function warnings(notes: readonly string[]): Child {
  const { title, folded } = titleWarnings(notes);
  const lines = notes.map((note) => sayTold(plainWords(note)));
  if (!folded) return remark("partial", title, lines);
  return el("section", { class: "told", "aria-label": title }, el("p", { class: "row" }, sign("partial", 14), title),
    el("details", {}, el("summary", {}, say("Details")), el("ul", {}, lines.map((line) => el("li", {}, line)))));
}

function remark(kind: string, title: string, lines: readonly string[]): Child {
  return lines.length > 0 && el("section", { class: "told", "aria-label": title },
    el("p", { class: "row" }, sign(kind, 14), title), el("ul", {}, lines.map((line) => el("li", {}, line))));
}
