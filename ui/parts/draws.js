function part(component) {
  return figure(component, draw);
}

function draw(root, view, context) {
  const arms = new Map(Object.values(view.arms ?? {}).map((arm) => [arm.number, arm]));
  const signs = [...arms.values()].map((arm) => [arm.round, arm.sign]);
  asked(root, context, "draws", signs, (draws) => {
    root.draws = draws;
    root.redraw();
  });
  whenChanged(root, "draws", [root.draws, signs], () => paint(root, root.draws ?? [], arms));
}

function paint(root, draws, arms) {
  if (!draws.length) return root.replaceChildren(heading("Every draw", ""), el("p", { class: "note" }, "No visit has been drawn yet."));
  const most = Math.max(1, ...draws.flatMap(({ samples }) => Object.values(samples)));
  const thompson = draws.every(({ strategy }) => strategy === "thompson");
  const count = Math.max(...draws.map(({ samples }) => Object.keys(samples).length));
  const list = root.querySelector("ol") ?? el("ol", { class: "draws", "aria-label": "Draws, oldest first" });
  keyed(list, draws.map((one) => [String(one.round), { ...one, most, signs: one.arms.map((arm) => judged(one, arm, arms)), names: one.arms.map((arm) => arms.get(arm)?.title || arms.get(arm)?.url) }]), row);
  const axis = el("div", { class: "axis", "aria-hidden": "true" }, el("span", {}), el("span", { class: "scale" }, [0, 0.25, 0.5, 0.75, 1].map((part) => el("span", {}, String(Number((part * most).toFixed(2)))))), el("span", {}));
  root.replaceChildren(heading("Every draw", thompson ? `the highest of ${count} wins the visit` : `by the strategy ${draws[0].strategy}`), list, axis, table(root, draws, arms));
}

// The outcome of a round for one of its arms; the arm's own where it was not visited again.
function judged({ round, arms: numbers, outcomes }, number, arms) {
  const words = { adequate: "found", partial: "partial", feasible: "nothing", infeasible: "failed" };
  const arm = arms.get(number);
  return words[outcomes[numbers.indexOf(number)]] ?? (arm?.round === round ? arm.sign : "nothing");
}

function row(one) {
  const line = svg("svg", { class: "track", role: "img", "aria-label": said(one) }, svg("line", { x1: 0, x2: "100%", y1: 11, y2: 11, stroke: "var(--line)" }));
  for (const [number, value] of Object.entries(one.samples)) if (!one.arms.includes(Number(number))) line.append(dot(number, value, one.most));
  one.arms.forEach((number, at) => line.append(badge(number, one.samples[number], one.most, one.signs[at])));
  return el("li", {}, el("span", { class: "muted" }, `Visit ${one.round}`), el("span", { class: "room" }, line), el("span", { class: "clip", title: one.names.join("\n") }, one.names.join(", ")));
}

function said({ round, arms, samples, signs }) {
  return arms.map((number, at) => `Visit ${round}: arm ${number} drew ${samples[number] ?? "nothing"}, the highest of ${Object.keys(samples).length}; ${LABELS[signs[at]]}`).join(". ");
}

const place = (value, most) => `${(Math.max(value, 0) / most) * 100}%`;

function dot(number, value, most) {
  const node = svg("circle", { class: "dot", cx: place(value, most), cy: 11, r: 3 }, svg("title", {}, `Arm ${number}: ${value}`));
  return pointable(node, number);
}

function badge(number, value = 0, most, kind) {
  const colour = { found: "var(--found)", partial: "var(--partial)", failed: "var(--failed)", now: "var(--accent)" }[kind] ?? "var(--nothing)";
  const full = kind === "found";
  const node = svg("g", { class: "badge" },
    svg("circle", { cx: place(value, most), cy: 11, r: 8.5, fill: full ? colour : "var(--surface)", stroke: colour, "stroke-width": 1.8 }),
    svg("text", { x: place(value, most), y: 14.6, "text-anchor": "middle", "font-size": 10.5, "font-weight": 600, fill: full ? "var(--surface)" : colour }, String(number)),
    svg("title", {}, `Arm ${number}: ${value}, ${LABELS[kind] ?? ""}`));
  return pointable(node, number);
}

function table(root, draws, arms) {
  const numbers = [...arms.keys()];
  return twin(root, "Draws: what each arm was given in each round", ["Visit", "Drawn", "Outcome", ...numbers.map((number) => `Arm ${number}`)],
    () => draws.map((one) => [one.round, one.arms.join(", "), one.arms.map((arm) => LABELS[judged(one, arm, arms)]).join(", "), ...numbers.map((number) => one.samples[number] ?? "")]));
}
