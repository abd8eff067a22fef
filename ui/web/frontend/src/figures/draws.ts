// What each arm was given in each round, and which of them was visited.
import { createChangeCheck, el, find, svg, updateList } from "../shared/dom";
import type { Arm } from "../shared/run_view";
import { outcomeColour, pageLabel } from "../shared/signs";
import { ThrottledFetch } from "../shared/throttled_fetch";
import { dataTable } from "./data_table";
import { outcomeOfDraw } from "./draw_data";
import type { Draw } from "./draw_data";
import { defineFigure, figureHead, makePointable, note } from "./figure";
import { say } from "../shared/language";
import styles from "./draws.css" with { type: "text" };

type Arms = ReadonlyMap<number, Arm>;
interface DrawRow extends Draw { most: number; signs: string[]; names: string[] }

export const draws = defineFigure([styles], (root) => {
  const found = new ThrottledFetch<Draw[]>([]);
  const changed = createChangeCheck();
  return (view, run) => {
    const arms = new Map(Object.values(view.arms).map((arm) => [arm.number, arm]));
    const signs = [...arms.values()].map((arm) => [arm.round, arm.sign]);
    found.refresh(run, "draws", signs);
    if (changed([found.value, signs])) paint(root, found.value, arms);
  };
});

function paint(root: HTMLElement, found: readonly Draw[], arms: Arms): void {
  const [first] = found;
  if (!first) {
    root.replaceChildren(figureHead(say("Every draw"), ""), note(say("No visit has been drawn yet.")));
    return;
  }
  const most = Math.max(1, ...found.flatMap(({ samples }) => Object.values(samples)));
  const count = Math.max(...found.map(({ samples }) => Object.keys(samples).length));
  const beside = found.every(({ strategy }) => strategy === "thompson") ? say("the highest of {count} is visited", { count }) : say("chosen by the strategy {strategy}", { strategy: first.strategy });
  const list = find(root, "ol", HTMLOListElement) ?? el("ol", { class: "draws", "aria-label": say("Draws, oldest first") });
  updateList(list, found.map((draw) => [String(draw.round), rowOf(draw, most, arms)]), drawRow);
  root.replaceChildren(figureHead(say("Every draw"), beside), list, axis(most), drawTable(root, found, arms));
}

function rowOf(draw: Draw, most: number, arms: Arms): DrawRow {
  const names = draw.arms.map((number) => arms.get(number)?.title || (arms.get(number)?.url ?? ""));
  return { ...draw, most, names, signs: draw.arms.map((number) => outcomeOfDraw(draw, number, arms)) };
}

function drawRow(draw: DrawRow): HTMLElement {
  const losers = Object.entries(draw.samples).filter(([number]) => !draw.arms.includes(Number(number)));
  const line = svg("svg", { class: "track", role: "img", "aria-label": describeDraw(draw) },
    svg("line", { x1: 0, x2: "100%", y1: 11, y2: 11, stroke: "var(--line)" }),
    losers.map(([number, value]) => dot(Number(number), value, draw.most)),
    draw.arms.map((number, at) => badge(number, draw.samples[number] ?? 0, draw.most, draw.signs[at] ?? "nothing")));
  return el("li", {}, el("span", { class: "muted" }, say("Visit {round}", { round: draw.round })), el("span", { class: "room" }, line),
    el("span", { class: "clip", title: draw.names.join("\n") }, draw.names.join(", ")));
}

function describeDraw({ round, arms, samples, signs }: DrawRow): string {
  const count = Object.keys(samples).length;
  return arms.map((number, at) => say("Visit {round}: page {number} drew {value}, the highest of {count}; {outcome}", { round, number, value: samples[number] ?? "–", count, outcome: pageLabel(signs[at] ?? "") })).join(". ");
}

function place(value: number, most: number): string {
  return `${(Math.max(value, 0) / most) * 100}%`;
}

function dot(number: number, value: number, most: number): SVGElement {
  return makePointable(svg("circle", { class: "dot", cx: place(value, most), cy: 11, r: 3 }, svg("title", {}, say("Page {number}: {value}", { number, value }))), number);
}

function badge(number: number, value: number, most: number, kind: string): SVGElement {
  const colour = outcomeColour(kind, "var(--nothing)");
  const full = kind === "found";
  const x = place(value, most);
  return makePointable(svg("g", { class: "badge" },
    svg("circle", { cx: x, cy: 11, r: 8.5, fill: full ? colour : "var(--surface)", stroke: colour, "stroke-width": 1.8 }),
    svg("text", { x, y: 14.6, "text-anchor": "middle", "font-size": 10.5, "font-weight": 600, fill: full ? "var(--surface)" : colour }, number),
    svg("title", {}, say("Page {number}: {value}, {outcome}", { number, value, outcome: pageLabel(kind) }))), number);
}

function axis(most: number): HTMLElement {
  const marks = [0, 0.25, 0.5, 0.75, 1].map((part) => el("span", {}, Number((part * most).toFixed(2))));
  return el("div", { class: "axis", "aria-hidden": "true" }, el("span"), el("span", { class: "scale" }, marks), el("span"));
}

function drawTable(root: HTMLElement, found: readonly Draw[], arms: Arms): HTMLElement {
  const numbers = [...arms.keys()];
  const outcomes = (draw: Draw) => draw.arms.map((arm) => pageLabel(outcomeOfDraw(draw, arm, arms))).join(", ");
  return dataTable(root, say("Draws: the value of each page at each visit"), [say("Visit"), say("Drawn"), say("Outcome"), ...numbers.map((number) => say("Page {number}", { number }))],
    () => found.map((draw) => [draw.round, draw.arms.join(", "), outcomes(draw), ...numbers.map((number) => draw.samples[number] ?? "")]));
}
