// The rows of a batch: a question in each, with its status, the words that answer, and what that cost.
import { definePart } from "../shared/component";
import { el, updateList } from "../shared/dom";
import { say } from "../shared/language";
import { describeStatus, sign } from "../shared/signs";
import { leadOf } from "./trial_table";
import styles from "./batch_rows.css" with { type: "text" };

interface BatchRow { id: string; question: string; sites: string; status: string; lead: string; likely: string; cost: string; run: string } // no status: it has not begun

export const batch_rows = definePart<{ rows: BatchRow[] }>([styles], (root) => {
  const head = el("tr"), body = el("tbody");
  root.append(el("table", {}, el("thead", {}, head), body));
  return ({ data }) => {
    head.replaceChildren(...names().map((name) => el("th", { scope: "col" }, name)));
    updateList(body, data.rows.map((each) => [each.id, each] as const), row);
    return undefined;
  };
});

function names(): string[] {
  return [say("Question"), say("Status"), say("Answer"), say("Certainty"), say("Cost")];
}

function row({ id, question, sites, status, lead, likely, cost, run }: BatchRow): HTMLElement {
  const [kind, words] = status ? describeStatus(status) : ["unvisited", say("Not begun")] as const;
  const [, stands, answer, right, spent] = names();
  return el("tr", {},
    el("th", { scope: "row" },
      el("p", {}, run ? el("a", { href: run, target: "_blank", title: say("Open the run") }, question) : question),
      el("p", { class: "more" }, [id, sites].filter(Boolean).join(" · "))),
    el("td", { "data-name": stands ?? "" }, el("span", { class: `row c-${kind}` }, sign(kind, 13), words)),
    el("td", { "data-name": answer ?? "", class: !lead && "none" }, leadOf(lead)),
    el("td", { "data-name": right ?? "", class: !likely && "none" }, likely),
    el("td", { "data-name": spent ?? "", class: !cost && "none" }, cost));
}
