// The head of a session: its status, what it took, and what was asked.
import { defineRunPart } from "../shared/component";
import type { RunData } from "../shared/component";
import { createChangeCheck, el, nodesOf } from "../shared/dom";
import { formatClock, formatSite, nameModel } from "../shared/format";
import { icon } from "../shared/icons";
import type { RunView } from "../shared/run_view";
import { describeStatus, sign } from "../shared/signs";
import { formatDollars, say, sayCount } from "../shared/language";
import styles from "./session_head.css" with { type: "text" };

interface SessionHeadData extends RunData { title: string; method: string; tags: string[]; status: string }

export const session_head = defineRunPart<SessionHeadData>([styles], (root) => {
  const changed = createChangeCheck();
  let reported = "";
  return (view, run) => {
    const { status, stands, question } = view.session;
    const { title, tags } = run.data;
    const sites = view.session.sites.map((url) => formatSite(url, run.data.sites)).join(", ");
    const { forked } = view.session;
    if (changed([stands, title, tags, question, sites, describeRun(view, run.data.method)])) {
      const [kind, words] = describeStatus(stands);
      const pill = el("span", { class: `pill p-${kind}`, role: "status" }, sign(kind, 14), words);
      const fork = forked && el("span", { class: "row fork" }, icon("fork", 14), say("Fork of step {number}", { number: forked.step }));
      const isFollowUp = view.session.turn > 1 && title !== question;
      root.replaceChildren(...nodesOf([
        !isFollowUp && el("div", { class: "row wrap" }, pill, fork),
        el("h2", {}, title),
        isFollowUp && el("div", { class: "row wrap newest" }, el("p", { class: "asked" }, say("Newest question: {question}", { question })), pill, fork),
        !isFollowUp && title !== question && el("p", { class: "asked" }, question),
        el("p", { class: "facts" }, describeRun(view, run.data.method).replaceAll(" · ", " ·\u00a0")), // no line ends with a mark
        el("p", { class: "sites" }, sites && say("Sites: {sites}", { sites }), tags.map((tag) => el("span", { class: "tag" }, tag))),
      ]));
    }
    if (run.isLive && status !== run.data.status && status !== reported) run.setTrigger("status", status);
    reported = status;
  };
});

// The method, the model, and what the run took.
export function describeRun({ session, spend, read }: RunView, method: string): string {
  const dollars = spend.dollars.used;
  return [method, nameModel(session.model), sayCount(read, "{n} page read", "{n} pages read"), formatDollars(dollars, dollars ? 3 : 0), formatClock(spend.seconds.used)].join(" · ");
}
