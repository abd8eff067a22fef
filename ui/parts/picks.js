// Things to choose one from, each a link of its own: title, words, and what stands aside.
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root") ?? parentElement.appendChild(el("div", { class: "root" }));
  const list = root.querySelector("ol") ?? root.appendChild(el("ol", { class: "picks" }));
  list.setAttribute("aria-label", data.label);
  keyed(list, data.picks.map((pick) => [pick.id, pick]), (pick) => item(pick, data.field, (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return; // the browser opens another tab
    event.preventDefault();
    mark(list, pick.id);
    setTriggerValue("chosen", pick.id);
  }));
  mark(list, data.chosen);
}

function mark(list, id) {
  for (const one of list.children) {
    const chosen = one.dataset.key === id;
    one.classList.toggle("sel", chosen);
    chosen ? one.firstChild.setAttribute("aria-current", "true") : one.firstChild.removeAttribute("aria-current");
  }
}

function item(pick, field, onclick) {
  return el("li", {}, el("a", { href: pick.href ?? `?${field}=${encodeURIComponent(pick.id)}`, onclick },
    el("span", { class: "row" }, el("b", { class: "grow clip" }, pick.title), pick.aside && el("span", { class: "aside" }, pick.aside)),
    pick.text && el("span", { class: "text" }, pick.text)));
}
