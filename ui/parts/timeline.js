export default function (component) {
  return mount(component, draw);
}

function draw(root, view) {
  const list = root.querySelector("ol") ?? root.appendChild(el("ol", { class: "tl", "aria-label": "Timeline", "aria-live": "polite" }));
  keyed(list, Object.entries(view.timeline ?? {}).filter(([, entry]) => entry.text || entry.outcome === "now" || entry.node === ""), row);
}

function row(entry) {
  const running = entry.outcome === "now";
  const inner = Object.values(entry.rows ?? {});
  return el("li", { class: running ? "on" : "" },
    sign(entry.outcome === "done" ? "found" : entry.outcome),
    el("div", { class: "grow" },
      el("div", { class: "t" }, el("span", { class: "clip", title: entry.title }, entry.title), el("time", {}, running ? "now" : clock(entry.seconds))),
      running && inner.length ? steps(inner) : said(entry)));
}

function said(entry) {
  const word = { found: "Found", partial: "Partial", nothing: "Nothing", failed: "Failed" }[entry.outcome];
  if (!word || !entry.url) return el("p", {}, entry.text);
  return el("p", {}, el("span", { class: `w c-${entry.outcome}` }, word), entry.text.replace(/^[a-z]+(?=:)/, ""));
}

function steps(rows) {
  return el("ol", { class: "sub" }, rows.slice(-8).map((one) =>
    el("li", { class: one.outcome === "now" ? "on" : "" }, sign(one.outcome === "done" ? "found" : one.outcome, 13), el("b", {}, one.node), el("span", {}, one.text))));
}
