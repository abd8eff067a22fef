// Two sessions side by side: what each answered, found, visited and spent.
import { figureStyles, note } from "../figures/figure";
import { applicableKinds } from "../shared/budget";
import { definePart } from "../shared/component";
import { createChangeCheck, el, link, nodesOf } from "../shared/dom";
import type { Child } from "../shared/dom";
import { formatClock, nameModel } from "../shared/format";
import { stripBlockMarks } from "../shared/quote_text";
import type { FurtherQuote, QuoteBlock } from "../shared/run_view";
import { blockLines, furtherQuotes } from "../run/leads";
import { ONLY_CLOSEST } from "../run/verdict";
import { answerBlocks, splitLead } from "./compared_answer";
import type { Piece } from "./compared_answer";
import { describeStatus, sign } from "../shared/signs";
import { formatDollars, formatNumber, later, say, sayCount } from "../shared/language";
import styles from "./comparison.css" with { type: "text" };

interface Stop { url: string; title: string; round: number; sign: string }
interface Side {
  id: string;
  title: string;
  graph: string;
  model: string;
  when: string;
  stands: string;
  open: string[];
  hints: string[]; // that the other side was not given
  path: Stop[];
  spend: Record<string, number>;
}
interface SharedQuote { quote: string; blocks: QuoteBlock[]; columns: string[]; url: string; title: string; part: string; rounds: [number | null, number | null] }
// `vain` where nothing answers; `columns` are the headers of rows, by the number of their citation.
interface Turn { question: string; answer: Piece[]; columns: Record<string, string[]>; vain: boolean; more: FurtherQuote[] }
type TurnPair = readonly [Turn | null, Turn | null];
interface ComparisonData { sides: [Side, Side]; turns: TurnPair[]; evidence: SharedQuote[] }
type Sides = readonly [Side, Side];

const NAMES = ["A", "B"];
const NO_ANSWER = later("There is no answer.");
const UNDER_WAY: readonly string[] = ["running", "waiting"];
const PATH_SIGNS = [["found", later("cited")], ["partial", later("quoted")], ["nothing", later("nothing kept")]] as const;

export const comparison = definePart<ComparisonData>([figureStyles, styles], (root) => {
  const changed = createChangeCheck();
  return ({ data }) => {
    if (changed(data)) root.replaceChildren(...nodesOf(sections(data)));
    return undefined;
  };
});

function sections({ sides, turns, evidence }: ComparisonData): Child[] {
  const both = (make: (side: Side, at: number) => HTMLElement) => el("div", { class: "two" }, sides.map(make));
  const same = sides[0].title === sides[1].title;
  return [
    both((side, at) => sideHead(side, at, same)),
    turns.map((pair, at) => turnSection(pair, at, turns, sides)), both(unanswered),
    label(say("Path"), ...PATH_SIGNS.map(([kind, word]) => el("span", { class: "row" }, sign(kind, 13), say(word)))), both(path),
    label(say("Evidence"), countShared(evidence) || say("none in either")), evidence.length > 0 && evidenceTable(evidence, NAMES.map((_, at) => turns.at(-1)?.[at]?.vain ?? false)),
    label(say("Spend"), say("bars share one scale per row")), both((side, at) => spend(side, at, sides)),
  ];
}

export function countShared(evidence: readonly Pick<SharedQuote, "rounds">[]): string {
  const both = evidence.filter(({ rounds }) => rounds.every((round) => round !== null)).length;
  const only = [0, 1].map((at) => evidence.filter(({ rounds }) => rounds[at] !== null && rounds[1 - at] === null).length);
  return [
    both ? sayCount(both, "{n} quote in both", "{n} quotes in both") : "",
    ...only.map((count, at) => (count ? say("{n} only in {side}", { n: count, side: NAMES[at] ?? "" }) : "")),
  ].filter(Boolean).join(", ");
}

// Which of the two it is, where they stand one below the other.
function letter(at: number): HTMLElement {
  return el("span", { class: at ? "ab b under" : "ab under", "aria-hidden": "true" }, NAMES[at]);
}

function label(title: string, ...beside: (string | HTMLElement)[]): HTMLElement {
  return el("div", { class: "lab" }, el("h2", {}, title), beside.map((one) => (typeof one === "string" ? el("span", {}, one) : one)));
}

function sideHead(side: Side, at: number, same: boolean): HTMLElement {
  const [kind, words] = describeStatus(side.stands);
  return el("section", { class: "hd", "aria-label": say("Session {side}", { side: NAMES[at] ?? "" }) }, el("span", { class: at ? "ab b" : "ab" }, NAMES[at]),
    el("div", { class: "grow" }, el("div", { class: "name", title: side.title }, same ? side.graph : side.title),
      el("div", { class: "micro faint" }, [same ? "" : side.graph, nameModel(side.model), side.when, side.id].filter(Boolean).join(" · ")),
      side.hints.map((hint) => el("div", { class: "hint" }, say("Hint: {hint}", { hint })))),
    el("span", { class: `pill p-${kind}` }, sign(kind, 14), words));
}

// A turn of both: the question once where it is the same, and the answers beside each other.
function turnSection(pair: TurnPair, at: number, turns: readonly TurnPair[], sides: Sides): Child {
  const [one, other] = pair;
  const isNewest = (side: number) => !turns[at + 1]?.[side];
  const isRunning = (side: number) => UNDER_WAY.includes(sides[side]?.stands ?? "") && isNewest(side);
  const count = turns.length;
  const same = one !== null && one.question === other?.question;
  const title = count > 1 ? say("Answer {number}", { number: at + 1 }) : say("Answer");
  return [
    label(title, same ? one.question : "", describeDifference(pair, at)),
    el("div", { class: "two" }, pair.map((turn, side) => turnAnswer(turn, side, title, { same, running: isRunning(side) }))),
  ];
}

// Whether both say the same; else, once, what the underlined words are.
export function describeDifference([one, other]: TurnPair, at: number): string {
  const answered = one && other && one.answer.length > 0 && other.answer.length > 0;
  if (answered && ![...one.answer, ...other.answer].some(({ text, only }) => only && text.trim())) return say("Both give the same answer.");
  return at ? "" : say("words that only one of them has are underlined");
}

function turnAnswer(turn: Turn | null, side: number, title: string, { same, running }: { same: boolean; running: boolean }): HTMLElement {
  const attributes = { "aria-label": `${title}, ${NAMES[side] ?? ""}`, role: "group" };
  if (!turn) return el("div", attributes, letter(side), note(say("No such question was asked.")));
  return el("div", attributes, letter(side), !same && el("p", { class: "question" }, turn.question),
    turn.vain && note([say("No answer was recognized on the pages that were read."), turn.more.length > 0 && say("Nearest passages; none was recognized as an answer.")].filter(Boolean).join(" ")),
    turn.answer.length > 0 && el("div", { class: "ans" }, answerNodes(turn)),
    !turn.vain && !turn.answer.length && note(running ? say("Running: no answer yet") : say(turn.more.length > 0 ? ONLY_CLOSEST : NO_ANSWER)),
    furtherQuotes(turn.more, citation));
}

// The words of an answer; rows that it quotes are tables, under their header if it is known.
function answerNodes({ answer, columns }: Turn): Child[] {
  return answerBlocks(answer, columns).map((block) => {
    if (block.kind === "text") return el("p", {}, leadPieces(block.pieces));
    return el("div", { class: "scroll" }, el("table", {},
      block.head.length > 0 && el("thead", {}, el("tr", {}, block.head.map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, block.rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, cell.map(piece))))))));
  });
}

// The words that answer are bold, and the sentence that they are from is set as on the page of the answer.
function leadPieces(pieces: readonly Piece[]): Child[] {
  const lead = splitLead(pieces);
  if (!lead) return pieces.map(piece);
  const { words, quoted, rest } = lead;
  const alone = !words.length;
  return [
    !alone && el("strong", {}, words.map(piece)),
    el("span", { class: alone ? "first" : "sentence" }, quoted.map(piece)), rest.map(piece),
  ];
}

function unanswered(side: Side): HTMLElement {
  return el("div", {}, side.open.map((what) => el("div", { class: "open" }, sign("nothing", 14), el("span", {}, say("Not answered: {what}", { what })))));
}

function citation(number: string | number): HTMLElement {
  return el("span", { class: "cite", role: "img", "aria-label": say("Citation {cite}", { cite: number }) }, number);
}

function piece({ text, only, cite }: Piece): Child {
  if (cite) return citation(cite);
  return only && text.trim() ? el("ins", {}, text) : text;
}

function path(side: Side, at: number): HTMLElement {
  if (!side.path.length) return note(UNDER_WAY.includes(side.stands) ? say("Running: no page visited yet") : say("No page was visited."));
  return el("div", {}, letter(at), el("ol", { class: "strip", "aria-label": say("Path of {side}", { side: NAMES[at] ?? "" }), tabindex: "0" }, side.path.map((page) =>
    el("li", { title: `${page.title}\n${page.url}` }, sign(page.sign, 18), el("span", { class: "stop" }, page.title)))));
}

// `vain` are the sides on which nothing answers.
function evidenceTable(rows: readonly SharedQuote[], vain: readonly boolean[]): HTMLElement {
  const found = (round: number | null, side: number) =>
    el("td", { "data-column": NAMES[side] }, el("span", { class: "row" }, sign(round === null ? "nothing" : vain[side] ? "partial" : "found", 13), describeVisit(round)));
  return el("div", { class: "dfw", tabindex: "0", role: "region", "aria-label": say("Evidence of both") }, el("table", { class: "df" },
    el("thead", {}, el("tr", {}, [say("Quote"), say("Page"), say("Sub-question"), ...NAMES].map((title) => el("th", { scope: "col" }, title)))),
    el("tbody", {}, rows.map((row) => el("tr", {},
      el("td", { class: "q" }, el("div", { class: "words", title: stripBlockMarks(row.quote) }, blockLines(row.blocks, row.columns))),
      el("td", { class: "muted", "data-column": say("Page") }, link(row.url, { title: row.url }, row.title || row.url)),
      el("td", { "data-column": say("Sub-question") }, row.part), row.rounds.map(found))))));
}

function describeVisit(round: number | null): string {
  if (round === null) return say("Not found");
  return round ? say("Visit {round}", { round }) : say("Known before");
}

function spend(side: Side, at: number, sides: Sides): HTMLElement {
  const kinds = applicableKinds(side.spend, sides.every(({ model }) => model === "offline"));
  return el("div", { class: at ? "sp y" : "sp" }, letter(at), kinds.map(([name, used]) => {
    const most = Math.max(...sides.map((one) => one.spend[name] ?? 0));
    const fill = el("i", { style: `width:${most ? (used / most) * 100 : 0}%` });
    return el("div", { class: "l" }, el("span", { class: "muted" }, say(name)), el("div", { class: "bar" }, fill), el("span", { class: "n" }, formatTotal(name, used)));
  }));
}

export function formatTotal(name: string, used: number): string {
  if (name === "Dollars") return formatDollars(used, 3);
  return name === "Time" ? formatClock(used) : formatNumber(used, 3, 0);
}
