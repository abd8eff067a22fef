function part(component) {
  return mount(component, draw);
}

const NAMES = { pages: "Pages", calls: "Calls", tokens: "Tokens", dollars: "Dollars", seconds: "Time" };
const NEAR = 0.8;

function draw(root, view) {
  const shown = spendable(NAMES, view.session.model === "offline").filter(([name]) => {
    const { used, limit } = view.spend[name] ?? {};
    return limit !== undefined || used;
  });
  const list = root.querySelector("div") ?? root.appendChild(el("div", { class: "meters", role: "group", "aria-label": "Spent of the budget" }));
  keyed(list, shown.map(([name, title]) => [name, { name, title, ...view.spend[name] }]), meter);
}

function meter({ name, title, used, limit }) {
  const share = limit ? Math.min(1, used / limit) : 0;
  const near = limit !== undefined && used / limit >= NEAR;
  const said = limit === undefined ? amount(name, used) : `${amount(name, used)} of ${amount(name, limit)}`;
  const bar = limit === undefined ? el("span", {})
    : el("div", { class: near ? "meter near" : "meter", role: "meter", "aria-label": title, "aria-valuemin": 0, "aria-valuemax": limit, "aria-valuenow": Math.min(used, limit), "aria-valuetext": said }, fill(share));
  return el("div", { class: `mrow ${name}`, title: near ? `${said}: nearly spent` : said },
    el("span", { class: "muted" }, title), bar,
    el("span", { class: "v" }, near && el("span", { class: "warn", "aria-hidden": "true" }, "! "), amount(name, used), limit !== undefined && el("span", { class: "faint" }, ` / ${amount(name, limit)}`)));
}

function fill(share) {
  const bar = el("i");
  bar.style.width = `${(share * 100).toFixed(1)}%`;
  return bar;
}

function amount(name, value) {
  if (name === "seconds") return clock(value);
  if (name === "dollars") return value.toFixed(value && value < 0.1 ? 3 : 2);
  if (value >= 1e6) return `${(value / 1e6).toFixed(1).replace(/\.0$/, "")}M`;
  return value >= 1e4 ? `${(value / 1e3).toFixed(1).replace(/\.0$/, "")}k` : value.toLocaleString("en");
}
