function part({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root") ?? parentElement.appendChild(el("div", { class: "root" }));
  const list = root.querySelector("ol") ?? root.appendChild(el("ol", { class: "rows", "aria-label": "Sessions" }));
  keyed(list, data.rows.map((row) => [row.id, row]), (row) => item(row, choose(list, row.id, setTriggerValue)));
  mark(list, data.chosen);
}

function item(row, onclick) {
  const [kind, word] = STANDINGS[row.stands] ?? ["nothing", row.stands];
  const facts = [row.fork, row.sites, row.graph, row.model, row.spent].filter(Boolean);
  return el("li", {},
    el("a", { href: `?session=${encodeURIComponent(row.id)}`, onclick },
      sign(kind),
      el("span", { class: "grow" },
        el("span", { class: "what" }, row.title),
        el("span", { class: "facts" },
          el("span", { class: "said" }, el("b", { class: `c-${kind}` }, word), facts.map((fact) => el("span", {}, fact))),
          el("time", { datetime: new Date(row.created * 1000).toISOString() }, row.stands === "running" ? "now" : age(row.created))))));
}

// How long ago that was, as short as it can be said.
function age(seconds) {
  const then = new Date(seconds * 1000), now = new Date();
  const minutes = (now - then) / 60000;
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${Math.floor(minutes)} min`;
  if (now.toDateString() === then.toDateString()) return `${Math.floor(minutes / 60)} h`;
  const days = Math.round((new Date(now.toDateString()) - new Date(then.toDateString())) / 86400000);
  if (days === 1) return "yesterday";
  if (days < 7) return then.toLocaleDateString("en", { weekday: "short" });
  return then.toLocaleDateString("en", { day: "numeric", month: "short", ...(now.getFullYear() === then.getFullYear() ? {} : { year: "numeric" }) });
}
