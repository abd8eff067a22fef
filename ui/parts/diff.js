function part({ data, parentElement }) {
  const root = parentElement.querySelector(".root") ?? parentElement.appendChild(el("div", { class: "root" }));
  whenChanged(root, "changes", data.changes, () => root.replaceChildren(data.changes.length ? list(data.changes) : el("p", { class: "note" }, data.none ?? "Nothing of the state changed here.")));
}

const WORD = { "+": "added", "-": "removed", "~": "changed" };
const SHOWN = { "+": "+", "-": "−", "~": "~" };
const KIND = { "+": "add", "-": "gone", "~": "alter" };

function list(changes) {
  return el("ul", { class: "changes", "aria-label": "What changed" }, changes.map((change) =>
    el("li", { class: KIND[change.sign] },
      el("span", { class: "s", role: "img", "aria-label": WORD[change.sign] }, SHOWN[change.sign]),
      el("span", { class: "k" }, change.what), said(change))));
}

function said({ before, after }) {
  if (before && after) return el("span", {}, words(before), el("span", { class: "faint" }, " → "), words(after));
  return el("span", {}, words(after || before));
}

// What stands in quotes are a page's own words.
function words(text) {
  return /^[“"].*[”"]/s.test(text) ? el("span", { class: "qv" }, text) : text;
}
