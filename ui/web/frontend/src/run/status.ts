// The status of a run with its clock; tells the script when its buttons have to change.
import { clockOf, describeTaken } from "../shared/budget";
import { defineRunPart } from "../shared/component";
import type { RunData } from "../shared/component";
import { createChangeCheck, el } from "../shared/dom";
import type { RunView, TimelineRow } from "../shared/run_view";
import { describeStatus, sign } from "../shared/signs";
import { askPermission, mayAsk, newsOf, notify } from "./notify";
import { nodeName } from "./timeline_rows";
import { verdictOf } from "./verdict";
import { formatDollars, formatNumber, say } from "../shared/language";
import styles from "./status.css" with { type: "text" };

interface StatusData extends RunData { state: string }

const UNDER_WAY = new Set(["running", "waiting"]);
const ANSWERING = "answerer";

export const status = defineRunPart<StatusData>([styles], (root) => {
  const time = el("time", { title: say("Working time") });
  const changed = createChangeCheck();
  const bell = notifyButton();
  let reported = "";
  let before = "";

  return (view, run) => {
    const { session } = view;
    const kind = run.isLost ? "interrupted" : describeStatus(session.stands)[0];
    const text = describeProgress(view, run.isLost);
    const told = verdictOf(view) !== null && !run.isLost; // beside the answer
    if (changed([kind, text, told])) {
      root.replaceChildren(el("div", { class: told ? "line told" : "line" }, el("span", { class: `pill p-${kind}`, role: "status" }, sign(kind, 14), text), bell, time));
    }
    bell.hidden = !(UNDER_WAY.has(session.status) && mayAsk());
    time.textContent = [clockOf(view, run.isLive), describeTaken(view)].filter(Boolean).join(" · ");
    countInTabs(view);
    if (!run.isLive) return;
    const news = newsOf(before, view);
    if (news) notify(news, view);
    before = session.status;
    const state = `${session.status} ${session.asked} ${session.turn} ${session.pleas}`;
    const change = `${run.data.state} > ${state} ${stepsOf(view)}`; // a short step may end before its beginning was seen here
    if (state !== run.data.state && change !== reported) run.setTrigger("state", state);
    reported = change;
  };
});

function stepsOf(view: RunView): number {
  return Object.values(view.graph.nodes).reduce((sum, { count }) => sum + count, 0);
}

// Asks for the permission; browsers grant it only to a click.
function notifyButton(): HTMLElement {
  const title = say("Notify me when the run needs me or is done");
  const button = el("button", { class: "bell", title, hidden: true, on: { click: () => { void askPermission().then(() => { button.hidden = true; }); } } }, say("Notify me"));
  return button;
}

export function describeProgress(view: RunView, isLost: boolean): string {
  const { session } = view;
  if (isLost) return say("Connection lost, trying again");
  const [, words] = describeStatus(session.stands);
  const { waiting } = view.graph;
  if (session.status === "paused" && waiting.length) return say("Paused before {node}", { node: waiting.join(", ") });
  if (session.status !== "running") return words;
  if (session.asked === "pause") return say("Pausing after this step");
  const work = nodeAtWork(view);
  const step = nodeName(work?.node ?? "", view);
  if (session.asked === "end") return say("Ending now with what was read");
  if (session.asked !== "stop") return [words, step].filter(Boolean).join(" · ");
  return work && work.type !== ANSWERING ? say("Stopping: finishing “{step}”, then writing the answer", { step }) : say("Stopping: writing the answer from what was read");
}

function nodeAtWork(view: RunView): TimelineRow | undefined {
  return Object.values(view.timeline).flatMap((entry) => [entry, ...Object.values(entry.rows)]).filter((row) => row.outcome === "now").at(-1);
}

// The style sheet of the page shows these behind the names of the tabs.
function countInTabs(view: RunView): void {
  const counts = { pages: view.pages, evidence: Object.keys(view.evidence).length, arms: Object.keys(view.arms).length };
  const { style } = document.documentElement;
  for (const [name, count] of Object.entries(counts)) style.setProperty(`--n-${name}`, count ? `"\u00a0${formatNumber(count)}"` : '""');
  const dollars = view.spend.dollars.used;
  style.setProperty("--n-spend", dollars ? `"\u00a0${formatDollars(dollars, 3)}"` : '""');
}
