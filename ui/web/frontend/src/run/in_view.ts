// Brings what it stands in into view, once, unless it is there already.
import { definePart } from "../shared/component";
import styles from "./in_view.css" with { type: "text" };

export const in_view = definePart([styles], (root) => {
  requestAnimationFrame(() => { root.scrollIntoView({ block: "nearest" }); });
  return () => undefined;
});
