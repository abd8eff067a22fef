function part(component) {
  return figure(component, draw);
}

const HIGH = 420, MARGIN = 22;

function draw(root, view, context) {
  const surveys = Object.values(view.timeline ?? {}).filter((entry) => entry.type === "surveyor").map((entry) => [entry.outcome, entry.text]);
  const strange = Object.values(view.visited ?? {}).filter(({ url }) => root.known && !root.known.has(bare(url))).length;
  asked(root, context, "map", [surveys, view.session.turn, strange, Object.keys(view.arms ?? {}).length], (sites) => {
    root.sites = sites;
    root.known = new Set(sites.flatMap((site) => site.url.map(bare)));
    root.redraw();
  });
  if (!root.sites) return void (root.firstChild ?? root.append(el("p", { class: "note" }, "The map is being drawn.")));
  const at = Math.min(root.at ?? 0, root.sites.length - 1);
  whenChanged(root, "site", [root.sites.map((site) => [site.site, site.pages]), at], () => frame(root, at, context.data.handbook));
  whenChanged(root, "marks", [view.arms, view.visited, view.evidence, at, root.sites.map((site) => site.pages)], () => root.map?.mark(view));
}

function frame(root, at, handbook) {
  const site = root.sites[at];
  root.map = null;
  if (!site || site.url.length < 2) return root.replaceChildren(heading("Where it looked", ""), el("p", { class: "note" }, "No site has been mapped yet."));
  root.map = siteMap(root, site);
  const button = (label, words, act) => el("button", { class: "tool", "aria-label": words, title: words, onclick: act }, label);
  const tools = el("span", { class: "tools" }, button("+", "Zoom in", () => root.map.zoom(0.7)), button("−", "Zoom out", () => root.map.zoom(1 / 0.7)), button("Whole", "Show the whole site", () => root.map.whole()));
  const yellow = svg("svg", { width: 14, height: 14, "aria-hidden": "true" }, svg("circle", { cx: 7, cy: 7, r: 7, fill: "var(--mark)" }), svg("circle", { cx: 7, cy: 7, r: 4, fill: "var(--surface)", stroke: "var(--partial)", "stroke-width": 1.5 }));
  root.replaceChildren(
    heading("Where it looked", said(site), tools), ...sites(root, at, handbook), root.map.node, root.map.output, root.map.card,
    legend([], el("span", {}, yellow, "Evidence here"), el("span", {}, dashes("var(--accent)", "4 3", 1.6), "Order of visits"), el("span", {}, dashes("var(--ink-2)", "", 1.6), "Way from the root")),
    twin(root, `Pages of ${site.site}`, ["Page", "Address", "Links deep", "Arm", "Visit", "Quotes"], () => root.map.rows()));
  root.map.whole();
}

function said(site) {
  const deep = Math.max(...site.depth);
  const left = site.left_out ? `; ${plural(site.left_out, "page")} left out here` : "";
  return `${plural(site.pages, "page")}, ${plural(deep, "link")} deep${site.complete ? "" : ", not all of the site"}${left}`;
}

// Which of several sites is shown.
function sites(root, at, handbook) {
  if (root.sites.length < 2) return [];
  const choose = (place) => () => { root.at = place; root.redraw(); };
  return [el("div", { class: "seg", role: "group", "aria-label": "Site" }, root.sites.map((site, place) =>
    el("button", { class: "mode", "aria-pressed": String(place === at), onclick: choose(place) }, host(site.site, handbook), el("span", { class: "faint" }, ` ${site.pages}`))))];
}

// One spelling of an address, for looking pages up.
const bare = (url) => url.replace(/#.*$/, "").replace(/\/(index\.html?)?$/, "");

function siteMap(root, site) {
  const count = site.url.length, places = new Map(site.url.map((url, page) => [bare(url), page]));
  const reach = MARGIN + Math.max(...site.x.map(Math.abs), ...site.y.map(Math.abs));
  const box = { x: Math.min(...site.x) - MARGIN, y: Math.min(...site.y) - MARGIN, w: Math.max(...site.x) - Math.min(...site.x) + 2 * MARGIN, h: Math.max(...site.y) - Math.min(...site.y) + 2 * MARGIN };
  const edges = site.parent.map((up, page) => (up < 0 ? "" : `M${site.x[up]},${site.y[up]}L${site.x[page]},${site.y[page]}`)).join("");
  const dots = svg("g", { class: "pages" }, site.url.map((_, page) => svg("circle", { cx: site.x[page], cy: site.y[page], class: page ? "page" : "page root-page", "data-page": page })));
  const marks = svg("g"), ring = svg("circle", { class: "ring", r: 0 });
  const node = svg("svg", { class: count > 800 ? "map many" : "map", tabindex: 0, role: "group", "aria-label": `Site map of ${site.site}: ${said(site)}. Arrow keys go from page to page, Enter opens one, plus and minus zoom.` }, svg("path", { class: "edges", d: edges }), dots, marks, ring);
  const output = el("output", { class: "told", "aria-live": "polite" }), card = el("div", { class: "cardroom" });
  let seen = { ...box }, at = 0, view = null;

  const scale = () => Math.max(seen.w / (node.clientWidth || 800), seen.h / (node.clientHeight || HIGH));
  const show = () => {
    node.setAttribute("viewBox", `${seen.x} ${seen.y} ${seen.w} ${seen.h}`);
    node.style.setProperty("--k", String(scale()));
    if (view) drawMarks();
  };
  const zoom = (by, x = seen.x + seen.w / 2, y = seen.y + seen.h / 2) => {
    const next = Math.min(Math.max(seen.w * by, 30), box.w * 2) / seen.w;
    seen = { x: x - (x - seen.x) * next, y: y - (y - seen.y) * next, w: seen.w * next, h: seen.h * next };
    show();
  };
  const pan = (x, y) => { seen = { ...seen, x: Math.min(Math.max(seen.x + x, -reach - seen.w / 2), reach - seen.w / 2), y: Math.min(Math.max(seen.y + y, -reach - seen.h / 2), reach - seen.h / 2) }; show(); };
  const whole = () => { seen = { ...box }; show(); };
  const name = (page) => site.title[page] || site.url[page];

  const tell = (page) => {
    output.replaceChildren(...(page === null ? ["Point at a page, or use the arrow keys, to see its title."] : [el("b", {}, name(page)), " ", el("span", { class: "faint" }, site.url[page])]));
  };
  const go = (page) => {
    at = page;
    for (const [key, value] of Object.entries({ cx: site.x[page], cy: site.y[page], r: 7 * scale() })) ring.setAttribute(key, value);
    tell(page);
  };
  const arms = (page) => Object.values(view?.arms ?? {}).filter((arm) => places.get(bare(arm.url)) === page);
  const quotes = (page) => Object.values(view?.evidence ?? {}).filter((entry) => places.get(bare(entry.url)) === page);
  const visits = (page) => [...new Set(Object.values(view?.visited ?? {}).filter((visit) => places.get(bare(visit.url)) === page).map((visit) => visit.round))];

  function drawMarks() {
    const k = scale(), visited = Object.values(view.visited ?? {}).map((visit) => places.get(bare(visit.url))).filter((page) => page !== undefined);
    const found = new Set(Object.values(view.evidence ?? {}).map((entry) => places.get(bare(entry.url))).filter((page) => page !== undefined));
    const ranked = Object.values(view.arms ?? {}).map((arm) => ({ ...arm, page: places.get(bare(arm.url)) })).filter((arm) => arm.page !== undefined);
    const badges = laid(ranked, site, 19 * k);
    const spot = new Map(badges.map(({ page, x, y }) => [page, [x, y]]));
    const where = (page) => spot.get(page) ?? [site.x[page], site.y[page]];
    marks.replaceChildren(
      svg("path", { class: "walked", d: ways(site, visited) }),
      ...[...found].map((page) => svg("circle", { cx: where(page)[0], cy: where(page)[1], r: (spot.has(page) ? 14.5 : 8) * k, class: "halo" })),
      ...badges.filter(({ page, x, y }) => x !== site.x[page] || y !== site.y[page]).map(({ page, x, y }) => svg("line", { x1: site.x[page], y1: site.y[page], x2: x, y2: y, class: "lead" })),
      ...visited.filter((page) => !spot.has(page)).map((page) => svg("circle", { cx: site.x[page], cy: site.y[page], r: 4 * k, class: "been", "data-page": page })),
      ...arrows(visited.map((page) => [page, ...where(page)]), k),
      ...badges.map((badge) => number(badge, k)));
  }

  function open(page) {
    const own = arms(page), told = quotes(page), rounds = visits(page);
    const facts = [plural(site.depth[page], "link") + " deep", ...own.map((arm) => `arm ${arm.number}, ${LABELS[arm.sign].toLowerCase()}`), rounds.length && `visit ${rounds.join(", ")}`].filter(Boolean);
    card.replaceChildren(el("section", { class: "card", "aria-label": name(page) },
      el("header", {}, own[0] ? sign(own[0].sign, 15) : null, el("b", { class: "grow" }, name(page)), el("button", { "aria-label": "Close", class: "faint", onclick: () => { card.replaceChildren(); node.focus(); } }, "✕")),
      link(site.url[page], { class: "mono address" }, site.url[page]), el("p", { class: "small muted" }, facts.join(" · ")),
      told.map((entry) => el("blockquote", {}, el("mark", {}, entry.quote.length > 400 ? `${entry.quote.slice(0, 400)}…` : entry.quote)))));
  }

  const page = (event) => { const found = event.target.closest?.("[data-page]"); return found ? Number(found.dataset.page) : null; };
  node.addEventListener("pointerover", (event) => page(event) !== null && tell(page(event)));
  node.addEventListener("pointerleave", () => tell(null));
  node.addEventListener("keydown", (event) => keys(event, { site, count, at: () => at, go, open, zoom, pan, whole, seen: () => seen }));
  node.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && node.getRootNode().activeElement !== node) return;
    event.preventDefault();
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(node.getScreenCTM().inverse());
    zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, spot.x, spot.y);
  }, { passive: false });
  dragging(node, scale, pan, (event) => { if (page(event) !== null) { go(page(event)); open(page(event)); } });
  new ResizeObserver(show).observe(node);
  tell(null);
  return {
    node, output, card, zoom, whole,
    mark: (now) => { view = now; drawMarks(); },
    rows: () => site.url.map((url, at) => [site.title[at], url, site.depth[at], arms(at).map((arm) => arm.number).join(", "), visits(at).join(", "), quotes(at).length || ""]),
  };
}

// The ways from the root to the pages visited.
function ways(site, visited) {
  const walked = new Set();
  for (let page of visited) for (; page > 0 && !walked.has(page); page = site.parent[page]) walked.add(page);
  return [...walked].map((page) => `M${site.x[site.parent[page]]},${site.y[site.parent[page]]}L${site.x[page]},${site.y[page]}`).join("");
}

// Places for the numbers: on their pages, or where one is taken, as near as can be.
function laid(arms, site, apart) {
  const done = [];
  for (const arm of arms) {
    const [px, py] = [site.x[arm.page], site.y[arm.page]];
    let best = [px, py];
    for (let turn = 0; turn < 60 && done.some(({ x, y }) => Math.hypot(x - best[0], y - best[1]) < apart); turn++) {
      const away = apart * (0.6 + turn / 12), angle = Math.atan2(py, px) + (turn % 2 ? 1 : -1) * turn * 0.45;
      best = [px + away * Math.cos(angle), py + away * Math.sin(angle)];
    }
    done.push({ ...arm, x: best[0], y: best[1] });
  }
  return done;
}

function number({ number: own, sign: kind, page, x, y, title, url }, k) {
  const colour = { found: "var(--found)", partial: "var(--partial)", failed: "var(--failed)", now: "var(--accent)", nothing: "var(--nothing)" }[kind] ?? "var(--control)";
  const full = kind === "found";
  const node = svg("g", { class: "arm", "data-page": page },
    svg("circle", { cx: x, cy: y, r: (kind === "unvisited" ? 8.5 : 10) * k, fill: full ? colour : "var(--surface)", stroke: colour, "stroke-width": (kind === "unvisited" ? 1.2 : 2) * k }),
    svg("text", { x, y: y + 3.7 * k, "text-anchor": "middle", "font-size": 10.5 * k, "font-weight": 600, fill: full ? "var(--surface)" : kind === "unvisited" ? "var(--ink-2)" : colour }, String(own)),
    svg("title", {}, `Arm ${own}, ${LABELS[kind] ?? ""}: ${title || url}`));
  return pointable(node, own);
}

// Dashed arrows from each page visited to the next.
function arrows(stops, k) {
  const found = [];
  for (let at = 1; at < stops.length; at++) {
    const [from, x1, y1] = stops[at - 1], [to, x2, y2] = stops[at];
    const far = Math.hypot(x2 - x1, y2 - y1);
    if (from === to || far < 24 * k) continue;
    const [cx, cy] = [(x1 + x2) / 2 - (y2 - y1) * 0.16, (y1 + y2) / 2 + (x2 - x1) * 0.16];
    const begin = Math.atan2(cy - y1, cx - x1), end = Math.atan2(y2 - cy, x2 - cx), room = 12 * k;
    const [bx, by, ex, ey] = [x1 + room * Math.cos(begin), y1 + room * Math.sin(begin), x2 - room * Math.cos(end), y2 - room * Math.sin(end)];
    const wing = (turn) => `${ex - 7 * k * Math.cos(end + turn)},${ey - 7 * k * Math.sin(end + turn)}`;
    found.push(svg("path", { class: "visit", d: `M${bx},${by}Q${cx},${cy} ${ex},${ey}` }), svg("path", { class: "tip", d: `M${wing(0.42)}L${ex},${ey}L${wing(-0.42)}Z` }));
  }
  return found;
}

function keys(event, { site, count, at, go, open, zoom, pan, whole, seen }) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (step && event.shiftKey) pan((step[0] * seen().w) / 8, (step[1] * seen().h) / 8);
  else if (step) go(neighbour(site, count, at(), event.key));
  else if (event.key === "Enter" || event.key === " ") open(at());
  else if (event.key === "+" || event.key === "=") zoom(0.7);
  else if (event.key === "-") zoom(1 / 0.7);
  else if (event.key === "0") whole();
  else return;
  event.preventDefault();
}

// Up to the page above, down to the first below, left and right among those beside it.
function neighbour(site, count, page, key) {
  if (key === "ArrowUp") return Math.max(site.parent[page], 0);
  const below = (up) => Array.from({ length: count }, (_, other) => other).filter((other) => site.parent[other] === up);
  if (key === "ArrowDown") return below(page)[0] ?? page;
  const beside = below(site.parent[page]);
  return beside[(beside.indexOf(page) + (key === "ArrowRight" ? 1 : beside.length - 1)) % beside.length];
}

function dragging(node, scale, pan, click) {
  let last = null, moved = 0;
  node.addEventListener("pointerdown", (event) => { last = [event.clientX, event.clientY]; moved = 0; });
  node.addEventListener("pointermove", (event) => {
    if (!last || !event.buttons) return;
    const [x, y] = [event.clientX - last[0], event.clientY - last[1]];
    moved += Math.abs(x) + Math.abs(y);
    if (moved < 5) return;
    node.setPointerCapture(event.pointerId);
    last = [event.clientX, event.clientY];
    pan(-x * scale(), -y * scale());
  });
  node.addEventListener("pointerup", (event) => { last = null; if (moved < 5) click(event); });
}
