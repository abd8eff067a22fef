function part(component) {
  return mount(component, draw);
}

const ROW = 33, LANE = 18, LEFT = 14;
const SIGNS = {
  adequate: "found", sufficient: "found", found: "found", answered: "found", moved: "found", partial: "partial", insufficient: "partial",
  nothing: "nothing", feasible: "nothing", abstained: "nothing", infeasible: "failed", failed: "failed",
};
const DECIDES = new Set(["interpreter", "surveyor", "selector", "extractor", "critic", "reflector", "answerer"]);

function draw(root, view, context) {
  const { turn } = context.data;
  const path = turn ? `history?turn=${turn}` : "history";
  const when = [view.timeline, view.session.status, view.session.turn];
  asked(root, context, path, when, (points) => {
    root.points = points;
    paint(root, context);
  });
  paint(root, context);
}

function paint(root, context) {
  const { data } = context, points = root.points;
  if (!points) return;
  root.chosen ??= data.step;
  whenChanged(root, "painted", [points, root.chosen, root.every, data.types, data.forks], () => {
    if (!points.length) return root.replaceChildren(el("p", { class: "note" }, "There is no checkpoint yet."));
    const shown = points.filter((point) => root.every || decision(point, data));
    const focused = root.querySelector(":focus")?.closest("[data-key]")?.dataset.key;
    const list = root.querySelector("ol") ?? el("ol", { class: "ck", "aria-label": "Checkpoints, oldest first" });
    const lanes = laned(shown, points);
    list.style.setProperty("--lanes", String(widest(lanes)));
    keyed(list, shown.map((point) => [String(point.number), { ...point, seconds: point.time - points[0].time, chosen: point.number === root.chosen, fork: data.forks?.[point.number] }]), (point) => row(root, context, point));
    const head = el("div", { class: "ph" }, modes(root, context), el("span", { class: "grow" }), el("span", { class: "small muted" }, `${shown.length} of ${plural(points.length, "checkpoint")}`));
    root.replaceChildren(head, el("div", { class: "tree" }, lines(shown, lanes, root.chosen), list));
    if (focused) list.querySelector(`[data-key="${focused}"] button`)?.focus();
  });
}

function decision(point, data) {
  const kinds = point.ran.map((node) => data.types?.[node]);
  return !point.ran.length || (point.message && kinds.some((kind) => DECIDES.has(kind))) || point.outcome === "failed" || point.current || Boolean(data.forks?.[point.number]);
}

function modes(root, context) {
  const button = (label, every) => el("button", { class: "mode", "aria-pressed": String(Boolean(root.every) === every), onclick: () => { root.every = every; paint(root, context); } }, label);
  return el("div", { class: "seg", role: "group", "aria-label": "Which checkpoints" }, button("Decisions", false), button("Every step", true));
}

function row(root, context, point) {
  const choose = () => {
    root.chosen = point.number;
    context.setStateValue("step", point.number);
    root.redraw();
  };
  const node = point.ran.length > 1 && new Set(point.ran).size === 1 ? `${point.ran[0]} × ${point.ran.length}` : point.ran.join(", ") || (point.source === "fork" ? "back" : "start");
  return el("li", { class: point.on_path ? "" : "side" },
    el("button", { class: "pick", "aria-pressed": String(point.chosen), onclick: choose, onkeydown: step },
      el("span", { class: "no" }, String(point.number)),
      point.outcome ? sign(SIGNS[point.outcome] ?? "done", 14) : el("span", { class: "quiet", "aria-hidden": "true" }),
      el("b", { class: "clip", title: node }, node),
      el("span", { class: "clip", title: point.message }, named(said(point), context.data.handbook)),
      el("time", {}, clock(point.seconds))));
}

function said(point) {
  const words = [!point.on_path && "older branch", point.fork && plural(point.fork, "fork"), point.message].filter(Boolean);
  return words.join(" · ");
}

// Up and down go from row to row.
function step(event) {
  const way = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
  const next = way && event.currentTarget.closest("li")[way]?.querySelector("button");
  if (!next) return;
  event.preventDefault();
  next.focus();
}

// Of each row: its lane (0 leads to the newest checkpoint, every branch that was left has its
// own), and the nearest row before it on its own branch.
function laned(shown, all) {
  const rows = new Map(shown.map((point) => [point.id, point])), every = new Map(all.map((point) => [point.id, point]));
  const result = new Map(), gone_on = new Set();
  let last = 0;
  for (const point of shown) {
    let up = point.parent;
    while (up && !rows.has(up)) up = every.get(up)?.parent;
    const side = rows.get(up)?.on_path === false && !gone_on.has(up);
    if (side) gone_on.add(up);
    result.set(point.id, { lane: point.on_path ? 0 : side ? result.get(up).lane : ++last, up });
  }
  return result;
}

const widest = (lanes) => 1 + Math.max(0, ...[...lanes.values()].map(({ lane }) => lane));

function lines(points, lanes, chosen) {
  const place = new Map(points.map((point, at) => [point.id, [LEFT + lanes.get(point.id).lane * LANE, at * ROW + ROW / 2]]));
  const picture = svg("svg", { class: "gl", width: LEFT + LANE * widest(lanes), height: points.length * ROW, "aria-hidden": "true" });
  for (const point of points) {
    if (!place.has(lanes.get(point.id).up)) continue;
    const [x, y] = place.get(point.id), [px, py] = place.get(lanes.get(point.id).up);
    const bend = Math.min(py + ROW, y);
    const d = x === px ? `M${px},${py}L${x},${y}` : `M${px},${py}C${px},${py + ROW * 0.7} ${x},${bend - ROW * 0.7} ${x},${bend}L${x},${y}`;
    picture.append(svg("path", { d, class: point.on_path ? "way" : "way left" }));
  }
  for (const point of points) {
    const [cx, cy] = place.get(point.id);
    const look = point.number === chosen ? "dot on" : point.on_path ? "dot" : "dot left";
    picture.append(svg("circle", { cx, cy, r: point.number === chosen ? 6 : 4, class: look }));
  }
  return picture;
}
