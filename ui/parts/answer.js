export default function (component) {
  return mount(component, draw);
}

const MARK = /\[([^\[\]\n]{1,60})\]/g;

function draw(root, view, context) {
  const numbers = new Map(Object.entries(view.citations ?? {}).map(([number, quote]) => [quote.id, number]));
  const said = JSON.stringify([view.answer, view.citations, view.session.status, root.open]);
  if (said === root.said) return;
  root.said = said;
  root.replaceChildren(...parts(root, view, numbers, context));
}

function parts(root, view, numbers, context) {
  const text = view.answer.text;
  if (!text) return [el("p", { class: "waiting", "aria-live": "polite" }, waiting(view.session))];
  const body = el("div", { class: "answer", "aria-live": "polite" }, text.split(/\n{2,}/).map((block) => el("p", {}, inline(block, numbers, root))));
  const open = root.open && view.citations[root.open];
  return [body, view.answer.caveat && el("p", { class: "faint caveat" }, view.answer.caveat), open && quote(root, root.open, open, context)].filter(Boolean);
}

function waiting(session) {
  const words = { running: "The answer comes to stand here.", abstained: "No page answers this.", failed: session.error, interrupted: "The run was interrupted; it can go on.", waiting: "The run waits for you." };
  return words[session.status] ?? "Nothing was found.";
}

function inline(text, numbers, root) {
  const pieces = [];
  let last = 0;
  for (const match of text.matchAll(MARK)) {
    const found = match[1].split(/[\s,;]+/).map((id) => numbers.get(id));
    if (!found.every(Boolean)) continue;
    pieces.push(text.slice(last, match.index), ...found.map((number) => cite(number, root)));
    last = match.index + match[0].length;
  }
  return [...pieces, text.slice(last)];
}

function cite(number, root) {
  return el("button", {
    class: root.open === number ? "cite on" : "cite", "aria-label": `Citation ${number}`, "aria-expanded": String(root.open === number),
    onclick: () => { root.open = root.open === number ? null : number; root.redraw(); },
  }, number);
}

function quote(root, number, entry, context) {
  const words = el("blockquote", { class: "quote" }, el("mark", {}, entry.quote));
  const place = el("footer", {}, entry.section && el("span", {}, entry.section), el("span", { class: "mono" }, entry.url));
  context.call(`/api/sessions/${encodeURIComponent(root.view.session.id)}/quotes/${encodeURIComponent(entry.id)}`)
    .then((reply) => (reply.ok ? reply.json() : null))
    .then((page) => page && words.replaceChildren(page.before, el("mark", {}, page.quote), page.after), () => {});
  return el("section", { class: "qcard", "aria-label": `Citation ${number} in context` },
    el("header", {}, el("span", { class: "cite on" }, number), el("b", { class: "grow" }, entry.title || entry.url),
      link(entry.url, {}, "Open page"),
      el("button", { "aria-label": "Close citation", class: "faint", onclick: () => { root.open = null; root.redraw(); } }, "✕")),
    words, place);
}
