// What the pictures of a run share: pointing at an arm in one marks it in all, table twins, legends.
const pointer = (globalThis.foragerPointer ??= new EventTarget());

// Marks what belongs to the arm that is pointed at in any figure; returns how to leave off.
function pointing({ parentElement }) {
  const mark = ({ detail }) => {
    for (const node of parentElement.querySelectorAll("[data-arm]")) node.classList.toggle("pointed", node.dataset.arm === detail);
  };
  pointer.addEventListener("point", mark);
  return () => pointer.removeEventListener("point", mark);
}

function pointable(node, arm) {
  const point = (detail) => () => pointer.dispatchEvent(new CustomEvent("point", { detail }));
  node.dataset.arm = arm;
  for (const event of ["pointerenter", "focusin"]) node.addEventListener(event, point(String(arm)));
  for (const event of ["pointerleave", "focusout"]) node.addEventListener(event, point(""));
  return node;
}

// Mounts a figure: what `mount` does, and pointing.
function figure(component, draw) {
  const leave = [mount(component, draw), pointing(component)];
  return () => leave.forEach((each) => each());
}

// Does something only where what it depends on has changed since the last time.
function whenChanged(root, name, data, act) {
  const said = JSON.stringify(data);
  root.said ??= {};
  if (root.said[name] === said) return;
  root.said[name] = said;
  act();
}

// What a path of the session's API gives, asked anew when `when` has changed, at most once a second.
function asked(root, context, path, when, act) {
  const state = ((root.asking ??= {})[path] ??= { at: 0 });
  const said = JSON.stringify(when);
  if (state.said === said) return;
  state.said = said;
  ask(state, context, path, act);
}

function ask(state, context, path, act) {
  if (state.busy) return void (state.again = true);
  Object.assign(state, { busy: true, again: false });
  setTimeout(async () => {
    state.at = Date.now();
    const reply = await context.call(`/api/sessions/${encodeURIComponent(context.data.session)}/${path}`).catch(() => null);
    if (reply?.ok) act(await reply.json());
    else state.said = null;
    state.busy = false;
    if (state.again) ask(state, context, path, act);
  }, Math.max(0, state.at + 1000 - Date.now()));
}

// The same as a table, behind a disclosure and made when it is opened; numbers stand at the right.
function twin(root, caption, head, rows) {
  const cell = (value) => el("td", { class: typeof value === "number" ? "n" : undefined }, String(value ?? ""));
  const table = () => el("div", { class: "dfw", tabindex: "0", role: "region", "aria-label": caption },
    el("table", { class: "df" }, el("caption", {}, caption),
      el("thead", {}, el("tr", {}, head.map((title) => el("th", { scope: "col" }, title)))),
      el("tbody", {}, rows().map((row) => el("tr", {}, row.map(cell))))));
  const box = el("details", { class: "twin", open: Boolean(root.querySelector("details.twin")?.open) }, el("summary", {}, "As a table"));
  const fill = () => box.open && !box.querySelector("table") && box.append(table());
  box.addEventListener("toggle", fill);
  fill();
  return box;
}

function heading(title, beside, ...more) {
  return el("div", { class: "ph" }, el("h3", {}, title), el("span", { class: "small faint grow" }, beside), ...more);
}

const LABELS = { now: "Being visited", found: "Found", partial: "Partial", nothing: "Nothing", failed: "Failed", unvisited: "Not visited" };

function legend(kinds, ...more) {
  return el("div", { class: "leg" }, kinds.map((kind) => el("span", {}, sign(kind, 13), LABELS[kind])), ...more);
}

function dashes(stroke, pattern, width) {
  return svg("svg", { width: 24, height: 8, "aria-hidden": "true" }, svg("line", { x1: 0, x2: 24, y1: 4, y2: 4, stroke, "stroke-width": width, "stroke-dasharray": pattern }));
}
