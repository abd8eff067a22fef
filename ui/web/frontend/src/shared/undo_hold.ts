// Tells when somebody points at a notice that can be undone, or has the focus in it, and when no longer.
import { definePart } from "./component";
import { find } from "./dom";

export const undo_hold = definePart<{ selector: string }>([], (root) => {
  const page = root.ownerDocument;
  let isHeld = false;
  return ({ data: { selector }, setTriggerValue }) => {
    const look = (): void => {
      const notice = find(page, selector, HTMLElement);
      const held = notice !== null && (notice.matches(":hover") || notice.contains(page.activeElement));
      if (held === isHeld) return;
      isHeld = held;
      setTriggerValue("hold", held ? "held" : "released");
    };
    const over = new AbortController();
    for (const event of ["pointerover", "pointerout", "focusin", "focusout"]) page.addEventListener(event, () => { requestAnimationFrame(look); }, { signal: over.signal });
    return () => { over.abort(); };
  };
});
