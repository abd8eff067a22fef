// Gives the focus of a dialog that has just opened to one of its elements, which is drawn before this part.
import { definePart } from "./component";
import { find } from "./dom";

export const first_focus = definePart<{ selector: string }>([], (root) => {
  let given = false;
  return ({ data: { selector } }) => {
    if (!given) find(root.ownerDocument, selector, HTMLElement)?.focus();
    given = true;
    return undefined;
  };
});
