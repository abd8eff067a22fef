// Things to choose one from, each a link of its own: title, words, and what stands aside.
function part({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root") ?? parentElement.appendChild(el("div", { class: "root" }));
  const list = root.querySelector("ol") ?? root.appendChild(el("ol", { class: "picks" }));
  list.setAttribute("aria-label", data.label);
  keyed(list, data.picks.map((pick) => [pick.id, pick]), (pick) => item(pick, data.field, choose(list, pick.id, setTriggerValue)));
  mark(list, data.chosen);
}

function item(pick, field, onclick) {
  return el("li", {}, el("a", { href: pick.href ?? `?${field}=${encodeURIComponent(pick.id)}`, onclick },
    el("span", { class: "row" }, el("b", { class: "grow clip" }, pick.title), pick.aside && el("span", { class: "aside" }, pick.aside)),
    pick.text && el("span", { class: "text" }, pick.text)));
}
