function part(component) {
  return mount(component, draw);
}

const KINDS = { pages: "Pages", calls: "Model calls", tokens: "Tokens", dollars: "Dollars", seconds: "Time" };
const WIDTH = 200, HEIGHT = 64, WARN = 0.8;

function draw(root, view, context) {
  const rounds = Math.max(0, ...Object.values(view.arms ?? {}).map((arm) => arm.round));
  asked(root, context, "spending", [rounds, view.session.status, view.session.turn, view.spend.pages?.used], (way) => {
    root.way = way;
    root.redraw();
  });
  whenChanged(root, "spend", [view.spend, root.way], () => {
    const kinds = spendable(KINDS, view.session.model === "offline");
    const way = root.way ?? { round: [], ran: [], seconds: [] };
    root.replaceChildren(
      heading("Spend against budget", `over ${clock(view.spend.seconds?.used ?? 0)} of work`),
      el("div", { class: "panels" }, kinds.map(([kind, name]) => panel(kind, name, view.spend[kind] ?? { used: 0 }, way, view.spend.seconds?.used ?? 0))),
      nodes(way, kinds), twin(root, "Spent in all, checkpoint by checkpoint", ["Visit", "Node", ...kinds.map(([, name]) => name)],
        () => way.ran.map((node, at) => [way.round[at] || "", node, ...kinds.map(([kind]) => way[kind][at])])));
  });
}

function panel(kind, name, { used, limit }, way, now) {
  const share = limit ? used / limit : 0;
  const words = limit === undefined ? "no limit" : `of ${shown(kind, limit)}, ${Math.round(share * 100)} %`;
  const late = share >= WARN;
  return el("section", { class: late ? "panel late" : "panel", "aria-label": `${name}: ${shown(kind, used)} ${words}` },
    el("div", { class: "row" }, el("span", { class: "muted grow" }, name), late ? el("span", { class: "warn" }, share >= 1 ? "spent" : "nearly spent") : null),
    el("div", {}, el("b", { class: "used" }, shown(kind, used)), " ", el("span", { class: "micro faint" }, words)),
    course(kind, used, limit, way, now),
    el("div", { class: "meter", "aria-hidden": "true" }, el("i", { style: `width:${Math.min(share, 1) * 100}%` })));
}

// What was spent over the time of work; a thin line where each visit began.
function course(kind, used, limit, way, now) {
  const values = way[kind] ?? [], times = way.seconds;
  const end = Math.max(1e-9, now, times[times.length - 1] ?? 0), top = Math.max(1e-9, used, ...values);
  const x = (time) => (time / end) * WIDTH, y = (value) => HEIGHT - 3 - (value / top) * (HEIGHT - 8);
  let line = `M0,${y(0)}`;
  values.forEach((value, at) => (line += `H${x(times[at]).toFixed(1)}V${y(value).toFixed(1)}`));
  line += `H${x(Math.max(now, times[times.length - 1] ?? 0)).toFixed(1)}V${y(used).toFixed(1)}`;
  const begins = way.round.map((round, at) => (round && round !== way.round[at - 1] ? x(times[at]) : null)).filter((place) => place !== null);
  const ceiling = limit !== undefined && limit <= top * 1.02 ? svg("line", { x1: 0, x2: WIDTH, y1: y(limit), y2: y(limit), class: "limit" }) : [];
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "course", "aria-hidden": "true" },
    begins.map((place) => svg("line", { x1: place, x2: place, y1: 0, y2: HEIGHT, class: "begin" })),
    svg("path", { d: `${line}V${HEIGHT}H0Z`, class: "area" }), svg("path", { d: line, class: "line" }), ceiling);
}

// What each node took of it, the one that took most first.
function nodes(way, kinds) {
  const sums = new Map();
  way.ran.forEach((node, at) => {
    if (!node) return;
    const own = sums.get(node) ?? { times: 0, ...Object.fromEntries(kinds.map(([kind]) => [kind, 0])) };
    own.times += 1;
    for (const [kind] of kinds) own[kind] += way[kind][at] - (at ? way[kind][at - 1] : 0);
    sums.set(node, own);
  });
  if (!sums.size) return el("p", { class: "note" }, "Nothing was spent yet.");
  const sorted = [...sums].sort(([, one], [, other]) => other.seconds - one.seconds);
  const cells = (own) => [own.times, ...kinds.map(([kind]) => shown(kind, own[kind]))];
  return el("div", { class: "dfw", tabindex: "0", role: "region", "aria-label": "Spend by node" }, el("table", { class: "df" },
    el("thead", {}, el("tr", {}, ["Node", "Runs", ...kinds.map(([, name]) => name)].map((title, at) => el("th", { scope: "col", class: at ? "n" : undefined }, title)))),
    el("tbody", {}, sorted.map(([node, own]) => el("tr", {}, el("th", { scope: "row" }, node), cells(own).map((value) => el("td", { class: "n" }, String(value))))))));
}

function shown(kind, value) {
  if (kind === "dollars") return `$${value < 10 ? value.toFixed(3) : value.toFixed(2)}`;
  if (kind === "seconds") return value < 60 ? `${value.toFixed(1)} s` : `${clock(value)}`;
  return value >= 10000 ? `${(value / 1000).toFixed(1)}k` : Math.round(value).toLocaleString("en");
}
