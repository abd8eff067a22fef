// The list of keyboard shortcuts: behind a button of the header, and behind `?` wherever no text is typed.
import { definePart } from "./component";
import { el } from "./dom";
import styles from "./shortcuts.css" with { type: "text" };

const SHORTCUTS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  ["On every page", [["N", "New question"], ["?", "This list"], ["Tab", "Next control"], ["Esc", "Close what is open"]]],
  ["Question", [["Ctrl + Enter", "Start"], ["Enter", "Add the site that is typed"], ["Backspace", "Remove the last site"]]],
  ["Map of a site", [["Arrows", "Next page"], ["Enter", "Open it"], ["Shift + Arrows", "Move the map"], ["+  −  0", "Zoom, whole map"]]],
];

export const shortcuts = definePart([styles], (root) => {
  const list = el("dialog", { "aria-label": "Keyboard shortcuts", on: { click: closeFromOutside } },
    el("div", {},
      el("h2", {}, "Keyboard shortcuts"),
      SHORTCUTS.map(([place, keys]) => el("section", {},
        el("h3", {}, place),
        el("dl", {}, keys.map(([key, what]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, what)))))),
      el("p", {}, "The graph editor lists its own keys below the drawing."),
      el("form", { method: "dialog" }, el("button", { type: "submit" }, "Close"))));
  const open = (): void => { if (!list.open) list.showModal(); };
  root.append(el("button", { type: "button", title: "Keyboard shortcuts (?)", "aria-label": "Keyboard shortcuts", on: { click: open } }, "?"), list);
  return () => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || takesText(event)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", pressed);
    return () => { document.removeEventListener("keydown", pressed); };
  };
});

function closeFromOutside(event: MouseEvent): void {
  if (event.target === event.currentTarget && event.currentTarget instanceof HTMLDialogElement) event.currentTarget.close();
}

// Within a shadow root, the target is told by the event's path alone.
function takesText(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}
