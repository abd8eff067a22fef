// A list to choose from, each choice a link with a title, a text, and something aside.
import { definePart } from "../shared/component";
import { el, updateList } from "../shared/dom";
import styles from "./choice_list.css" with { type: "text" };

interface Choice { id: string; title: string; text?: string; aside?: string; href?: string; remove?: string } // remove: what a button beside it does
interface ChoiceListData { label: string; field: string; chosen: string; picks: Choice[]; row?: boolean } // row: beside each other on a narrow screen
type SetTrigger = (name: string, value: unknown) => void;

export const choice_list = definePart<ChoiceListData>([styles], (root) => {
  const list = root.appendChild(el("ol", { class: "picks" }));
  return ({ data, setTriggerValue }) => {
    list.setAttribute("aria-label", data.label);
    list.classList.toggle("row-of", data.row ?? false);
    updateList(list, data.picks.map((choice) => [choice.id, choice]), (choice) => listItem(choice, data.field, onChoose(list, choice.id, setTriggerValue), () => setTriggerValue("removed", choice.id)));
    markChosen(list, data.chosen);
    return undefined;
  };
});

function listItem({ id, title, text, aside, href, remove }: Choice, field: string, onclick: (event: MouseEvent) => void, onremove: () => void): HTMLElement {
  return el("li", { class: Boolean(remove) && "removable" }, el("a", { href: href ?? `?${field}=${encodeURIComponent(id)}`, on: { click: onclick } },
    el("span", { class: "row" }, el("b", { class: "grow clip" }, title), aside && el("span", { class: "aside" }, aside)),
    text && el("span", { class: "text" }, text)),
  remove && el("button", { type: "button", class: "remove", "aria-label": `${remove}: ${title}`, on: { click: onremove } }, remove));
}

// What a click on the link of a choice does; with a modifier key the browser opens another tab.
export function onChoose(list: HTMLElement, id: string, setTrigger: SetTrigger): (event: MouseEvent) => void {
  return (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    markChosen(list, id);
    setTrigger("chosen", id);
  };
}

export function markChosen(list: HTMLElement, id: string): void {
  for (const item of list.children) {
    const chosen = item instanceof HTMLElement && item.dataset.key === id;
    item.classList.toggle("sel", chosen);
    if (chosen) item.firstElementChild?.setAttribute("aria-current", "true");
    else item.firstElementChild?.removeAttribute("aria-current");
  }
}
