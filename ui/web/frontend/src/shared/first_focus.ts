// Gives the focus to one element of the page, once for each `turn`: a dialog that has just opened to its first
// field, whose text is selected, or a form to the field that was asked for.
import { definePart } from "./component";
import { find } from "./dom";

const FRAMES = 60; // that the element may take to be drawn

export const first_focus = definePart<{ selector: string; turn?: number }>([], (root) => {
  let given = 0;
  const give = (selector: string, frames: number): void => {
    const element = find(root.ownerDocument, selector, HTMLElement);
    if (element) {
      element.focus();
      if (element instanceof HTMLInputElement) element.select();
    } else if (frames && root.isConnected) requestAnimationFrame(() => { give(selector, frames - 1); });
  };
  return ({ data: { selector, turn = 1 } }) => {
    if (turn && turn !== given) {
      given = turn;
      give(selector, FRAMES);
    }
    return undefined;
  };
});
