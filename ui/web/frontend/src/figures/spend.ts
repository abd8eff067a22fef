// What was spent against the budget: over the time of work, and by node.
import { applicableKinds, formatSpent, spendTitle } from "../shared/budget";
import { createChangeCheck, el, svg } from "../shared/dom";
import { formatClock } from "../shared/format";
import type { RunView, SpendKind, Used } from "../shared/run_view";
import { ThrottledFetch } from "../shared/throttled_fetch";
import { dataTable } from "./data_table";
import { defineFigure, figureHead, note } from "./figure";
import { NOTHING_SPENT, spendCourse, sumByNode } from "./spending";
import type { Course, Spending } from "./spending";
import { nodeName } from "../run/timeline_rows";
import { say } from "../shared/language";
import styles from "./spend.css" with { type: "text" };

const SIZE = { width: 200, height: 64 };
const NEAR = 0.8;

export const spend = defineFigure([styles], (root) => {
  const way = new ThrottledFetch<Spending>(NOTHING_SPENT);
  const changed = createChangeCheck();
  return (view, run) => {
    const rounds = Math.max(0, ...Object.values(view.arms).map((arm) => arm.round));
    way.refresh(run, "spending", [rounds, view.session.status, view.session.turn, view.spend.pages.used]);
    if (changed([view.spend, way.value])) paint(root, view, way.value);
  };
});

function paint(root: HTMLElement, view: RunView, way: Spending): void {
  const { pages, calls, tokens, dollars, seconds } = view.spend;
  const kinds = applicableKinds({ pages, calls, tokens, dollars, seconds }, view.session.model === "offline")
    .map(([kind, used]): [SpendKind, string] => [kind, spendTitle(kind, used)]);
  const now = view.spend.seconds.used;
  root.replaceChildren(
    figureHead(say("Spend against budget"), say("over {time} of work", { time: formatClock(now) })),
    el("div", { class: "panels" }, kinds.map(([kind, title]) =>
      panel(kind, title, view.spend[kind], spendCourse(kind, view.spend[kind].used, view.spend[kind].limit, way, now, SIZE)))),
    nodeTable(way, kinds, view),
    dataTable(root, say("Total spend at each step"), [say("Visit"), say("Step"), ...kinds.map(([, title]) => title)],
      () => way.ran.map((node, at) => [way.round[at] || "", node && nodeName(node, view), ...kinds.map(([kind]) => way[kind][at])])));
}

function panel(kind: SpendKind, title: string, { used, limit }: Used, course: Course): HTMLElement {
  const share = limit ? used / limit : 0;
  const words = limit === undefined ? say("no limit") : say("of {limit}, {share} %", { limit: formatSpent(kind, limit), share: Math.round(share * 100) });
  const spent = formatSpent(kind, used);
  const near = share >= NEAR;
  return el("section", { class: near ? "panel late" : "panel", "aria-label": `${title}: ${spent} ${words}` },
    el("div", { class: "row" }, el("span", { class: "muted grow" }, title), near && el("span", { class: "warn" }, share >= 1 ? say("spent") : say("nearly spent"))),
    el("div", {}, el("b", { class: "used" }, spent), " ", el("span", { class: "micro faint" }, words)),
    drawCourse(course),
    el("div", { class: "meter", "aria-hidden": "true" }, el("i", { style: `width:${Math.min(share, 1) * 100}%` })));
}

function drawCourse({ line, visits, limit, height }: Course): SVGElement {
  const { width } = SIZE;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", class: "course", "aria-hidden": "true" },
    visits.map((x) => svg("line", { x1: x, x2: x, y1: 0, y2: height, class: "begin" })),
    svg("path", { d: `${line}V${height}H0Z`, class: "area" }), svg("path", { d: line, class: "line" }),
    limit !== undefined && svg("line", { x1: 0, x2: width, y1: limit, y2: limit, class: "limit" }));
}

function nodeTable(way: Spending, kinds: readonly [SpendKind, string][], view: RunView): HTMLElement {
  const rows = sumByNode(way, kinds.map(([kind]) => kind));
  if (!rows.length) return note(say("Nothing was spent yet."));
  const titles = [say("Step"), say("Runs"), ...kinds.map(([, title]) => title)];
  return el("div", { class: "dfw", tabindex: "0", role: "region", "aria-label": say("Spend by node") }, el("table", { class: "df" },
    el("thead", {}, el("tr", {}, titles.map((title, at) => el("th", { scope: "col", class: at ? "n" : undefined }, title)))),
    el("tbody", {}, rows.map(([node, own]) => el("tr", {}, el("th", { scope: "row", title: node }, nodeName(node, view)),
      [own.runs, ...kinds.map(([kind]) => formatSpent(kind, own[kind]))].map((value) => el("td", { class: "n" }, value)))))));
}
