// The evidence of a run as a table. Filters stay while rows come in, and rows that were read do not move.
import { defineRunPart } from "../shared/component";
import type { Run, RunData } from "../shared/component";
import { createChangeCheck, el, find, link, updateList } from "../shared/dom";
import { shorten } from "../shared/format";
import { icon } from "../shared/icons";
import { stripBlockMarks } from "../shared/quote_text";
import { arrangeRows, leadingRows, nameQuotes, tellApart } from "./evidence_rows";
import type { Arrangement, Column, EvidenceRow } from "./evidence_rows";
import { excerptAtMark } from "./excerpt";
import { blockLines } from "./leads";
import { numberQuotes } from "./quote_card";
import { later, say, sayCount } from "../shared/language";
import styles from "./ledger.css" with { type: "text" };

const TITLES: Record<Column, string> = { cited: later("Cited"), quote: later("Quote"), page: later("Page"), part: later("Sub-question"), round: later("Round") };
const NUMBERS = new Set<Column>(["cited", "round"]);
const OVER = new Set(["answered", "partial", "abstained", "failed"]);
const LONG = 48;
const SMALL = matchMedia("(max-width: 767px)"); // what is below the rows stays near
const NARROW = 30; // characters that the column of sub-questions has room for

export const ledger = defineRunPart([styles], (root) => {
  const how: Arrangement = { sort: "cited", down: false, find: "", part: "" };
  let redraw = (): void => undefined;
  let opened: string | null = null;
  const set = (change: Partial<Arrangement>): void => {
    Object.assign(how, change);
    redraw();
  };
  const sortBy = (column: Column): void => { set({ sort: column, down: how.sort === column && !how.down }); };
  const search = el("input", {
    type: "search", placeholder: say("Find in quotes and pages"), "aria-label": say("Find in quotes and pages"),
    on: { input: () => { set({ find: search.value }); } },
  });
  const part = el("select", { "aria-label": say("Sub-question"), on: { change: () => { set({ part: part.value }); } } });
  const heads = Object.entries(TITLES).map(([name, title]) => columnHead(name as Column, say(title), sortBy));
  const rows = el("tbody");
  const table = el("div", { class: "dfw", tabindex: 0, role: "group", "aria-label": say("Evidence") }, el("table", {},
    el("caption", {}, say("Quotes found, with their pages")), el("thead", {}, el("tr", { "data-sort": say("Sort by") }, heads.map(({ cell }) => cell))), rows));
  const none = el("p", { class: "none faint" });
  let whole = false;
  const rest = el("button", { class: "mode", hidden: true, on: { click: () => { whole = true; redraw(); } } });
  root.append(el("div", { class: "tools" }, el("label", { class: "field" }, icon("find"), search), part), table, rest, none);

  const partsChanged = createChangeCheck();
  return (view, run) => {
    ({ redraw } = run);
    const over = OVER.has(view.session.status);
    const numbers = numberQuotes(view); // of the draft, until there is an answer
    const cites = new Set(Object.values(view.citations).map(({ id }) => id));
    const cited = (id: string): number => (over && !cites.has(id) ? 0 : Number(numbers.get(id)?.number) || 0);
    const all = Object.entries(view.evidence).map(([id, row]): EvidenceRow => ({ ...row, id, cited: cited(id) }));
    const parts = [...new Set(all.map((row) => row.part).filter(Boolean))];
    if (partsChanged(parts)) offerParts(part, parts, how.part);
    for (const head of heads) head.show(how);
    const fitting = arrangeRows(all, how);
    const shown = SMALL.matches && !whole && !how.find && !how.part ? leadingRows(fitting) : fitting;
    rest.hidden = shown.length === fitting.length;
    rest.textContent = say("Show all {n}", { n: fitting.length });
    updateList(rows, shown.map((row) => [row.id, { ...row, agrees: nameQuotes(row.agrees, all), conflicts: nameQuotes(row.conflicts, all), on: run.openedQuote === row.id, told: tellApart(row.part, parts, NARROW) }]), (row) => tableRow(row, run));
    if (opened && !run.openedQuote) focusIfLost(rows, opened);
    opened = run.openedQuote;
    none.hidden = shown.length > 0;
    none.textContent = all.length ? say("No quotes match these filters.") : over ? say("No quotes were kept.") : say("No quotes yet.");
    table.hidden = shown.length === 0;
  };
});

// The quote of a row was closed: a frame later the browser knows that what had the focus is gone.
function focusIfLost(rows: HTMLElement, id: string): void {
  requestAnimationFrame(() => { requestAnimationFrame(() => {
    if (document.activeElement === document.body) find(rows, `[data-key="${id}"] button`, HTMLElement)?.focus({ preventScroll: true });
  }); });
}

function columnHead(name: Column, title: string, sortBy: (column: Column) => void) {
  const arrow = el("span", { class: "way" });
  const cell = el("th", { scope: "col", class: NUMBERS.has(name) ? "n" : "" }, el("button", { on: { click: () => { sortBy(name); } } }, title, arrow));
  const show = ({ sort, down }: Arrangement): void => {
    const own = sort === name;
    cell.setAttribute("aria-sort", own ? (down ? "descending" : "ascending") : "none");
    arrow.replaceChildren(...(own ? [icon(down ? "down" : "up", 11)] : []));
  };
  return { cell, show };
}

function offerParts(select: HTMLSelectElement, parts: readonly string[], chosen: string): void {
  select.replaceChildren(el("option", { value: "" }, say("Any sub-question")), ...parts.map((text) => el("option", { value: text }, shorten(tellApart(text, parts, LONG), LONG))));
  select.value = chosen;
  select.hidden = parts.length < 2;
}

function tableRow(row: EvidenceRow & { on: boolean; told: string }, run: Run<RunData>): HTMLElement {
  const label = row.cited ? say("Open citation {number}", { number: row.cited }) : say("Open quote {id}, not cited", { id: row.id });
  const relations = describeRelations(row);
  return el("tr", { class: row.on ? "sel" : "" },
    el("td", { class: "n" }, el("button", {
      class: row.on ? "cite on" : "cite", "aria-expanded": String(row.on), "aria-label": label, title: say("Show it in its page"),
      on: { click: () => { run.toggleQuote(row.id); } },
    }, row.cited || "–")),
    el("td", { class: "q" }, el("div", { class: "clamp", title: stripBlockMarks(row.quote) }, blockLines(excerptAtMark(row.blocks))),
      relations && el("span", { class: row.conflicts.length ? "more c-partial" : "more" }, relations)),
    el("td", { class: "pg" }, link(row.url, { class: "clamp2", title: row.url }, row.title || row.url)),
    el("td", { "data-column": say(TITLES.part) }, el("span", { class: "clamp2", title: row.part }, row.told)),
    el("td", { class: "n", "data-column": say(TITLES.round) }, row.round));
}

function describeRelations(row: EvidenceRow): string {
  return [
    row.conflicts.length ? say("conflicts with {quotes}", { quotes: row.conflicts.join(", ") }) : "",
    row.agrees.length ? say("agrees with {quotes}", { quotes: row.agrees.join(", ") }) : "",
    row.also.length ? sayCount(row.also.length, "also on {n} page", "also on {n} pages") : "",
  ].filter(Boolean).join(" · ");
}
