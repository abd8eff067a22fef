// What the memory holds: what each item taught, where it was learned, and which sessions used it.
import { definePart } from "../shared/component";
import { el, link, updateList } from "../shared/dom";
import type { Child } from "../shared/dom";
import { formatAge } from "../shared/format";
import { sign } from "../shared/signs";
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
  const list = root.appendChild(el("ol", { class: "items", "aria-label": "Items of the memory" }));
  return ({ data, setTriggerValue }) => {
    updateList(list, data.items.map((item) => [item.id, item]), (item) => listItem(item, () => { setTriggerValue("forget", item.id); }));
    return undefined;
  };
});

function listItem(item: Item, forget: () => void): HTMLElement {
  const age = formatAge(item.time, Date.now() / 1000);
  return el("li", {},
    el("div", { class: "row" }, sign(item.sign), el("b", { class: "grow told" }, item.told || item.outcome), el("time", { datetime: new Date(item.time * 1000).toISOString() }, age),
      el("button", { type: "button", class: "forget", "aria-label": `Forget: ${item.told || item.outcome}`, on: { click: forget } }, "Forget…")),
    el("p", {}, `${item.kind}, ${item.outcome.toLowerCase()}, on `, link(item.url, { title: item.url }, item.page)),
    el("p", {}, "Learned from ", sessionLink(item.session), item.question && item.question !== item.session.name && `, for “${item.question}”`),
    el("p", { class: item.used.length ? "" : "faint" }, describeUses(item.used)));
}

function sessionLink({ id, name }: SessionLink): HTMLElement {
  return name ? el("a", { href: `sessions?session=${encodeURIComponent(id)}` }, name) : el("span", {}, `${id}, which is deleted`);
}

function describeUses(used: readonly SessionLink[]): Child {
  if (!used.length) return "Not used yet";
  const shown = used.slice(0, MOST_USES).flatMap((one, at): Child[] => [at ? ", " : "", sessionLink(one)]);
  const more = used.length - MOST_USES;
  return ["Used in ", shown, more > 0 && ` and ${more} more`];
}
