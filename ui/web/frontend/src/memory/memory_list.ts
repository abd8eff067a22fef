// What the memory holds: what each item taught, where it was learned, and which sessions used it.
import { definePart } from "../shared/component";
import { el, link, updateList } from "../shared/dom";
import type { Child } from "../shared/dom";
import { formatAge } from "../shared/format";
import { sign } from "../shared/signs";
import { say, sayNodes } from "../shared/language";
import styles from "./memory_list.css" with { type: "text" };

interface SessionLink { id: string; name: string }
interface Item {
  id: string;
  kind: string;
  sign: string;
  outcome: string;
  told: string;
  question: string;
  url: string;
  page: string;
  time: number;
  session: SessionLink;
  used: SessionLink[];
}
interface MemoryListData { items: Item[] }

const MOST_USES = 3;

export const memory_list = definePart<MemoryListData>([styles], (root) => {
  const list = root.appendChild(el("ol", { class: "items", "aria-label": say("Items of the memory") }));
  return ({ data, setTriggerValue }) => {
    updateList(list, data.items.map((item) => [item.id, item]), (item) => listItem(item, () => { setTriggerValue("forget", item.id); }));
    return undefined;
  };
});

function listItem(item: Item, forget: () => void): HTMLElement {
  const age = formatAge(item.time, Date.now() / 1000);
  return el("li", {},
    el("div", { class: "row" }, sign(item.sign), el("b", { class: "grow told" }, item.told || item.outcome), el("time", { datetime: new Date(item.time * 1000).toISOString() }, age),
      el("button", { type: "button", class: "forget", "aria-label": say("Forget: {item}", { item: item.told || item.outcome }), on: { click: forget } }, say("Forget…"))),
    el("p", {}, sayNodes("{kind}, {outcome}, on {page}", { kind: item.kind, outcome: item.outcome.toLowerCase(), page: link(item.url, { title: item.url }, item.page) })),
    el("p", {}, learnedFrom(item), " · ", el("span", { class: item.used.length ? "" : "faint" }, describeUses(item.used))));
}

function learnedFrom({ session, question }: Item): Child[] {
  const link = sessionLink(session);
  if (!question || question === session.name) return sayNodes("Learned from {session}", { session: link });
  return sayNodes("Learned from {session}, for “{question}”", { session: link, question });
}

function sessionLink({ id, name }: SessionLink): HTMLElement {
  return name ? el("a", { href: `sessions?session=${encodeURIComponent(id)}` }, name) : el("span", {}, say("{id}, which is deleted", { id }));
}

function describeUses(used: readonly SessionLink[]): Child {
  if (!used.length) return say("Not used yet");
  const shown = used.slice(0, MOST_USES).flatMap((one, at): Child[] => [at ? ", " : "", sessionLink(one)]);
  const more = used.length - MOST_USES;
  return more > 0 ? sayNodes("Used in {sessions} and {more} more", { sessions: shown, more }) : sayNodes("Used in {sessions}", { sessions: shown });
}
