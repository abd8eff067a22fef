// Instructions beside those that are shipped: what is gone is struck, what is new underlined.
function part({ data, parentElement }) {
  const root = parentElement.querySelector(".root") ?? parentElement.appendChild(el("div", { class: "root" }));
  root.replaceChildren(
    side("As shipped", data.before, "del"),
    side("In this graph", data.after, "ins"),
  );
}

function side(title, pieces, mark) {
  return el("section", { "aria-label": title }, el("h3", {}, title), el("p", { class: "told" },
    pieces.map(({ text, only }) => (only && text.trim() ? el(mark, {}, text) : text))));
}
