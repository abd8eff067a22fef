// Cuts a long passage after six lines, with a button that shows the rest.
import { el } from "../shared/dom";
import { say } from "../shared/language";

const LINES = 6;
const SPARED = 2; // as few lines more are shown with the others

const unfolded = new Set<string>(); // the texts of the passages that a reader has opened

// A passage above its button, which is there only if the passage is long.
export function foldPassage(passage: HTMLElement): HTMLElement {
  const key = passage.textContent;
  const button = el("button", { type: "button", class: "unfold", hidden: true, on: { click: () => { show(!unfolded.has(key)); } } });
  const fold = el("div", { class: "fold" }, passage, button);
  const draw = (): void => {
    const line = parseFloat(getComputedStyle(passage).lineHeight);
    const isLong = passage.scrollHeight > (LINES + SPARED) * line;
    const isCut = isLong && !unfolded.has(key);
    passage.style.maxHeight = isCut ? `${LINES * line}px` : "";
    fold.classList.toggle("cut", isCut);
    button.hidden = !isLong;
    button.setAttribute("aria-expanded", String(!isCut));
    button.textContent = isCut ? say("Show more") : say("Show less");
  };
  const show = (whole: boolean): void => {
    if (whole) unfolded.add(key); else unfolded.delete(key);
    draw();
  };
  passage.addEventListener("focusin", () => { show(true); }); // what has the focus is never cut off
  new ResizeObserver(draw).observe(passage);
  return fold;
}
