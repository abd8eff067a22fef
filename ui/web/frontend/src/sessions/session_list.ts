// Sessions to choose one from.
import { markChosen, onChoose } from "../editor/choice_list";
import { definePart } from "../shared/component";
import { el, updateList } from "../shared/dom";
import { formatAge, nameModel } from "../shared/format";
import { icon } from "../shared/icons";
import { describeStatus, sign } from "../shared/signs";
import { say, sayCount } from "../shared/language";
import styles from "./session_list.css" with { type: "text" };

interface SessionRow { id: string; title: string; fork: string; stands: string; follow_up: string; sites: string[]; tags: string[]; turns: number; graph: string; model: string; spent: string; created: number; pinned: boolean }
interface SessionListData { rows: SessionRow[]; chosen: string }

export const session_list = definePart<SessionListData>([styles], (root) => {
  const list = root.appendChild(el("ol", { class: "rows", "aria-label": say("Sessions") }));
  return ({ data, setTriggerValue }) => {
    updateList(list, data.rows.map((row) => [row.id, row]), (row) => listRow(row, onChoose(list, row.id, setTriggerValue), () => setTriggerValue("pin", { id: row.id, pinned: !row.pinned })));
    markChosen(list, data.chosen);
    return undefined;
  };
});

function listRow(row: SessionRow, onclick: (event: MouseEvent) => void, onpin: () => void): HTMLElement {
  const [kind, status] = describeStatus(row.stands);
  const [later, ended] = describeStatus(row.follow_up);
  const facts = [row.pinned && say("Pinned"), row.turns > 1 && sayCount(row.turns, "{n} question", "{n} questions"), row.graph, nameModel(row.model), row.spent].filter(Boolean);
  const age = row.stands === "running" ? say("now") : formatAge(row.created, Date.now() / 1000);
  return el("li", {},
    el("a", { href: `?session=${encodeURIComponent(row.id)}`, on: { click: onclick } },
      sign(kind),
      el("span", { class: "grow" },
        row.fork && el("b", { class: "fork" }, icon("fork", 13), row.fork),
        el("span", { class: "what" }, row.title),
        el("span", { class: "facts" },
          el("span", { class: "said" }, el("b", { class: `c-${kind}` }, status), row.follow_up && el("b", { class: `c-${later}` }, say("follow-up: {status}", { status: ended })), facts.map((fact) => el("span", {}, fact)))),
        el("span", { class: "foot" },
          el("span", { class: "sites", title: row.sites.join(", ") }, describeSites(row.sites)),
          el("time", { datetime: new Date(row.created * 1000).toISOString() }, age)),
        row.tags.length > 0 && el("span", { class: "tags" }, row.tags.map((tag) => el("span", { class: "tag" }, tag))))),
    el("button", {
      type: "button", class: "pin", "aria-pressed": String(row.pinned), on: { click: onpin },
      "aria-label": say("Pin {title}", { title: row.title }), title: row.pinned ? say("Let clean-ups delete it") : say("Keep it from clean-ups"),
    }, icon("pin", 16)));
}

// The sites by name; of several also how many, since a narrow row has no room for all.
export function describeSites(sites: readonly string[]): string {
  const all = sites.join(", ");
  return sites.length > 1 ? sayCount(sites.length, "{n} site: {sites}", "{n} sites: {sites}", { sites: all }) : all;
}
