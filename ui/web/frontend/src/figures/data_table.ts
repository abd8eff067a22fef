// A figure's data as a table, behind a disclosure and made when that is opened.
import { el, find } from "../shared/dom";
import { say } from "../shared/language";

export type Cell = string | number | undefined;

export function dataTable(root: ParentNode, caption: string, head: readonly string[], rows: () => readonly (readonly Cell[])[]): HTMLElement {
  const wasOpen = find(root, "details.twin", HTMLDetailsElement)?.open ?? false;
  const box = el("details", { class: "twin", open: wasOpen }, el("summary", {}, say("As a table")));
  const fill = (): void => {
    if (box.open && !box.querySelector("table")) box.append(table(caption, head, rows()));
  };
  box.addEventListener("toggle", fill);
  fill();
  return box;
}

// Numbers are aligned to the right.
function table(caption: string, head: readonly string[], rows: readonly (readonly Cell[])[]): HTMLElement {
  const cell = (value: Cell) => el("td", { class: typeof value === "number" ? "n" : undefined }, value);
  return el("div", { class: "dfw", tabindex: "0", role: "region", "aria-label": caption },
    el("table", { class: "df" }, el("caption", {}, caption),
      el("thead", {}, el("tr", {}, head.map((title) => el("th", { scope: "col" }, title)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell))))));
}
