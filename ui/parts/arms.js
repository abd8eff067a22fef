function part(component) {
  return figure(component, draw);
}

const WIDTH = 150, BASE = 27, TOP = 4, STEPS = 60;

function draw(root, view, context) {
  const arms = Object.values(view.arms ?? {});
  asked(root, context, "draws", arms.map((arm) => [arm.round, arm.sign]), (draws) => {
    root.draws = draws;
    root.redraw();
  });
  whenChanged(root, "arms", [arms, root.draws], () => {
    if (!arms.length) return root.replaceChildren(el("p", { class: "note" }, "The pages where a visit may start are chosen by the survey; there are none yet."));
    const list = root.querySelector("ol") ?? frame(root);
    keyed(list, arms.map((arm) => [String(arm.number), { ...arm, drawn: drawn(arm, root.draws) }]), row);
    root.querySelector(".twin").replaceWith(table(root, arms));
  });
}

// What the arm was given in each round, and whether it was the one that was visited.
function drawn(arm, draws = []) {
  return draws.filter(({ samples }) => arm.number in samples).map(({ samples, arms }) => [samples[arm.number], arms.includes(arm.number)]);
}

function frame(root) {
  const list = el("ol", { class: "arms", "aria-label": "Arms, best rank first" });
  root.replaceChildren(
    legend(["found", "partial", "nothing", "failed", "unvisited"], el("span", {}, dashes("var(--control)", "2 3", 1.3), "Prior")),
    heading("Chance that a page helps", "posterior of each arm", el("span", { class: "micro faint" }, "mean")),
    list, el("div", { class: "axis", "aria-hidden": "true" }, el("span", {}, "0"), el("span", {}, "0.5"), el("span", {}, "1")),
    el("details", { class: "twin" }));
  return list;
}

function row(arm) {
  const name = arm.title || arm.url;
  const item = el("li", { tabindex: "0", title: `${name}\n${arm.url}` },
    el("span", { class: "an" }, String(arm.number)), sign(arm.sign, 15),
    el("span", { class: "tt" }, el("span", { class: "clip" }, name), el("span", { class: "clip micro faint" }, said(arm))),
    el("span", { class: "plot" }, curve(arm), dots(arm)), el("span", { class: "mean" }, mean(arm).toFixed(2)));
  return pointable(item, arm.number);
}

function said(arm) {
  const word = LABELS[arm.sign] ?? "Not visited";
  if (arm.sign === "unvisited" || !arm.round) return arm.draws ? `${plural(arm.draws, "visit")} before` : "Not visited";
  return arm.sign === "now" ? `Being visited, visit ${arm.round}` : `${word} on visit ${arm.round}`;
}

const mean = (arm) => arm.alpha / (arm.alpha + arm.beta);

function curve(arm) {
  const [a, b] = arm.prior;
  const colour = ["found", "partial", "failed", "now"].includes(arm.sign) ? `var(--${arm.sign === "now" ? "accent" : arm.sign})` : "var(--control)";
  const highest = Math.max(1.6, peak(arm.alpha, arm.beta), peak(a, b));
  const line = path(arm.alpha, arm.beta, highest);
  const moved = a !== arm.alpha || b !== arm.beta;
  const label = `Posterior Beta(${fixed(arm.alpha)}, ${fixed(arm.beta)}), mean ${mean(arm).toFixed(2)}`;
  return svg("svg", { class: "curve", viewBox: `0 0 ${WIDTH} 31`, preserveAspectRatio: "none", role: "img", "aria-label": label },
    svg("line", { x1: 0, x2: WIDTH, y1: BASE, y2: BASE, stroke: "var(--line)" }),
    moved ? svg("path", { d: path(a, b, highest), fill: "none", stroke: "var(--control)", "stroke-width": 1.2, "stroke-dasharray": "2 3" }) : [],
    svg("path", { d: `${line} L${WIDTH},${BASE} L0,${BASE}Z`, fill: colour, "fill-opacity": 0.16 }),
    svg("path", { d: line, fill: "none", stroke: colour, "stroke-width": 1.5 }),
    svg("line", { x1: mean(arm) * WIDTH, x2: mean(arm) * WIDTH, y1: BASE - 3, y2: BASE + 3, stroke: colour, "stroke-width": 1.6 }));
}

// One dot for each round's draw, along the base of the curve; those that won are larger.
function dots(arm) {
  const colour = ["found", "partial", "failed"].includes(arm.sign) ? `var(--${arm.sign})` : "var(--ink-2)";
  const place = (value) => `${Math.min(Math.max(value, 0), 1) * 100}%`;
  return svg("svg", { class: "dots", "aria-hidden": "true" },
    arm.drawn.map(([value, won]) => svg("circle", { cx: place(value), cy: 4, r: won ? 3 : 1.7, fill: won ? colour : "var(--control)" })));
}

const fixed = (value) => String(Math.round(value * 100) / 100);

// The density of Beta(a, b), as a path; what is higher than `highest` is cut off.
function path(a, b, highest) {
  const scale = (BASE - TOP) / highest;
  const points = Array.from({ length: STEPS + 1 }, (_, step) => {
    const x = Math.min(Math.max(step / STEPS, 0.002), 0.998);
    return `${(x * WIDTH).toFixed(1)},${(BASE - Math.min(density(x, a, b), highest) * scale).toFixed(1)}`;
  });
  return `M${points.join(" L")}`;
}

function density(x, a, b) {
  return Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log(1 - x) + logGamma(a + b) - logGamma(a) - logGamma(b));
}

function peak(a, b) {
  return a > 1 && b > 1 ? density((a - 1) / (a + b - 2), a, b) : Math.min(Math.max(density(0.002, a, b), density(0.998, a, b)), 12);
}

// Stirling's series, from 8 on exact to ten digits.
function logGamma(z) {
  if (z < 8) return logGamma(z + 1) - Math.log(z);
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * z) - 1 / (360 * z ** 3) + 1 / (1260 * z ** 5);
}

function table(root, arms) {
  return twin(root, "Arms: what is believed of each page, before its first visit and now",
    ["Arm", "Page", "Address", "Outcome", "Visit", "Prior α", "Prior β", "α", "β", "Mean"],
    () => arms.map((arm) => [arm.number, arm.title, arm.url, LABELS[arm.sign], arm.round || "", ...arm.prior, arm.alpha, arm.beta, Number(mean(arm).toFixed(3))]));
}
