// On a phone, a way back to the question from far below it.
import { definePart } from "../shared/component";
import { createChangeCheck, el, find } from "../shared/dom";
import { icon } from "../shared/icons";
import { say } from "../shared/language";
import styles from "./to_top.css" with { type: "text" };

const FAR = 1; // of the height of the window

export const to_top = definePart([styles], (root) => {
  const changed = createChangeCheck();
  const page = find(document, ".stMain", HTMLElement);
  const button = el("button", { class: "up", type: "button", title: say("To the top"), "aria-label": say("To the top"), hidden: true, on: { click: () => { page?.scrollTo({ top: 0 }); } } }, icon("up"));
  root.append(button);
  const look = (): void => {
    const far = page !== null && page.scrollTop > page.clientHeight * FAR;
    if (changed([far])) button.hidden = !far;
  };
  return () => {
    page?.addEventListener("scroll", look, { passive: true });
    look();
    return () => page?.removeEventListener("scroll", look);
  };
});
