// Instructions beside those that are shipped: what was removed is struck out, what is new underlined.
import { definePart } from "../shared/component";
import { el } from "../shared/dom";
import type { Piece } from "../sessions/compared_answer";
import { say } from "../shared/language";
import styles from "./prompt_diff.css" with { type: "text" };

interface PromptDiffData { before: Piece[]; after: Piece[] }

export const prompt_diff = definePart<PromptDiffData>([styles], (root) => ({ data }) => {
  root.replaceChildren(side(say("As shipped"), data.before, "del"), side(say("In this method"), data.after, "ins"));
  return undefined;
});

function side(title: string, pieces: readonly Piece[], mark: "del" | "ins"): HTMLElement {
  return el("section", { "aria-label": title }, el("h3", {}, title),
    el("p", { class: "told" }, pieces.map(({ text, only }) => (only && text.trim() ? el(mark, {}, text) : text))));
}
