// The checkpoints of a turn as a list with its branches; one of them can be chosen.
import type { Run, RunData } from "../shared/component";
import { createChangeCheck, el, find, svg, updateList } from "../shared/dom";
import { formatMoment, nameSites } from "../shared/format";
import type { SiteNames } from "../shared/format";
import { sign } from "../shared/signs";
import { ThrottledFetch } from "../shared/throttled_fetch";
import { defineFigure, note } from "../figures/figure";
import { describeResult, nodeName } from "../run/timeline_rows";
import type { RunView } from "../shared/run_view";
import { assignLanes, countLanes, isDecision } from "./history_lanes";
import type { Checkpoint, Lane } from "./history_lanes";
import { say, sayCount } from "../shared/language";
import styles from "./history.css" with { type: "text" };

interface HistoryData extends RunData { turn: number | null; step: number | null; types: Record<string, string>; forks: Record<string, number> }
interface Row extends Checkpoint { chosen: boolean; forkCount: number }

const NARROW = matchMedia("(max-width: 760px)");
const ROWS = { wide: 33, narrow: 48 }; // their heights in px; history.css has the same
const LANE = 18;
const LEFT = 14;
const SIGNS: Partial<Record<string, string>> = {
  adequate: "found", found: "found", answered: "found", moved: "found", partial: "partial", insufficient: "partial",
  nothing: "nothing", feasible: "nothing", abstained: "nothing", infeasible: "nothing", failed: "failed",
};

export const history = defineFigure<HistoryData>([styles], (root) => {
  const points = new ThrottledFetch<Checkpoint[] | null>(null);
  let every = false;
  let chosen: number | undefined;
  let redraw = (): void => undefined;
  const changed = createChangeCheck();
  let draw = (): void => undefined;
  NARROW.addEventListener("change", () => { draw(); });
  const showEvery = (all: boolean): void => {
    every = all;
    redraw();
  };
  return (view, run) => {
    ({ redraw } = run);
    const { turn, step, types, forks } = run.data;
    points.refresh(run, turn ? `history?turn=${turn}` : "history", [view.timeline, view.session.status, view.session.turn]);
    chosen ??= step ?? undefined;
    const choose = (number: number): void => {
      chosen = number;
      run.setState("step", number);
      redraw();
      if (NARROW.matches) root.scrollIntoView(); // the details of the step follow below
    };
    draw = () => { if (points.value) paint(root, points.value, { run, view, every, showEvery, chosen, choose }); };
    if (points.value && changed([points.value, chosen, every, types, forks])) draw();
  };
});

interface Choice {
  view: RunView;
  run: Run<HistoryData>;
  every: boolean;
  showEvery: (all: boolean) => void;
  chosen: number | undefined;
  choose: (number: number) => void;
}

function paint(root: HTMLElement, points: readonly Checkpoint[], choice: Choice): void {
  if (!points.length) {
    root.replaceChildren(note(say("There is no step yet.")));
    return;
  }
  const { types, forks, sites, step } = choice.run.data;
  const forkCount = (point: Checkpoint) => forks[point.number] ?? 0;
  const shown = points.filter((point) => choice.every || point.number === step || isDecision(point, types, forkCount(point) > 0));
  const focused = root.querySelector(":focus")?.closest<HTMLElement>("[data-key]")?.dataset.key;
  const list = find(root, "ol", HTMLOListElement) ?? el("ol", { class: "ck", "aria-label": say("Steps, oldest first") });
  const lanes = assignLanes(shown, points);
  list.style.setProperty("--lanes", String(countLanes(lanes)));
  const before = root.querySelector(".tree");
  const rows = shown.map((point): [string, Row] =>
    [String(point.number), { ...point, chosen: point.number === choice.chosen, forkCount: forkCount(point) }]);
  updateList(list, rows, (row) => checkpointRow(row, sites, choice));
  const tree = el("div", { class: "tree" }, branches(shown, lanes, choice.chosen), list);
  const scrolled = before?.scrollTop;
  root.replaceChildren(
    el("div", { class: "ph" }, modes(choice), el("span", { class: "grow" }), el("span", { class: "small muted" }, sayCount(points.length, "{shown} of {n} step", "{shown} of {n} steps", { shown: shown.length }))),
    tree);
  tree.scrollTop = scrolled ?? rowHeight() * (shown.findIndex(({ number }) => number === choice.chosen) - 2);
  if (focused) find(list, `[data-key="${focused}"] button`, HTMLButtonElement)?.focus({ preventScroll: true });
}

function rowHeight(): number {
  return NARROW.matches ? ROWS.narrow : ROWS.wide;
}

function modes({ every, showEvery }: Choice): HTMLElement {
  const button = (label: string, all: boolean) =>
    el("button", { class: "mode", "aria-pressed": String(every === all), on: { click: () => { showEvery(all); } } }, label);
  return el("div", { class: "seg", role: "group", "aria-label": say("Which steps") }, button(say("Decisions"), false), button(say("Every step"), true));
}

function checkpointRow(row: Row, names: SiteNames, { view, choose }: Choice): HTMLElement {
  const node = nameNodes(row, view);
  return el("li", { class: row.on_path ? "" : "side" },
    el("button", { class: "pick", "aria-pressed": String(row.chosen), on: { click: () => { choose(row.number); }, keydown: moveFocus } },
      el("span", { class: "no" }, row.number),
      row.outcome ? sign(SIGNS[row.outcome] ?? "done", 14) : el("span", { class: "quiet", "aria-hidden": "true" }),
      el("b", { class: "clip", title: node }, node),
      el("span", { class: "clip", title: row.message }, nameSites(describe(row), names)),
      el("time", { title: say("When the step ended, in working time") }, formatMoment(row.seconds))));
}

function nameNodes({ ran, source }: Checkpoint, view: RunView): string {
  const [first] = ran;
  if (first === undefined) return source === "fork" ? say("Back to here") : say("Start");
  return ran.length > 1 && new Set(ran).size === 1 ? `${nodeName(first, view)} × ${ran.length}` : ran.map((node) => nodeName(node, view)).join(", ");
}

function describe({ on_path, forkCount, message }: Row): string {
  return [on_path ? "" : say("older branch"), forkCount ? sayCount(forkCount, "{n} fork", "{n} forks") : "", describeResult(message)].filter(Boolean).join(" · ");
}

// The up and down keys go from row to row.
function moveFocus(event: KeyboardEvent): void {
  const row = event.currentTarget instanceof Element ? event.currentTarget.closest("li") : null;
  const beside = event.key === "ArrowDown" ? row?.nextElementSibling : event.key === "ArrowUp" ? row?.previousElementSibling : null;
  const button = beside && find(beside, "button", HTMLButtonElement);
  if (!button) return;
  event.preventDefault();
  button.focus();
}

function branches(shown: readonly Checkpoint[], lanes: ReadonlyMap<string, Lane>, chosen: number | undefined): SVGElement {
  const height = rowHeight();
  const places = new Map(shown.map((point, at) => [point.id, { x: LEFT + (lanes.get(point.id)?.lane ?? 0) * LANE, y: at * height + height / 2 }]));
  const lines: SVGElement[] = [];
  const dots: SVGElement[] = [];
  for (const point of shown) {
    const here = places.get(point.id);
    const above = places.get(lanes.get(point.id)?.above ?? "");
    if (here && above) lines.push(svg("path", { d: branchPath(above, here, height), class: point.on_path ? "way" : "way left" }));
    const on = point.number === chosen;
    if (here) dots.push(svg("circle", { cx: here.x, cy: here.y, r: on ? 6 : 4, class: on ? "dot on" : point.on_path ? "dot" : "dot left" }));
  }
  return svg("svg", { class: "gl", width: LEFT + LANE * countLanes(lanes), height: shown.length * height, "aria-hidden": "true" }, lines, dots);
}

interface Spot { x: number; y: number }

function branchPath(above: Spot, { x, y }: Spot, height: number): string {
  if (x === above.x) return `M${x},${above.y}L${x},${y}`;
  const bend = Math.min(above.y + height, y);
  return `M${above.x},${above.y}C${above.x},${above.y + height * 0.7} ${x},${bend - height * 0.7} ${x},${bend}L${x},${y}`;
}
