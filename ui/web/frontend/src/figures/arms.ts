// The arms: what is believed of each page where a visit may start, as a curve.
import { createChangeCheck, el, find, svg, updateList } from "../shared/dom";
import type { Arm } from "../shared/run_view";
import { outcomeColour, pageLabel, sign } from "../shared/signs";
import { ThrottledFetch } from "../shared/throttled_fetch";
import { betaPath, betaPeak, meanOfBeta } from "./beta_curve";
import { dataTable } from "./data_table";
import { drawsOfArm } from "./draw_data";
import type { Draw } from "./draw_data";
import { dashes, defineFigure, figureHead, legend, makePointable, note } from "./figure";
import { formatNumber, later, say, sayCount } from "../shared/language";
import styles from "./arms.css" with { type: "text" };

interface ArmRow extends Arm { drawn: [value: number, won: boolean][] }

const FRAME = { width: 150, base: 27, top: 4 };
const LEAST_PEAK = 1.6; // a flat curve is drawn flat
const NONE = later("The survey chooses the pages where a visit may start. There are none yet.");

export const arms = defineFigure([styles], (root) => {
  const draws = new ThrottledFetch<Draw[]>([]);
  const changed = createChangeCheck();
  return (view, run) => {
    const all = Object.values(view.arms);
    draws.refresh(run, "draws", all.map((arm) => [arm.round, arm.sign]));
    if (!changed([all, draws.value])) return;
    if (!all.length) {
      root.replaceChildren(note(say(NONE)));
      return;
    }
    const list = find(root, "ol", HTMLOListElement) ?? frame(root);
    updateList(list, all.map((arm) => [String(arm.number), { ...arm, drawn: drawsOfArm(arm.number, draws.value) }]), armRow);
    root.querySelector(".twin")?.replaceWith(armTable(root, all));
  };
});

function frame(root: HTMLElement): HTMLOListElement {
  const list = el("ol", { class: "arms", "aria-label": say("Ranked pages, best first") });
  root.replaceChildren(
    legend(["found", "partial", "nothing", "failed", "unvisited"], el("span", {}, dashes("var(--control)", "2 3", 1.3), say("Prior"))),
    figureHead(say("Chance that a page helps"), say("further right is likelier, narrower is surer"), el("span", { class: "micro faint" }, say("mean"))),
    list, el("div", { class: "axis", "aria-hidden": "true" }, el("span", {}, "0"), el("span", {}, "0.5"), el("span", {}, "1")),
    el("details", { class: "twin" }));
  return list;
}

function armRow(arm: ArmRow): HTMLElement {
  const name = arm.title || arm.url;
  const item = el("li", { tabindex: "0", title: `${name}\n${arm.url}` },
    el("span", { class: "an" }, arm.number), sign(arm.sign, 15),
    el("span", { class: "tt" }, el("span", { class: "clip" }, name), el("span", { class: "clip micro faint" }, describeArm(arm))),
    el("span", { class: "plot" }, curve(arm), dots(arm)), el("span", { class: "mean" }, formatNumber(meanOfBeta(arm.alpha, arm.beta), 2)));
  return makePointable(item, arm.number);
}

export function describeArm(arm: Pick<Arm, "sign" | "round" | "draws">): string {
  if (arm.sign === "unvisited" || !arm.round) return arm.draws ? sayCount(arm.draws, "{n} earlier visit", "{n} earlier visits") : say("Not visited");
  if (arm.sign === "now") return say("Being visited, visit {round}", { round: arm.round });
  return say("{outcome} on visit {round}", { outcome: pageLabel(arm.sign), round: arm.round });
}

function curve(arm: Arm): SVGElement {
  const { alpha, beta, prior: [a, b] } = arm;
  const { width, base } = FRAME;
  const colour = outcomeColour(arm.sign, "var(--control)");
  const highest = Math.max(LEAST_PEAK, betaPeak(alpha, beta), betaPeak(a, b));
  const line = betaPath(alpha, beta, highest, FRAME);
  const mean = meanOfBeta(alpha, beta);
  const label = say("Posterior Beta({alpha}, {beta}), mean {mean}", { alpha: rounded(alpha), beta: rounded(beta), mean: formatNumber(mean, 2) });
  return svg("svg", { class: "curve", viewBox: `0 0 ${width} 31`, preserveAspectRatio: "none", role: "img", "aria-label": label },
    svg("line", { x1: 0, x2: width, y1: base, y2: base, stroke: "var(--line)" }),
    (a !== alpha || b !== beta) && svg("path", { d: betaPath(a, b, highest, FRAME), fill: "none", stroke: "var(--control)", "stroke-width": 1.2, "stroke-dasharray": "2 3" }),
    svg("path", { d: `${line} L${width},${base} L0,${base}Z`, fill: colour, "fill-opacity": 0.16 }),
    svg("path", { d: line, fill: "none", stroke: colour, "stroke-width": 1.5 }),
    svg("line", { x1: mean * width, x2: mean * width, y1: base - 3, y2: base + 3, stroke: colour, "stroke-width": 1.6 }));
}

// One dot for each draw along the base of the curve; those that won are larger.
function dots(arm: ArmRow): SVGElement {
  const colour = arm.sign === "now" ? "var(--ink-2)" : outcomeColour(arm.sign, "var(--ink-2)");
  return svg("svg", { class: "dots", "aria-hidden": "true" }, arm.drawn.map(([value, won]) =>
    svg("circle", { cx: `${Math.min(Math.max(value, 0), 1) * 100}%`, cy: 4, r: won ? 3 : 1.7, fill: won ? colour : "var(--control)" })));
}

function rounded(value: number): string {
  return formatNumber(value, 2, 0);
}

function armTable(root: HTMLElement, all: readonly Arm[]): HTMLElement {
  return dataTable(root, say("What was believed of each page before its first visit, and now"),
    [say("Rank"), say("Page"), say("Address"), say("Outcome"), say("Visit"), say("Prior α"), say("Prior β"), "α", "β", say("Mean")],
    () => all.map((arm) => [arm.number, arm.title, arm.url, pageLabel(arm.sign), arm.round || "", ...arm.prior, arm.alpha, arm.beta, Number(meanOfBeta(arm.alpha, arm.beta).toFixed(3))]));
}
