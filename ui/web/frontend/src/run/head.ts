// The head of a run: what it uses, earlier questions, and the present one.
import { defineRunPart } from "../shared/component";
import type { RunData } from "../shared/component";
import { createChangeCheck, el, find, link } from "../shared/dom";
import type { Child } from "../shared/dom";
import { formatSite, nameModel } from "../shared/format";
import type { SiteNames } from "../shared/format";
import { icon } from "../shared/icons";
import type { IconName } from "../shared/icons";
import { stripBlockMarks } from "../shared/quote_text";
import type { SessionHead, Turn } from "../shared/run_view";
import { describeStatus, sign } from "../shared/signs";
import { nodesOf } from "../shared/dom";
import { citeById, closestQuotes, laidAnswer, writtenLines } from "./laid_answer";
import { language, later, say, sayTold } from "../shared/language";
import answerStyles from "./answer.css" with { type: "text" };
import styles from "./head.css" with { type: "text" };

interface HeadData extends RunData { method?: string } // what a reader calls the graph, if it is a preset

export const head = defineRunPart<HeadData>([answerStyles, styles], (root) => {
  const changed = createChangeCheck();
  return (view, { data }) => {
    const { session } = view;
    beginAtTop(root, `${session.id} ${session.turn}`);
    if (!changed([session, view.turns])) return;
    const turns = Object.values(view.turns);
    root.replaceChildren(...nodesOf([
      runFacts(session, data.sites, data.method || session.graph),
      turns.length > 0 && el("section", { class: "turns", "aria-label": say("Earlier questions") }, turns.map(earlierTurn)),
      ...heading(session.question),
      session.meant && meaning(session.meant),
    ]));
  };
});

const LONG = 320; // characters, about three lines

// The question; of a long one the first three lines, with a button that shows all of it.
function heading(question: string): HTMLElement[] {
  const long = question.length > LONG;
  const title = el("h1", { class: long ? "cut" : "" }, question);
  if (!long) return [title];
  const button = el("button", { type: "button", class: "whole", "aria-expanded": "false", on: { click: () => {
    const cut = title.classList.toggle("cut");
    button.textContent = cut ? say("Show all") : say("Show less");
    button.setAttribute("aria-expanded", String(!cut));
  } } }, say("Show all"));
  return [title, button];
}

let shownRun = "";

// The page of a run begins at its question, and not where the start page or the turn before was scrolled to.
function beginAtTop(root: HTMLElement, id: string): void {
  const own = root.getRootNode();
  if (id === shownRun || !(own instanceof ShadowRoot) || !own.host.closest(".st-key-shell")) return;
  shownRun = id;
  find(document, ".stMain", HTMLElement)?.scrollTo(0, 0);
}

function meaning(text: string): HTMLElement {
  return el("p", { class: "meant faint" }, sayTold(text));
}

const PLACES: Readonly<Record<SessionHead["searched"], string>> = { "": later("the web"), kept: later("pages read before, not the web"), both: later("the web and pages read before") };

const CRAWLED = "sites"; // the provider that searches pages read before

// The sites, or what was searched instead of them.
export function describePlace({ sites, searched, providers }: Pick<SessionHead, "sites" | "searched" | "providers">, names: SiteNames): string {
  if (sites.length) return sites.map((url) => formatSite(url, names)).join(", ");
  if (searched || !providers.length) return say(PLACES[searched]);
  const onWeb = providers.filter((each) => each !== CRAWLED);
  return onWeb.length ? say("the web ({providers})", { providers: onWeb.join(", ") }) : say(PLACES.kept);
}

function runFacts(session: SessionHead, names: SiteNames, method: string): HTMLElement {
  const sites = describePlace(session, names);
  return el("div", { class: "row wrap meta" },
    fact("globe", say("Sites"), sites), fact("graph", say("Method"), method), fact("chip", say("Model"), nameModel(session.model)),
    session.forked && el("span", { class: "row piece" }, icon("fork"), forkOrigin(session.forked)),
    el("span", { class: "faint" }, say("started {time}", { time: formatStart(session.created) })));
}

function forkOrigin({ origin, step, hint }: { origin: string; step: number; hint: string }): Child[] {
  return [el("a", { href: `sessions?session=${encodeURIComponent(origin)}&tab=History` }, say("Fork of step {number}", { number: step })), hint && el("span", {}, say("Hint: {hint}", { hint }))];
}

function fact(name: IconName, label: string, text: string): HTMLElement {
  return el("span", { class: "row piece", title: `${label}: ${text}` },
    icon(name), el("span", { class: "unseen" }, `${label}: `), el("span", { class: "clip" }, text));
}

function formatStart(seconds: number): string {
  const time = new Date(seconds * 1000);
  const hour = time.toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const today = time.toDateString() === new Date().toDateString();
  return today ? hour : `${time.toLocaleDateString(language(), { day: "numeric", month: "short" })} ${hour}`;
}

// As it was laid out when it was the present one, with its sources below.
function earlierTurn(turn: Turn): HTMLElement {
  const quotes = new Map(turn.citations.map((quote, place) => [quote.id, { ...quote, number: place + 1 }]));
  const mark = (quote: { quote: string; number: number }) => el("sup", { title: stripBlockMarks(quote.quote) }, quote.number);
  return el("details", {},
    el("summary", {}, sign(describeStatus(turn.stands)[0], 14), el("span", { class: "grow" }, turn.question)),
    turn.meant && meaning(turn.meant),
    el("div", { class: turn.closest ? "told answer draft" : "told answer" }, turn.closest ? closestQuotes(turn.closest, citeById(quotes, mark))
      : turn.laid ? laidAnswer({ parts: turn.parts ?? {}, read: turn.read, status: turn.status }, turn.laid, quotes, mark)
        : writtenLines((turn.answer || say("No answer.")).split("\n"), quotes, mark)),
    quotes.size > 0 && el("details", { class: "sources" }, el("summary", {}, say("Sources ({n})", { n: quotes.size })), el("ol", {}, [...quotes.values()].map((quote) =>
      el("li", {}, el("b", {}, quote.number), link(quote.url, {}, quote.title || quote.url), el("q", {}, stripBlockMarks(quote.quote)))))));
}
