// What every component of a run shares: one stream per session, text nodes only, signs.
const shared = (globalThis.foragerRuns ??= new Map());

// The view of a session, kept up to date for as long as somebody listens.
function follow(session, token, listener) {
  const key = `${session} ${token}`;
  let run = shared.get(key);
  if (!run) {
    run = { session, token, view: null, lost: false, listeners: new Set(), stop: new AbortController() };
    shared.set(key, run);
    listen(run).finally(() => shared.delete(key));
  }
  run.listeners.add(listener);
  if (run.view) listener(run.view, run.lost);
  return () => {
    run.listeners.delete(listener);
    setTimeout(() => run.listeners.size || run.stop.abort(), 1000);
  };
}

async function listen(run) {
  while (!run.stop.signal.aborted) {
    try {
      const reply = await call(run, `/api/sessions/${encodeURIComponent(run.session)}/live`);
      if (reply.status === 404) return;
      if (!reply.ok) throw new Error(reply.statusText);
      await read(run, reply.body.pipeThrough(new TextDecoderStream()).getReader());
      if (run.view?.session.status === "deleted") return;
    } catch {
      if (run.stop.signal.aborted) return;
    }
    run.lost = true;
    tell(run);
    await new Promise((done) => setTimeout(done, 1000));
  }
}

function call(run, path) {
  return fetch(path, { headers: { authorization: `Bearer ${run.token}` }, signal: run.stop?.signal });
}

async function read(run, reader) {
  let rest = "", whole = true;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines.filter(Boolean)) {
      run.view = patched(whole ? {} : run.view, JSON.parse(line));
      whole = run.lost = false;
    }
    if (run.view) tell(run);
  }
}

function tell(run) {
  for (const listener of run.listeners) if (run.view) listener(run.view, run.lost);
}

// JSON merge patch, RFC 7396.
function patched(document, change) {
  const result = { ...document };
  for (const [name, value] of Object.entries(change)) {
    const old = result[name];
    if (value === null) delete result[name];
    else if (typeof value !== "object" || Array.isArray(value)) result[name] = value;
    else result[name] = patched(typeof old === "object" && !Array.isArray(old) ? old : {}, value);
  }
  return result;
}

// An element; its children are nodes or text, never HTML.
function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false && child !== ""));
  return node;
}

function svg(tag, properties = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) if (value !== undefined) node.setAttribute(name, value);
  node.append(...children.flat());
  return node;
}

// Only addresses of the web lead anywhere.
function link(url, properties, ...children) {
  const safe = /^https?:\/\//i.test(url);
  return safe
    ? el("a", { href: url, target: "_blank", rel: "noopener noreferrer", ...properties }, ...children)
    : el("span", properties, ...children);
}

// The parts of a list under their keys: made anew only where their data changed, never moved.
function keyed(parent, entries, make) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let last = null;
  for (const [key, data] of entries) {
    const said = JSON.stringify(data);
    let node = old.get(key);
    if (!node || node.said !== said) {
      const fresh = make(data, key);
      fresh.dataset.key = key;
      fresh.said = said;
      if (node) node.replaceWith(fresh);
      node = fresh;
    }
    old.delete(key);
    const place = last ? last.nextSibling : parent.firstChild;
    if (place !== node) parent.insertBefore(node, place);
    last = node;
  }
  for (const gone of old.values()) gone.remove();
}

// Outcomes are shape, word and colour.
const WORDS = {
  now: "running", found: "found", partial: "partial", nothing: "nothing", failed: "failed",
  asked: "needs approval", interrupted: "interrupted", paused: "paused", unvisited: "not visited", done: "done",
};

function sign(kind, size = 16) {
  const ring = { cx: 8, cy: 8, r: 5.3, fill: "none", stroke: "currentColor", "stroke-width": 1.5 };
  const line = { fill: "none", stroke: "var(--surface)", "stroke-width": 1.7, "stroke-linecap": "round", "stroke-linejoin": "round" };
  const disc = () => svg("circle", { cx: 8, cy: 8, r: 6, fill: "currentColor" });
  const diamond = { d: "M8 1.6 14.4 8 8 14.4 1.6 8Z" };
  const shapes = {
    found: () => [disc(), svg("path", { d: "m5.3 8.2 1.9 1.9 3.6-4", ...line })],
    done: () => [disc(), svg("path", { d: "m5.3 8.2 1.9 1.9 3.6-4", ...line })],
    partial: () => [svg("circle", ring), svg("path", { d: "M8 2.7a5.3 5.3 0 0 0 0 10.6z", fill: "currentColor" })],
    nothing: () => [svg("circle", ring)],
    failed: () => [disc(), svg("path", { d: "m5.8 5.8 4.4 4.4M10.2 5.8l-4.4 4.4", ...line })],
    unvisited: () => [svg("circle", { ...ring, "stroke-dasharray": "2 2.2" })],
    now: () => [svg("circle", { ...ring, "stroke-opacity": 0.3, "stroke-width": 1.8 }),
      svg("path", { d: "M8 2.7A5.3 5.3 0 0 1 13.3 8", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", class: "turning" })],
    asked: () => [svg("path", { ...diamond, fill: "currentColor" }), svg("path", { d: "M8 5v3.6M8 10.9v.1", ...line })],
    interrupted: () => [svg("path", { ...diamond, fill: "none", stroke: "currentColor", "stroke-width": 1.5 }),
      svg("path", { d: "M8.6 4.6 6.4 8.4h3.2l-2.2 3", fill: "none", stroke: "currentColor", "stroke-width": 1.3, "stroke-linejoin": "round" })],
    paused: () => [svg("circle", ring), svg("path", { d: "M6.5 5.8v4.4M9.5 5.8v4.4", fill: "none", stroke: "currentColor", "stroke-width": 1.6 })],
  };
  const known = shapes[kind] ? kind : "nothing";
  return svg("svg", { class: `sign c-${known}`, width: size, height: size, viewBox: "0 0 16 16", role: "img", "aria-label": WORDS[known] }, shapes[known]());
}

// How a session stands: its sign and its word.
const STANDINGS = {
  running: ["now", "Running"], waiting: ["asked", "Waits for you"], paused: ["paused", "Paused"], interrupted: ["interrupted", "Interrupted"],
  answered: ["found", "Answered"], partial: ["partial", "Partly answered"], empty: ["nothing", "Nothing found"],
  abstained: ["nothing", "No page answers it"], failed: ["failed", "Failed"],
};

// Of what can be spent, by kind, what a model would have to be called for: rules take none of it.
const OF_MODELS = new Set(["calls", "tokens", "dollars"]);
function spendable(kinds, offline) {
  return Object.entries(kinds).filter(([kind]) => !offline || !OF_MODELS.has(kind.toLowerCase()));
}

// Words with the name of the handbook, whose port is of no interest, in the place of its address.
function named(text, handbook) {
  const root = (handbook ?? "").replace(/\/$/, "");
  return root ? text.replaceAll(root, "Handbook").replaceAll(root.replace(/^https?:\/\//, ""), "Handbook") : text;
}

// A site by its host and path.
function host(url, handbook) {
  return named(url, handbook).replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
}

function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

// An answer's text with what stands behind its citations: `make` turns a quote into a node.
const CITED = /\[([^\[\]\n]{1,60})\]/g;
function cited(text, quotes, make) {
  const pieces = [];
  let last = 0;
  for (const match of text.matchAll(CITED)) {
    const found = match[1].split(/[\s,;]+/).map((id) => quotes.get(id));
    if (!found.every(Boolean)) continue; // brackets of the text itself
    pieces.push(text.slice(last, match.index), ...found.map(make));
    last = match.index + match[0].length;
  }
  return [...pieces, text.slice(last)];
}

// A quote in one line, without the marks of its page's blocks: headings, items, rows, code.
const BLOCKS = /^ *(?:#{1,6}|-|\||`{3,}\w*)(?: +|$)/gm;
function flat(text) {
  return text.replace(BLOCKS, "").trim().replace(/\s*\n\s*/g, " · ");
}

function plural(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

// Icons of what can be done, and of what a run is made of.
const ICONS = {
  globe: ["M3.5 10h13M10 3.5c2.2 2 2.8 4 2.8 6.5s-.6 4.5-2.8 6.5c-2.2-2-2.8-4-2.8-6.5s.6-4.500 2.8-6.500z", [10, 10, 6.5]],
  graph: ["m6.8 9 6.3-3.2M6.8 11l6.3 3.2", [5, 10, 2], [15, 5, 2], [15, 15, 2]],
  chip: ["M5.5 7a1.500 1.500 0 0 1 1.500-1.500h6A1.500 1.500 0 0 1 14.500 7v6a1.500 1.500 0 0 1-1.500 1.500H7A1.500 1.500 0 0 1 5.500 13zM8 3v2.500M12 3v2.500M8 14.500V17M12 14.500V17M3 8h2.500M3 12h2.500M14.500 8H17M14.500 12H17"],
  out: ["M11.5 4H16v4.500M16 4l-7 7M13.500 11.500V15a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7.500a1 1 0 0 1 1-1h3.500"],
  close: ["m5.5 5.5 9 9M14.5 5.5l-9 9"],
  find: ["m12.8 12.8 3.4 3.4", [9, 9, 4.8]],
  up: ["m6 12 4-4 4 4"], down: ["m6 8 4 4 4-4"],
};

function icon(name, size = 15) {
  const [path, ...circles] = ICONS[name];
  const line = { fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-linecap": "round", "stroke-linejoin": "round" };
  return svg("svg", { width: size, height: size, viewBox: "0 0 20 20", "aria-hidden": "true", ...line },
    svg("path", { d: path }), circles.map(([cx, cy, r]) => svg("circle", { cx, cy, r })));
}

// What a press on a link of a list of things to choose from does.
function choose(list, id, setTriggerValue) {
  return (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return; // the browser opens another tab
    event.preventDefault();
    mark(list, id);
    setTriggerValue("chosen", id);
  };
}

function mark(list, id) {
  for (const one of list.children) {
    const chosen = one.dataset.key === id;
    one.classList.toggle("sel", chosen);
    chosen ? one.firstChild.setAttribute("aria-current", "true") : one.firstChild.removeAttribute("aria-current");
  }
}

// A part that is drawn anew with each change of its data. Streamlit calls what it returned only the
// last time, or at once where a newer change overtook it: so each drawing ends what the one before
// it has begun, and the last one's end is that of the part, once it is gone from the page.
function lasting(part) {
  const begun = new WeakMap();
  return (component) => {
    const place = component.parentElement;
    const end = () => { begun.get(place)?.(); begun.delete(place); };
    end();
    begun.set(place, part(component));
    return () => { if (!place.isConnected) end(); };
  };
}

// Mounts a component that draws a run: `draw(root, view, context)` on every change of its view.
function mount({ data, parentElement, setStateValue, setTriggerValue }, draw) {
  const root = parentElement.querySelector(".root") ?? parentElement.appendChild(el("div", { class: "root" }));
  const run = () => shared.get(`${data.session} ${data.token}`);
  const context = {
    data, setStateValue, setTriggerValue,
    call: (path) => call({ token: data.token }, path),
    opened: () => run()?.opened, // the quote that is open, by its id: the same in all components
    open: (id) => { run().opened = run().opened === id ? null : id; tell(run()); },
  };
  root.redraw = () => root.view && draw(root, root.view, context);
  root.view ??= data.first; // what the script knew, so that something stands there at once
  root.redraw();
  return follow(data.session, data.token, (view, lost) => {
    root.view = view;
    root.classList.toggle("lost", lost);
    root.redraw();
  });
}
