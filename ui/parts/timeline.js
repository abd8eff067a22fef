function part(component) {
  return mount(component, draw);
}

const NARROW = matchMedia("(max-width: 760px)");

const WORKING = new Set(["running", "waiting"]);

function draw(root, view, context) {
  root.opened ??= new Map();
  const list = root.querySelector(".tl") ?? frame(root);
  const entries = Object.entries(view.timeline ?? {}).filter(([, entry]) => entry.text || entry.outcome === "now" || entry.type === "")
    .map(([key, entry]) => [key, told(WORKING.has(view.session.status) ? entry : left(entry), context.data.handbook)]);
  const bottom = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  keyed(list, entries.filter(([, entry]) => entry.title !== "Begun"), (entry, key) => row(root, entry, key));
  if (bottom) list.scrollTop = list.scrollHeight;
  newest(root);
  const last = entries.at(-1)?.[1];
  root.querySelector(".now-line").replaceChildren(...(last ? [sign(shape(last), 14), el("span", { class: "clip" }, current(last))] : ["Nothing was done yet"]));
}

// The list scrolls by itself; on a narrow screen it opens from one line that says what happens now.
function frame(root) {
  const list = el("ol", { class: "tl", "aria-label": "Timeline", tabindex: 0, onscroll: () => newest(root) });
  const jump = el("button", { class: "jump", hidden: true, onclick: () => { list.scrollTop = list.scrollHeight; } }, icon("down", 13), "Newest");
  const box = el("details", { open: !NARROW.matches }, el("summary", { "aria-label": "Steps of the run" }, el("span", { class: "row now-line" }), icon("down")), list, jump);
  NARROW.addEventListener("change", () => { box.open = !NARROW.matches; });
  root.append(box);
  return list;
}

function told(entry, handbook) {
  const rows = Object.entries(entry.rows ?? {}).map(([key, row]) => [key, { ...row, text: named(row.text, handbook) }]);
  return { ...entry, title: named(entry.title, handbook), text: named(entry.text, handbook), rows: Object.fromEntries(rows) };
}

// What was at work when the run was left does not work any more.
function left(entry) {
  const outcome = entry.outcome === "now" ? "interrupted" : entry.outcome;
  const rows = Object.entries(entry.rows ?? {}).map(([key, row]) => [key, left(row)]);
  return { ...entry, outcome, rows: Object.fromEntries(rows) };
}

function newest(root) {
  const list = root.querySelector(".tl");
  root.querySelector(".jump").hidden = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
}

function shape(entry) {
  return entry.outcome === "done" ? (entry.title === "Interrupted" ? "interrupted" : "found") : entry.outcome;
}

function current(entry) {
  const inner = Object.values(entry.rows ?? {}).at(-1);
  const doing = entry.outcome === "now" && inner ? `${inner.node}${inner.text ? `: ${inner.text}` : ""}` : entry.text;
  return [entry.title, doing].filter(Boolean).join(" · ");
}

const QUIET = /^(0 |nothing|no |a question of its own|$)/;

function row(root, entry, key) {
  const running = entry.outcome === "now";
  const inner = Object.values(entry.rows ?? {});
  const time = el("time", {}, running ? "now" : clock(entry.seconds));
  if (!running && !entry.url && entry.outcome === "done" && QUIET.test(entry.text)) {
    return el("li", { class: "quiet" }, el("i", { "aria-hidden": "true" }), el("div", { class: "t grow" }, el("span", {}, entry.title), el("span", { class: "clip", title: entry.text }, entry.text), time));
  }
  return el("li", { class: running ? "on" : "" }, sign(shape(entry)),
    el("div", { class: "grow" },
      el("div", { class: "t" }, el("span", { class: "clip", title: entry.title }, entry.title), time),
      said(entry), inner.length > 0 && steps(root, inner, key, running)));
}

const WORDED = { found: "Found", partial: "Partial", nothing: "Nothing", failed: "Failed", interrupted: "Left here" };
const LONG = 150;

function said(entry) {
  if (entry.outcome === "now" && entry.url) return null;
  const word = entry.url && WORDED[entry.outcome];
  const text = entry.text.replace(/^(answered|partial|abstained|adequate|feasible|infeasible|nothing): */, "").replace(/ ?\[e\d+(?:[,;\s]+e\d+)*\]/g, "");
  const line = el("p", { class: text.length > LONG ? "clamped" : "" }, word && el("span", { class: `w c-${entry.outcome}` }, word), word && text ? ": " : "", text);
  if (text.length <= LONG) return line;
  const more = el("button", { class: "more", "aria-expanded": "false", onclick: () => {
    const open = line.classList.toggle("clamped");
    more.textContent = open ? "more" : "less";
    more.setAttribute("aria-expanded", String(!open));
  } }, "more");
  return [line, more];
}

const SHOWN = 8;

function steps(root, rows, key, running) {
  const list = el("ol", { class: "sub" }, (running ? rows.slice(-SHOWN) : rows).map((one) =>
    el("li", { class: one.outcome === "now" ? "on" : "" }, sign(one.outcome === "done" ? "found" : one.outcome, 13), el("b", { class: "clip", title: one.node }, one.node), el("span", {}, one.text))));
  if (running) return list;
  return el("details", { class: "steps", open: root.opened.get(key), ontoggle: (event) => root.opened.set(key, event.target.open) },
    el("summary", {}, plural(rows.length, "step")), list);
}
