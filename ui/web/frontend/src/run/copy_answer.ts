// The answer as it is copied: with the numbers of its citations and a list of its sources, as plain text
// and as HTML. Text is escaped here and nowhere parsed.
import { isWebAddress } from "../shared/dom";
import { examplePage } from "../shared/format";
import type { SiteNames } from "../shared/format";
import { splitCitations } from "../shared/quote_text";
import type { AnswerTable, LeadSentence, Piece, QuoteBlock, RunView } from "../shared/run_view";
import { numberQuotes } from "./quote_card";
import { describeStatus } from "../shared/signs";
import { later, say, sayTold } from "../shared/language";
import { noteOver } from "./leads";
import { describeDoubts, describeWorth, ratesEachPart, verdictOf } from "./verdict";

export interface Copied { text: string; html: string }
const CLOSEST = later("No answer was recognized on the pages that were read. The nearest passages:");
const NUMBER = /\[(\d+)\]/g;
interface Chunk { text: string; html: string; item?: boolean }

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function copiedAnswer(view: RunView, sites: SiteNames): Copied {
  const { text, table, laid, closest } = view.answer;
  const lines = (all: readonly string[]): Chunk[] => all.filter((line) => line.trim()).map((line) => paragraph(citedText(line, view)));
  const body = table ? [...lines(laid?.before ?? []), tableChunk(table, view), ...lines(laid?.after ?? [])] : closest ? closest.map(({ quote, blocks }) => quoteChunk(blocks, [], numbersOf([quote], view))) : laid
    ? [...lines(laid.before), ...laid.leads.flatMap((lead) => leadChunks(lead, ratesEachPart(view), view)), ...lines(laid.after)]
    : lines(text.split("\n"));
  if (view.session.status === "abstained") body.unshift(paragraph(say(CLOSEST)));
  const numbers = new Set(body.flatMap((chunk) => [...chunk.text.matchAll(NUMBER)].map((found) => found[1])));
  const sources = Object.entries(view.citations).filter(([number]) => numbers.has(number))
    .map(([number, { title, url }]) => sourceChunk(number, title, url, examplePage(url, sites)));
  const chunks = [...heading(view), ...body, ...doubtChunks(view), ...(sources.length > 0 ? [paragraph(say("Sources:")), ...sources] : [])];
  return { text: `${joinTexts(chunks)}\n`, html: chunks.map((chunk) => chunk.html).join("\n") };
}

// The question, then how the run ended and how sure that is, as an export begins.
function heading(view: RunView): Chunk[] {
  const { question, stands } = view.session;
  const verdict = verdictOf(view);
  const why = verdict && (verdict.kind === "partial" || verdict.kind === "uncertain" || verdict.kind === "unlikely") ? verdict.why : "";
  const status = [verdict?.word ?? describeStatus(stands)[1], why, ratesEachPart(view) ? "" : sayTold(view.answer.worth)].filter(Boolean).join(" · ");
  return [{ text: plain(question), html: `<h2>${escape(question)}</h2>` }, { text: plain(status), html: `<p><em>${escape(status)}</em></p>` }];
}

// What the quotes do not support.
function doubtChunks(view: RunView): Chunk[] {
  const [title, lines] = describeDoubts(view);
  const chunks = [title, ...lines.map((line) => `- ${line}`)].map((text) => ({ text: plain(text), html: `<p>${escape(text)}</p>`, item: true }));
  return lines.length > 0 ? chunks : [];
}

// Sources stand close together, all else is a paragraph of its own.
function joinTexts(chunks: readonly Chunk[]): string {
  return chunks.map((chunk, place) => (place === 0 ? "" : chunk.item && chunks[place - 1]?.item ? "\n" : "\n\n") + chunk.text).join("");
}

function plain(text: string): string {
  return text.replace(CONTROLS, "");
}

function escape(text: string): string {
  return plain(text).replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
}

function paragraph(text: string, tag = "p"): Chunk {
  return { text: plain(text), html: `<${tag}>${escape(text)}</${tag}>` };
}

function citedText(line: string, view: RunView): string {
  return splitCitations<string, string>(line, new Map([...numberQuotes(view)].map(([id, quote]) => [id, `[${quote.number}]`])), (number) => number).join("");
}

function numbersOf(ids: readonly string[], view: RunView): string {
  const quotes = numberQuotes(view);
  return ids.flatMap((id) => quotes.get(id) ?? []).map((quote) => `[${quote.number}]`).join("");
}

function leadChunks(lead: LeadSentence, named: boolean, view: RunView): Chunk[] {
  const chunks: Chunk[] = [];
  const part = view.parts[lead.part];
  const heading = [lead.part, sayTold(describeWorth(part))].filter(Boolean).join(" · ");
  if (named) chunks.push({ text: plain(heading), html: `<p><em>${escape(heading)}</em></p>` });
  const note = noteOver(lead, part);
  if (note) chunks.push({ text: note, html: `<p>${escape(note)}</p>` });
  if (lead.words && lead.yes_no) return [...chunks, judged(lead, view)];
  if (lead.words && !part?.doubtful) chunks.push({ text: plain(lead.words), html: `<p><strong>${escape(lead.words)}</strong></p>` });
  return [...chunks, quoteChunk(lead.blocks, lead.columns, numbersOf([lead.quote], view))];
}

// The lines of a quote with the number of its citation; rows that follow each other stand in one table.
function quoteChunk(blocks: readonly QuoteBlock[], columns: readonly string[], number: string): Chunk {
  const [only] = blocks;
  if (only?.kind === "text" && blocks.length === 1) {
    const [cell = []] = only.cells;
    return { text: `${cellText(cell)} ${number}`, html: `<p>${cellHtml(cell)} ${number}</p>` };
  }
  const rows = (at: number): boolean => blocks[at]?.kind === "row";
  const html = blocks.map((block, at) => {
    if (block.kind !== "row") return blockHtml(block);
    const head = columns.length > 0 && `<tr>${columns.map((name) => `<th>${escape(name)}</th>`).join("")}</tr>`;
    return `${rows(at - 1) ? "" : `<table>${head || ""}`}<tr>${block.cells.map((cell) => `<td>${cellHtml(cell)}</td>`).join("")}</tr>${rows(at + 1) ? "" : "</table>"}`;
  });
  const lines = blocks.flatMap((block, at) => (columns.length > 0 && rows(at) && !rows(at - 1) ? [columns.map(plain).join("\t"), blockText(block)] : [blockText(block)]));
  return { text: `${lines.join("\n")} ${number}`, html: `${html.join("\n")}\n<p>${number}</p>` };
}

// A Yes or a No in one paragraph with its reason.
function judged(lead: LeadSentence, view: RunView): Chunk {
  const reason = quoteChunk(lead.blocks, lead.columns, numbersOf([lead.quote], view));
  return { text: `${plain(lead.words)}. ${reason.text}`, html: `<p><strong>${escape(lead.words)}.</strong></p>\n${reason.html}` };
}

function cellText(cell: readonly Piece[]): string {
  return plain(cell.map(([text]) => text).join(""));
}

function cellHtml(cell: readonly Piece[]): string {
  return cell.map(([text, marked]) => (marked ? `<b>${escape(text)}</b>` : escape(text))).join("");
}

function blockText({ kind, cells }: QuoteBlock): string {
  const text = cells.map(cellText).join("\t"); // as spreadsheets take them
  return kind === "item" ? `- ${text}` : text;
}

function blockHtml({ kind, cells }: QuoteBlock): string {
  const [first = ""] = cells.map(cellHtml);
  switch (kind) {
    case "item": return `<ul><li>${first}</li></ul>`;
    case "code": return `<pre>${first}</pre>`;
    default: return `<p>${first}</p>`;
  }
}

// Cells are parted by tabs, as spreadsheets take them.
function tableChunk({ columns, rows }: AnswerTable, view: RunView): Chunk {
  const shown = rows.map((row) => row.map(({ text, cites }) => `${text.replace(/\s+/g, " ")} ${numbersOf(cites, view)}`.trim()));
  const head = `<tr>${columns.map((name) => `<th>${escape(name)}</th>`).join("")}</tr>`;
  const body = shown.map((row) => `<tr>${row.map((cell) => `<td>${escape(cell)}</td>`).join("")}</tr>`).join("");
  return { text: [columns, ...shown].map((row) => row.map(plain).join("\t")).join("\n"), html: `<table>${head}${body}</table>` };
}

function sourceChunk(number: string, title: string, url: string, example: string): Chunk {
  const named = (title || url).replace(/\s+/g, " ");
  const link = example ? escape(`${named}, ${example}`) : isWebAddress(url) ? `<a href="${escape(url)}">${escape(named)}</a>` : escape(named);
  const address = title && title !== url ? `${plain(named)}, ${plain(example || url)}` : plain(example || url);
  return { text: `[${number}] ${address}`, html: `<div>[${number}] ${link}</div>`, item: true };
}

// Puts both on the clipboard; where the browser gives no way to, as on a page without TLS, by its copy command.
export async function putOnClipboard({ text, html }: Copied): Promise<boolean> {
  if (window.isSecureContext && typeof ClipboardItem === "function") {
    const item = new ClipboardItem({
      "text/plain": new Blob([text], { type: "text/plain" }), "text/html": new Blob([html], { type: "text/html" }),
    });
    return navigator.clipboard.write([item]).then(() => true, () => copyByCommand(text, html));
  }
  return copyByCommand(text, html);
}

function copyByCommand(text: string, html: string): boolean {
  let done = false;
  const give = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", text);
    event.clipboardData?.setData("text/html", html);
    event.preventDefault();
    event.stopImmediatePropagation();
    done = event.clipboardData !== null;
  };
  document.addEventListener("copy", give, { capture: true, once: true });
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way without TLS
  document.execCommand("copy");
  document.removeEventListener("copy", give, { capture: true });
  return done;
}
