// In a field of several lines that is part of a form: Enter sends it, Shift and Enter begin a new line.
import { definePart } from "../shared/component";

export const enter_sends = definePart<{ selector: string }>([], () => ({ data: { selector } }) => {
  const send = (event: KeyboardEvent): void => {
    const { target } = event;
    if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (!(target instanceof HTMLTextAreaElement) || !target.matches(selector)) return;
    event.preventDefault();
    event.stopPropagation();
    // Streamlit takes the text over and sends the form on this key alone.
    target.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true }));
  };
  document.addEventListener("keydown", send, true);
  return () => { document.removeEventListener("keydown", send, true); };
});
