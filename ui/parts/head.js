function part(component) {
  return mount(component, draw);
}

function draw(root, view, context) {
  const { session } = view;
  const said = JSON.stringify([session, view.turns]);
  if (said === root.said) return;
  root.said = said;
  const turns = Object.values(view.turns ?? {});
  root.replaceChildren(...[
    meta(session, context.data.handbook),
    turns.length > 0 && el("section", { class: "turns", "aria-label": "Earlier questions" }, turns.map(earlier)),
    el("h1", {}, session.question),
    session.meant && el("p", { class: "meant" }, el("span", { class: "faint" }, "Read as "), session.meant),
  ].filter(Boolean));
}

function meta(session, handbook) {
  const sites = session.sites.length ? session.sites.map((url) => host(url, handbook)).join(", ") : "the web";
  return el("div", { class: "row wrap meta" },
    piece("globe", "Sites", sites), piece("graph", "Graph", session.graph),
    piece("chip", "Model", session.model, "wide"),
    el("span", { class: "faint wide" }, `started ${when(session.created)}`));
}

function piece(sort, name, text, more = "") {
  return el("span", { class: `row piece ${more}`, title: `${name}: ${text}` }, icon(sort), el("span", { class: "unseen" }, `${name}: `), el("span", { class: "clip" }, text));
}

function when(seconds) {
  const time = new Date(seconds * 1000);
  const hour = time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const today = time.toDateString() === new Date().toDateString();
  return today ? hour : `${time.toLocaleDateString([], { day: "numeric", month: "short" })} ${hour}`;
}

function earlier(turn) {
  const quotes = new Map(turn.citations.map((quote, place) => [quote.id, { ...quote, number: place + 1 }]));
  const mark = (quote) => el("sup", { title: quote.quote }, quote.number);
  return el("details", {},
    el("summary", {}, sign((STANDINGS[turn.stands] ?? ["nothing"])[0], 14), el("span", { class: "grow" }, turn.question)),
    turn.meant && el("p", { class: "meant" }, el("span", { class: "faint" }, "Read as "), turn.meant),
    el("div", { class: "told" }, (turn.answer || "No answer.").split(/\n+/).map((block) => el("p", {}, cited(block, quotes, mark)))),
    el("ol", { class: "sources" }, [...quotes.values()].map((quote) =>
      el("li", {}, el("b", {}, quote.number), link(quote.url, {}, quote.title || quote.url), el("q", {}, quote.quote)))));
}
