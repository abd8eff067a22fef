// What graphs came to with the same questions, side by side: a row for each question, a column for each graph.
import { definePart } from "../shared/component";
import { el, updateList } from "../shared/dom";
import { say } from "../shared/language";
import { describeStatus, sign } from "../shared/signs";
import styles from "./trial_table.css" with { type: "text" };

interface Outcome { mark: "right" | "partly" | "wrong" | ""; verdict: string; status: string; answer: string; figures: string; run: string }
// `differ` is in what the graphs differ; an outcome is null where the question was not asked yet.
interface Line { id: string; question: string; differ: string[]; outcomes: (Outcome | null)[] }
interface TrialTableData { columns: string[]; lines: Line[] }
interface NamedLine extends Line { columns: string[] }

const LEAD = 160; // characters
const SHORT = 200; // what is hardly longer is shown whole

export const trial_table = definePart<TrialTableData>([styles], (root) => {
  const head = el("tr"), body = el("tbody");
  root.append(el("table", {}, el("thead", {}, head), body));
  return ({ data: { columns, lines } }) => {
    head.replaceChildren(...[say("Question"), ...columns].map((name) => el("th", { scope: "col" }, name)));
    updateList(body, lines.map((line) => [line.id, { ...line, columns }] as const), row);
    return undefined;
  };
});

function row({ question, differ, outcomes, columns }: NamedLine): HTMLElement {
  return el("tr", { class: differ.length > 0 && "differs" },
    el("th", { scope: "row" }, el("p", {}, question), differ.length > 0 && el("p", { class: "differ" }, say("Differ: {what}", { what: differ.join(", ") }))),
    outcomes.map((outcome, at) => el("td", { "data-graph": columns[at] ?? "" }, outcome && cell(outcome, columns[at] ?? ""))));
}

function cell({ mark, verdict, status, answer, figures, run }: Outcome, graph: string): HTMLElement {
  const [kind, words] = describeStatus(status);
  return el("div", { class: "cell" },
    el("p", { class: "head" }, el("b", { class: mark }, verdict), el("span", { class: `row c-${kind}` }, sign(kind, 13), words)),
    answer && answerOf(answer),
    el("p", { class: "figures" }, figures, run && [" · ", el("a", { href: run, target: "_blank", "aria-label": say("Open the run of {graph}", { graph }) }, say("Open the run"))]));
}

function answerOf(answer: string): HTMLElement {
  const lead = leadOf(answer);
  if (lead === answer) return el("p", { class: "answer" }, answer);
  return el("details", {},
    el("summary", {}, el("span", { class: "lead" }, lead, " "), el("span", { class: "more" }, say("Whole answer")), el("span", { class: "less" }, say("Show less"))),
    el("p", { class: "answer" }, answer));
}

// The beginning of an answer, on one line and up to the end of a word; a short answer whole.
export function leadOf(answer: string): string {
  if (answer.length <= SHORT && !answer.includes("\n")) return answer;
  const line = answer.replace(/\s+/g, " ");
  if (line.length <= LEAD) return `${line} …`;
  const cut = line.slice(0, LEAD + 1);
  const end = cut.lastIndexOf(" ");
  return `${cut.slice(0, end > LEAD / 2 ? end : LEAD)} …`;
}
