function part({ data, parentElement }) {
  const root = parentElement.querySelector(".root") ?? parentElement.appendChild(el("div", { class: "root" }));
  whenChanged(root, "data", data, () => root.replaceChildren(...drawn(data)));
}

function drawn({ sides, evidence }) {
  const same = sides[0].question === sides[1].question;
  const two = (make) => el("div", { class: "two" }, sides.map((side, at) => make(side, at, same)));
  const both = evidence.filter(({ rounds }) => rounds.every((round) => round !== null)).length;
  const only = [0, 1].map((at) => evidence.filter(({ rounds }) => rounds[at] !== null && rounds[1 - at] === null).length);
  const counts = [both && `${plural(both, "quote")} in both`, only[0] && `${only[0]} only in A`, only[1] && `${only[1]} only in B`].filter(Boolean).join(", ");
  return [
    two(head),
    label("Answer", "what only one of the two says is underlined"), two(answer),
    label("Path", ...[["found", "cited"], ["partial", "quoted"], ["nothing", "nothing kept"]].map(([kind, word]) => el("span", { class: "row" }, sign(kind, 13), word))), two(path),
    label("Evidence", counts || "none in either"), evidence.length ? table(evidence) : null,
    label("Spend", "bars share one scale per row"), two((side, at) => spend(side, at, sides)),
  ].filter(Boolean);
}

const NAMES = ["A", "B"];

// Which of the two it is, where they stand one under the other.
const letter = (at) => el("span", { class: at ? "ab b under" : "ab under", "aria-hidden": "true" }, NAMES[at]);

function label(title, ...beside) {
  return el("div", { class: "lab" }, el("h3", {}, title), beside.map((one) => (typeof one === "string" ? el("span", {}, one) : one)));
}

function head(side, at, same) {
  const [kind, word] = STANDINGS[side.stands] ?? ["nothing", side.stands];
  const when = new Date(side.created * 1000).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  return el("section", { class: "hd", "aria-label": `Session ${NAMES[at]}` }, el("span", { class: at ? "ab b" : "ab" }, NAMES[at]),
    el("div", { class: "grow" }, el("div", { class: "name", title: side.question }, same ? side.graph : side.question),
      el("div", { class: "micro faint" }, [!same && side.graph, side.model, when, side.id].filter(Boolean).join(" · "))),
    el("span", { class: `pill p-${kind}` }, sign(kind, 14), word));
}

function answer(side, at) {
  const text = el("p", { class: "ans" }, side.answer.map(piece));
  const open = side.open.map((what) => el("div", { class: "open" }, sign("nothing", 14), el("span", {}, `Open: ${what}`)));
  return el("div", { "aria-label": `Answer of ${NAMES[at]}`, role: "group" }, letter(at), side.answer.length ? text : el("p", { class: "note" }, "There is no answer."), open);
}

function piece({ text, only, cite }) {
  if (cite) return el("span", { class: "cite", role: "img", "aria-label": `Citation ${cite}` }, String(cite));
  return only && text.trim() ? el("ins", {}, text) : text;
}

function path(side, at) {
  if (!side.path.length) return el("p", { class: "note" }, "No page was visited.");
  return el("div", {}, letter(at), el("ol", { class: "strip", "aria-label": `Path of ${NAMES[at]}`, tabindex: "0" }, side.path.map((page) =>
    el("li", { title: `${page.title}\n${page.url}` }, sign(page.sign, 18), el("span", { class: "stop" }, page.title)))));
}

function table(rows) {
  const cell = (round) => el("td", {}, el("span", { class: "row" }, sign(round === null ? "nothing" : "found", 13), round === null ? "Not found" : round ? `Visit ${round}` : "Known before"));
  return el("div", { class: "dfw", tabindex: "0", role: "region", "aria-label": "Evidence of both" }, el("table", { class: "df" },
    el("thead", {}, el("tr", {}, ["Quote", "Page", "Answers", ...NAMES].map((title) => el("th", { scope: "col" }, title)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, el("td", { class: "q" }, el("div", { class: "words" }, flat(row.quote))), el("td", { class: "muted" }, link(row.url, { title: row.url }, row.title || row.url)), el("td", {}, row.part), row.rounds.map(cell))))));
}

function spend(side, at, sides) {
  return el("div", { class: at ? "sp y" : "sp" }, letter(at), spendable(side.spend, sides.every(({ model }) => model === "offline")).map(([name, used]) => {
    const most = Math.max(...sides.map((one) => one.spend[name]));
    return el("div", { class: "l" }, el("span", { class: "muted" }, name), el("div", { class: "bar" }, el("i", { style: `width:${most ? (used / most) * 100 : 0}%` })), el("span", { class: "n" }, shown(name, used)));
  }));
}

function shown(name, used) {
  if (name === "Dollars") return `$${used.toFixed(3)}`;
  return name === "Time" ? clock(used) : used.toLocaleString("en");
}
