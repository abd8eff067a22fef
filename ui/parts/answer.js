function part(component) {
  return mount(component, draw);
}

function draw(root, view, context) {
  const quotes = numbered(view);
  const opened = quotes.get(context.opened()) ? context.opened() : null;
  const said = JSON.stringify([view.answer, view.citations, view.parts, view.session, view.answer.text ? 0 : view.evidence]);
  if (said === root.said && opened === root.openedHere) return;
  const another = opened !== root.openedHere;
  [root.said, root.openedHere] = [said, opened];
  const card = another || !root.card ? opened && quote(quotes.get(opened), context) : root.card;
  root.card = card;
  root.replaceChildren(...[...body(view, quotes, context), cover(view), card, ...after(view)].filter(Boolean));
  if (card) root.querySelector(".cite.on")?.closest(".answer > p")?.after(card); // beside what it carries
  if (!another || !opened) return;
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

// The quotes by id: cited ones by their number in the answer, before there is one all in their order.
function numbered(view) {
  const cites = Object.entries(view.citations ?? {}).map(([number, quote]) => [quote.id, { ...quote, number }]);
  const rest = Object.entries(view.evidence ?? {}).map(([id, entry]) => [id, { ...entry, id, number: id.replace(/^e/, "") }]);
  return new Map([...(view.answer.text ? rest.map(([id, entry]) => [id, { ...entry, number: "–" }]) : rest), ...cites]);
}

function body(view, quotes, context) {
  const { text, table, caveat } = view.answer;
  const make = (entry) => cite(entry, context);
  if (!text) return draft(view, quotes, make);
  const blocks = table ? [rows(table, quotes, make)] : text.split(/\n+/).map((block) => el("p", {}, cited(block, quotes, make)));
  return [el("div", { class: "answer", role: "region", "aria-label": "Answer", "aria-live": "polite" }, blocks), caveat && el("p", { class: "faint small" }, caveat)];
}

const MOST_DRAFT = 4;

function draft(view, quotes, make) {
  const { status, error } = view.session;
  const words = {
    running: "Reading. What is found comes to stand here.", waiting: "The run waits for your answer above.", abstained: "No page that was read answers this.",
    paused: "Paused before there was an answer. It goes on where it was.",
    interrupted: "Interrupted before there was an answer. It goes on where it was.", failed: error || "The run failed.",
  };
  const best = [...quotes.values()].sort((one, other) => other.confidence - one.confidence).slice(0, MOST_DRAFT);
  const lines = best.map((entry) => el("p", {}, el("span", { class: "words" }, `“${flat(entry.quote)}”`), make(entry)));
  if (lines.length && status !== "failed") {
    return [el("div", { class: "answer draft", role: "region", "aria-label": "Draft" }, lines),
      el("p", { class: "faint small" }, status === "running" ? "Quotes found so far: a draft until there is enough." : words[status])];
  }
  return [el("p", { class: status === "failed" ? "fault row" : "waiting", role: status === "failed" ? "alert" : undefined },
    status === "failed" && sign("failed"), el("span", {}, words[status] ?? "Nothing was found."))];
}

function rows(table, quotes, make) {
  const cell = ({ text, cites }) => [text, ...(cites ?? []).map((id) => quotes.get(id)).filter(Boolean).map(make)];
  return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Answer as a table" }, el("table", {},
    el("thead", {}, el("tr", {}, table.columns.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, table.rows.map((row) => el("tr", {}, row.map((each, place) => (place ? el("td", {}, cell(each)) : el("th", { scope: "row" }, cell(each)))))))));
}

function cite(entry, context) {
  const on = context.opened() === entry.id;
  return el("button", {
    class: on ? "cite on" : "cite", "aria-label": `Citation ${entry.number}: ${entry.title || entry.url}`, "aria-expanded": String(on), title: entry.title || entry.url,
    onclick: () => context.open(entry.id),
  }, entry.number);
}

const LONG = 70;

function cover(view) {
  const parts = Object.entries(view.parts ?? {});
  if (!parts.length || view.answer.table) return null;
  return el("ul", { class: "row wrap cover", "aria-label": "What was looked up" }, parts.map(([text, { quotes, open }]) => {
    const kind = quotes ? (open ? "partial" : "found") : "nothing";
    return el("li", { class: "row part", title: text }, sign(kind, 14), el("b", {}, text.length > LONG ? `${text.slice(0, LONG)}…` : text), plural(quotes, "quote"), open && quotes ? ", still open" : "");
  }));
}

function after(view) {
  const { open, notes, error, status } = view.session;
  const doubts = view.answer.doubts ?? [];
  return [
    status === "failed" && view.answer.text && el("p", { class: "fault row", role: "alert" }, sign("failed"), error),
    told("partial", "Not carried by the quotes", doubts.map(({ sentence, why }) => `${sentence} (${why})`)),
    status !== "running" && told("nothing", "Stayed open", view.answer.text ? open : []),
    told("partial", "To be known", notes),
  ];
}

function told(kind, title, lines) {
  return lines.length > 0 && el("details", { class: "told" }, el("summary", { class: "row" }, sign(kind, 14), `${title} · ${lines.length}`), el("ul", {}, lines.map((line) => el("li", {}, line))));
}

// The page's words without blank lines, and without the marks of its blocks.
function plain(text) {
  return text.replace(BLOCKS, "").replace(/\n\s*\n+/g, "\n");
}

function quote(entry, context) {
  const words = el("blockquote", { class: "quote", tabindex: 0 }, el("mark", {}, plain(entry.quote)));
  const foot = el("footer", {}, el("span", { class: "mono clip" }, path(entry.url)), entry.round ? el("span", {}, `read in round ${entry.round}`) : "", entry.dated && el("span", {}, `dated ${entry.dated}`));
  const way = el("span", {}, open(entry.url));
  context.call(`/api/sessions/${encodeURIComponent(context.data.session)}/quotes/${encodeURIComponent(entry.id)}`)
    .then((reply) => (reply.ok ? reply.json() : null))
    .then((page) => page && placed(page, words, foot, way), () => {});
  return el("section", { class: "qcard", tabindex: -1, "aria-label": `Citation ${entry.number} in its page`, onkeydown: (event) => event.key === "Escape" && context.open(entry.id) },
    el("header", {}, el("span", { class: "cite on" }, entry.number), el("b", { class: "grow" }, entry.title || entry.url), way,
      el("button", { "aria-label": "Close citation", class: "faint", onclick: () => context.open(entry.id) }, icon("close"))),
    words, foot);
}

function placed(page, words, foot, way) {
  const mark = el("mark", {}, plain(page.quote));
  words.replaceChildren(plain(page.before), mark, plain(page.after));
  words.scrollTop = mark.offsetTop - words.offsetTop - 48;
  const bar = el("span", { class: "pos", "aria-hidden": "true" }, el("i"));
  bar.firstChild.style.left = `${page.share * 100}%`;
  foot.prepend(page.stands
    ? el("span", { class: "row tight" }, sign("found", 13), "Word for word on the page")
    : el("span", { class: "row tight" }, sign("partial", 13), "The stored page is not there any more"));
  if (page.stands) foot.children[0].after(el("span", { class: "row" }, bar, `${Math.round(page.share * 100)} % down the page`));
  way.replaceChildren(open(page.link));
}

function open(url) {
  return link(url, { class: "row tight open" }, "Open page", icon("out"));
}

function path(url) {
  return url.replace(/^https?:\/\/[^/]+/, "") || "/";
}
