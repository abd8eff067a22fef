// The status of a run with its clock; tells the script when its buttons have to change.
import { defineRunPart } from "../shared/component";
import type { RunData } from "../shared/component";
import { createChangeCheck, el } from "../shared/dom";
import { formatClock } from "../shared/format";
import type { RunView, TimelineRow } from "../shared/run_view";
import { describeStatus, sign } from "../shared/signs";
import { titleOf } from "./timeline_rows";
import styles from "./status.css" with { type: "text" };

interface StatusData extends RunData { state: string }

const REQUESTS: Partial<Record<string, string>> = { pause: "Pausing after this step", stop: "Stopping after this step" };

export const status = defineRunPart<StatusData>([styles], (root) => {
  const time = el("time", { title: "Time of work" });
  const changed = createChangeCheck();
  let spent = NaN;
  let since = 0; // when the present step began, by the page's clock
  let ticking = false;
  let reported = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tick = (): void => {
    clearTimeout(timer);
    time.textContent = formatClock(spent + (ticking ? (performance.now() - since) / 1000 : 0));
    if (ticking && time.isConnected) timer = setTimeout(tick, 1000);
  };

  return (view, run) => {
    const { session } = view;
    const running = session.status === "running";
    if (view.spend.seconds.used !== spent) since = performance.now() - 1000 * secondsUnaccounted(view);
    spent = view.spend.seconds.used;
    ticking = running && !run.isLost;
    const [kind] = describeStatus(session.stands);
    const text = describeProgress(view, run.isLost);
    if (changed([kind, text])) {
      root.replaceChildren(el("div", { class: "line" }, el("span", { class: `pill p-${kind}`, role: "status" }, sign(kind, 14), text), time));
    }
    countInTabs(view);
    tick();
    if (!run.isLive) return;
    const state = `${session.status} ${session.asked} ${session.turn} ${session.pleas}`;
    if (state !== run.data.state && state !== reported) run.setTrigger("state", state);
    reported = state;
  };
});

export function describeProgress(view: RunView, isLost: boolean): string {
  const { session } = view;
  if (isLost) return "Connection lost, trying again";
  const [, words] = describeStatus(session.stands);
  if (session.status !== "running") return words;
  return REQUESTS[session.asked] ?? [words, titleOf(nodeAtWork(view)?.node ?? "")].filter(Boolean).join(" · ");
}

function nodeAtWork(view: RunView): TimelineRow | undefined {
  return Object.values(view.timeline).flatMap((entry) => [entry, ...Object.values(entry.rows)]).filter((row) => row.outcome === "now").at(-1);
}

// For how long the present node has been at work, which the spend does not count yet.
function secondsUnaccounted(view: RunView): number {
  const row = nodeAtWork(view);
  return row && view.session.turn === 1 ? Math.max(0, Date.now() / 1000 - view.session.created - row.seconds) : 0;
}

// The style sheet of the page shows these behind the names of the tabs.
function countInTabs(view: RunView): void {
  const counts = { pages: view.pages, evidence: Object.keys(view.evidence).length, arms: Object.keys(view.arms).length };
  const { style } = document.documentElement;
  for (const [name, count] of Object.entries(counts)) style.setProperty(`--n-${name}`, count ? `"${count}"` : '""');
  const dollars = view.spend.dollars.used;
  style.setProperty("--n-spend", dollars ? `"$${dollars.toFixed(3)}"` : '""');
}
