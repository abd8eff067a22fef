// A quote in its page: the words around it, where it stands, and the way to the page.
import type { Run, RunData } from "../shared/component";
import { el, find, isWebAddress, link, nodesOf } from "../shared/dom";
import { formatPath } from "../shared/format";
import { icon } from "../shared/icons";
import { stripBlockMarks } from "../shared/quote_text";
import type { LeadSentence, Piece, QuoteBlock, RunView } from "../shared/run_view";
import { sign } from "../shared/signs";
import { blockLines } from "./leads";
import { say } from "../shared/language";

export interface NumberedQuote {
  id: string;
  number: string; // its number in the answer
  url: string;
  title: string;
  quote: string;
  round: number;
  score: number;
  dated: string;
}

type PageLine = [kind: QuoteBlock["kind"], cells: Piece[][]];
interface QuoteContext { before: string; quote: string; after: string; share: number; link: string; stands: boolean; blocks: PageLine[] }

const NOT_CITED = "–";
const ROOM = 48; // px above the quote that show the words before it

// The quotes by id; those that the answer cites, or the draft shows, have their number there.
export function numberQuotes(view: RunView): Map<string, NumberedQuote> {
  const quotes = new Map<string, NumberedQuote>();
  const shown = new Map(view.answer.draft?.map(({ quote }, place) => [quote, String(place + 1)]));
  for (const [id, entry] of Object.entries(view.evidence)) {
    quotes.set(id, { ...entry, id, number: shown.get(id) ?? NOT_CITED });
  }
  for (const [number, quote] of Object.entries(view.citations)) {
    const { score = 0, dated = "" } = view.evidence[quote.id] ?? {};
    quotes.set(quote.id, { ...quote, score, dated, number });
  }
  return quotes;
}

// The card of a quote; `lead` is what the answer has from it, which is marked most and brought into view.
export function quoteCard(quote: NumberedQuote, run: Run<RunData>, lead?: LeadSentence): HTMLElement {
  const close = (): void => { run.toggleQuote(quote.id); };
  const words = el("blockquote", { class: "quote", tabindex: 0 }, el("mark", {}, stripBlockMarks(quote.quote)));
  const foot = el("footer", {}, el("span", { class: "mono clip" }, formatPath(quote.url)),
    quote.round > 0 && el("span", {}, say("read in round {round}", { round: quote.round })), quote.dated && el("span", {}, say("dated {date}", { date: quote.dated })));
  const way = el("span", {}, pageLink(quote.url));
  void fetchContext(quote.id, run).then((context) => { if (context) showContext(context, words, foot, way, lead); });
  return el("section", {
    class: "qcard", tabindex: -1, "aria-label": say("Citation {number} in its page", { number: quote.number }),
    on: { keydown: (event) => { if (event.key === "Escape") close(); } },
  },
  el("header", {}, el("span", { class: "cite on" }, quote.number), el("b", { class: "grow" }, quote.title || quote.url), way,
    el("button", { "aria-label": say("Close citation"), class: "faint", on: { click: close } }, icon("close"))),
  words, foot);
}

async function fetchContext(id: string, run: Run<RunData>): Promise<QuoteContext | null> {
  const reply = await run.fetch(`quotes/${encodeURIComponent(id)}`).catch(() => null);
  return reply?.ok ? await reply.json() as QuoteContext : null;
}

function showContext(page: QuoteContext, words: HTMLElement, foot: HTMLElement, way: HTMLElement, lead?: LeadSentence): void {
  words.replaceChildren(...nodesOf(blockLines(page.blocks.map(([kind, cells]) => ({ kind, cells })))));
  const found = lead && findLead(words, lead);
  if (found instanceof Range) found.surroundContents(el("strong", { class: "key" }));
  const mark = found ?? find(words, "mark", HTMLElement);
  if (mark) words.scrollTop += mark.getBoundingClientRect().top - words.getBoundingClientRect().top - ROOM;
  foot.prepend(...(page.stands
    ? [el("span", { class: "row tight" }, sign("found", 13), say("Word for word on the page")), place(page.share)]
    : [el("span", { class: "row tight" }, sign("partial", 13), say("The stored page is no longer available"))]));
  way.replaceChildren(pageLink(page.link));
}

// Where the words that answer stand: themselves in their line, or else its beginning.
function findLead(page: HTMLElement, { words, blocks }: LeadSentence): Range | Element | undefined {
  const line = textOf((blocks.find(({ cells }) => cells.some((cell) => cell.some(([, marked]) => marked))) ?? blocks[0])?.cells ?? []);
  const holder = [...page.querySelectorAll("tr, p")].find((each) => line && each.textContent.includes(line));
  return holder && (rangeOf(holder, words || line) ?? holder);
}

function textOf(cells: readonly Piece[][]): string {
  return cells.flatMap((cell) => cell.map(([text]) => text)).join("");
}

function rangeOf(holder: Element, words: string): Range | null {
  const texts = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const at = node.textContent?.indexOf(words) ?? -1;
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + words.length);
    return range;
  }
  return null;
}

function place(share: number): HTMLElement {
  const thumb = el("i");
  thumb.style.left = `${share * 100}%`;
  return el("span", { class: "row" }, el("span", { class: "pos", "aria-hidden": "true" }, thumb), describeShare(Math.round(share * 100)));
}

function describeShare(share: number): string {
  if (share === 0) return say("at the top of the page");
  return share === 100 ? say("at the end of the page") : say("{share} % down the page", { share });
}

function pageLink(url: string): HTMLElement {
  return isWebAddress(url) ? link(url, { class: "row tight open" }, say("Open page"), icon("out")) : el("span", {});
}
