function part(component) {
  return mount(component, draw);
}

const COLUMNS = {
  cited: { title: "Cited", value: (row) => row.cited || Infinity, number: true },
  quote: { title: "Quote", value: (row) => row.quote },
  page: { title: "Page", value: (row) => row.title || row.url },
  part: { title: "Answers", value: (row) => row.part },
  round: { title: "Round", value: (row) => row.round, number: true },
};

// The ledger: filters stay as they are while rows come in, and rows that were read do not move.
function draw(root, view, context) {
  root.how ??= { sort: "cited", down: false, find: "", part: "" };
  root.again = () => draw(root, root.view, context);
  const rows = Object.entries(view.evidence ?? {}).map(([id, row]) => ({ id, ...row }));
  const table = root.querySelector("table") ?? frame(root);
  parts(root, [...new Set(rows.map((row) => row.part).filter(Boolean))]);
  for (const head of table.querySelectorAll("th")) {
    const own = head.dataset.column === root.how.sort;
    head.setAttribute("aria-sort", own ? (root.how.down ? "descending" : "ascending") : "none");
    head.querySelector(".way").replaceChildren(...(own ? [icon(root.how.down ? "down" : "up", 11)] : []));
  }
  const shown = ordered(rows.filter((row) => fits(row, root.how)), root.how);
  keyed(table.tBodies[0], shown.map((row) => [row.id, { ...row, on: context.opened() === row.id }]), (row) => line(row, context));
  const none = root.querySelector(".none");
  none.hidden = shown.length > 0;
  const over = ["answered", "partial", "abstained", "failed"].includes(view.session?.status);
  none.textContent = rows.length ? "No quote fits these filters." : over ? "No quotes were kept." : "No quotes yet. Each one stands here with its page as soon as it is found.";
  root.querySelector(".dfw").hidden = shown.length === 0;
}

function frame(root) {
  const find = el("input", { type: "search", placeholder: "Find in quotes and pages", "aria-label": "Find in quotes and pages", oninput: (event) => { root.how.find = event.target.value; root.again(); } });
  const part = el("select", { "aria-label": "What a quote answers", onchange: (event) => { root.how.part = event.target.value; root.again(); } });
  const heads = Object.entries(COLUMNS).map(([name, column]) => el("th", { scope: "col", class: column.number ? "n" : "", "data-column": name },
    el("button", { onclick: () => { root.how.down = root.how.sort === name && !root.how.down; root.how.sort = name; root.again(); } }, column.title, el("span", { class: "way" }))));
  const table = el("table", {}, el("caption", {}, "Quotes found, with the pages they stand on"), el("thead", {}, el("tr", {}, heads)), el("tbody"));
  root.append(el("div", { class: "tools" }, el("label", { class: "field" }, icon("find"), find), part),
    el("div", { class: "dfw", tabindex: 0, role: "group", "aria-label": "Evidence" }, table), el("p", { class: "none faint" }));
  return table;
}

const LONG = 48;

function parts(root, names) {
  const said = JSON.stringify(names);
  if (said === root.parts) return;
  root.parts = said;
  const select = root.querySelector("select");
  select.replaceChildren(el("option", { value: "" }, "Any part"), ...names.map((name) => el("option", { value: name }, name.length > LONG ? `${name.slice(0, LONG)}…` : name)));
  select.value = root.how.part;
  select.hidden = names.length < 2;
}

function fits(row, how) {
  const words = how.find.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${row.quote} ${row.title} ${row.url} ${row.section}`.toLowerCase();
  return (!how.part || row.part === how.part) && words.every((word) => text.includes(word));
}

function ordered(rows, how) {
  const { value } = COLUMNS[how.sort];
  const less = (one, other) => (typeof one === "number" ? one - other || 0 : one.localeCompare(other));
  const number = (row) => Number(row.id.replace(/\D/g, ""));
  return rows.sort((one, other) => (how.down ? -1 : 1) * less(value(one), value(other)) || number(one) - number(other));
}

function line(row, context) {
  const mark = row.cited || "–";
  const more = [row.conflicts.length && `conflicts with ${row.conflicts.join(", ")}`, row.agrees.length && `agrees with ${row.agrees.join(", ")}`, row.also.length && plural(row.also.length, "more page")].filter(Boolean).join(" · ");
  return el("tr", { class: row.on ? "sel" : "" },
    el("td", { class: "n" }, el("button", { class: row.on ? "cite on" : "cite", "aria-expanded": String(row.on), "aria-label": row.cited ? `Open citation ${mark}` : `Open quote ${row.id}, not cited`, title: "Show it in its page", onclick: () => context.open(row.id) }, mark)),
    el("td", { class: "q" }, el("span", { class: "clamp", title: row.quote }, `“${flat(row.quote)}”`), more && el("span", { class: row.conflicts.length ? "more c-partial" : "more" }, more)),
    el("td", { class: "pg" }, link(row.url, { class: "clamp2", title: row.url }, row.title || row.url)),
    el("td", {}, el("span", { class: "clamp2", title: row.part }, row.part)), el("td", { class: "n" }, row.round));
}
