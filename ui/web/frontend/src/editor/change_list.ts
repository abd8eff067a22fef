// What was added, removed and changed.
import { figureStyles, note } from "../figures/figure";
import { definePart } from "../shared/component";
import { createChangeCheck, el } from "../shared/dom";
import type { Child } from "../shared/dom";
import { later, say } from "../shared/language";
import { describeValue, nameChange } from "../sessions/state_words";
import styles from "./change_list.css" with { type: "text" };

export interface Change { sign: "+" | "-" | "~"; what: string; before: string; after: string }
interface ChangeListData { changes: Change[]; none?: string; state?: boolean } // state: of a run, not of a graph

const SIGNS = {
  "+": { word: later("added"), shown: "+", class: "add" },
  "-": { word: later("removed"), shown: "−", class: "gone" },
  "~": { word: later("changed"), shown: "~", class: "alter" },
};

export const change_list = definePart<ChangeListData>([figureStyles, styles], (root) => {
  const changed = createChangeCheck();
  return ({ data: { changes: given, none, state } }) => {
    const changes = state ? given.map(inWords) : given;
    if (changed(changes)) root.replaceChildren(changes.length ? listOf(changes) : note(none ?? say("This step changed nothing in the state.")));
    return undefined;
  };
});

function inWords({ sign, what, before, after }: Change): Change {
  return { sign, what: nameChange(what), before: describeValue(before), after: describeValue(after) };
}

function listOf(changes: readonly Change[]): HTMLElement {
  return el("ul", { class: "changes", "aria-label": say("What changed") }, changes.map((change) => {
    const { word, shown, class: kind } = SIGNS[change.sign];
    return el("li", { class: kind },
      el("span", { class: "s", role: "img", "aria-label": say(word) }, shown), el("span", { class: "k" }, change.what), el("span", {}, values(change)));
  }));
}

function values({ before, after }: Change): Child {
  return before && after ? [asWords(before), el("span", { class: "faint" }, " → "), asWords(after)] : asWords(after || before);
}

// What stands in quotation marks are a page's own words.
function asWords(text: string): Child {
  return /^[“„"].*[”“"]/s.test(text) ? el("span", { class: "qv" }, text) : text;
}
