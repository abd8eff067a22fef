// The list of keyboard shortcuts: behind a button of the header, and behind `?` wherever no text is typed.
import { definePart } from "./component";
import { el } from "./dom";
import { escapeField } from "../editor/field_escape";
import { later, say } from "./language";
import styles from "./shortcuts.css" with { type: "text" };

const DIALOG = "[data-testid=stDialog]";
const SHORTCUTS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [later("On every page"), [["N", later("New question")], ["?", later("This list")], [later("Tab"), later("Next control")], [later("Esc"), later("Close what is open")]]],
  [later("Question"), [[later("Ctrl + Enter"), later("Start")], [later("Enter"), later("Add the site that is typed")], [later("Backspace"), later("Remove the last site")]]],
  [later("Follow-up"), [[later("Enter"), later("Send")], [later("Shift + Enter"), later("New line")]]],
  [later("Map of a site"), [[later("Arrows"), later("Next page")], [later("Enter"), later("Open it")], [later("Shift + Arrows"), later("Move the map")], ["+  −  0", later("Zoom, whole map")]]],
];

export const shortcuts = definePart([styles], (root) => {
  const list = el("dialog", { "aria-label": say("Keyboard shortcuts"), on: { click: closeFromOutside } },
    el("div", {},
      el("h2", {}, say("Keyboard shortcuts")),
      SHORTCUTS.map(([place, keys]) => el("section", {},
        el("h3", {}, say(place)),
        el("dl", {}, keys.map(([key, what]) => el("div", {}, el("dt", {}, el("kbd", {}, say(key))), el("dd", {}, say(what))))))),
      el("p", {}, say("The method editor lists its own keys below the drawing.")),
      el("form", { method: "dialog" }, el("button", { type: "submit" }, say("Close")))));
  const open = (): void => { if (!list.open) list.showModal(); };
  root.append(el("button", { type: "button", title: say("Keyboard shortcuts (?)"), "aria-label": say("Keyboard shortcuts"), on: { click: open } }, "?"), list);
  return () => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || takesText(event)) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", holdBack, true);
    document.addEventListener("keydown", pressed);
    document.addEventListener("keydown", escapeField);
    return () => {
      window.removeEventListener("keydown", holdBack, true);
      document.removeEventListener("keydown", pressed);
      document.removeEventListener("keydown", escapeField);
    };
  };
});

function closeFromOutside(event: MouseEvent): void {
  if (event.target === event.currentTarget && event.currentTarget instanceof HTMLDialogElement) event.currentTarget.close();
}

// While a dialog is open, the keys of the page behind it do nothing.
function holdBack(event: KeyboardEvent): void {
  if (!isShortcut(event) || takesText(event)) return;
  const inside = event.composedPath().some((node) => node instanceof HTMLDialogElement && node.open);
  if (inside || document.querySelector(DIALOG)) event.stopImmediatePropagation();
}

function isShortcut({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey;
}

// Within a shadow root, the target is told by the event's path alone.
function takesText(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}
