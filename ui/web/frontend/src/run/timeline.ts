// The steps of a run as they come.
import { defineRunPart } from "../shared/component";
import { el, nodesOf, updateList } from "../shared/dom";
import { formatMoment } from "../shared/format";
import { icon } from "../shared/icons";
import type { RunView, TimelineEntry, TimelineRow } from "../shared/run_view";
import { sign } from "../shared/signs";
import { rowTables } from "./leads";
import { isUnimportant, nodeName, shownEntries, shownText, shownTitle, signOf, summarizeEntry } from "./timeline_rows";
import { later, say, sayCount, sayTold } from "../shared/language";
import styles from "./timeline.css" with { type: "text" };

const NARROW = matchMedia("(max-width: 760px)");
const AT_END = 40; // px from the end of the list that still count as its end
const MOST_ROWS = 8;
const LONG = 150;
const NOTHING_TOLD = /(^|: )nothing relevant on this page$/; // the word for the outcome would say it twice

export const timeline = defineRunPart([styles], (root) => {
  const opened = new Map<string, boolean>();
  const { box, list, jump, now } = frame();
  root.append(box);
  const fit = followRoom(root, list);
  const atEnd = (): boolean => list.scrollHeight - list.scrollTop - list.clientHeight < AT_END;
  const showJump = (): void => { jump.hidden = atEnd(); };
  const toEnd = (): void => { list.scrollTop = list.scrollHeight; };
  list.addEventListener("scroll", showJump);
  jump.addEventListener("click", toEnd);
  return (view, { data }) => {
    const entries = shownEntries(view, data.sites);
    const follow = atEnd();
    updateList(list, entries, (entry, key) => entryRow(entry, key, opened, view));
    fit();
    if (follow) toEnd();
    showJump();
    const last = entries.at(-1)?.[1];
    now.replaceChildren(...nodesOf(last ? [sign(signOf(last), 14), el("span", { class: "clip" }, summarizeEntry(last, view))] : [say("No steps yet")]));
  };
});

// The list ends over the composer, which stays at the foot of the window, as the panel around the list stays at its head.
function followRoom(root: HTMLElement, list: HTMLElement): () => void {
  const home = root.getRootNode();
  const panel = home instanceof ShadowRoot ? home.host.closest<HTMLElement>(".st-key-rail") : null;
  const sizes = new ResizeObserver(() => { fit(); });
  const fit = (): void => {
    const dock = document.querySelector(".st-key-dock")?.parentElement;
    if (!panel) return;
    for (const each of [panel, dock]) if (each) sizes.observe(each);
    const above = list.getBoundingClientRect().top - panel.getBoundingClientRect().top;
    list.style.setProperty("--taken", `${Math.ceil(parseFloat(getComputedStyle(panel).top) + above + (dock?.offsetHeight ?? 0))}px`);
  };
  return fit;
}

// The list scrolls by itself; on a narrow screen it opens from one line that shows the last step.
function frame() {
  const list = el("ol", { class: "tl", "aria-label": say("Timeline"), tabindex: 0 });
  const jump = el("button", { class: "jump", hidden: true }, icon("down", 13), say("Newest"));
  const now = el("span", { class: "row now-line" });
  const box = el("details", { open: !NARROW.matches }, el("summary", { "aria-label": say("Steps of the run") }, now, icon("down")), list, jump);
  NARROW.addEventListener("change", () => { box.open = !NARROW.matches; });
  return { box, list, jump, now };
}

function entryRow(entry: TimelineEntry, key: string, opened: Map<string, boolean>, view: RunView): HTMLElement {
  const running = entry.outcome === "now";
  const inner = Object.values(entry.rows);
  const time = el("time", { title: say("When the step began, in working time") }, running ? say("now") : entry.taken ? say("taken over") : formatMoment(entry.seconds));
  if (isUnimportant(entry)) {
    return el("li", { class: "quiet" }, el("i", { "aria-hidden": "true" }),
      el("div", { class: "t grow" }, el("span", { class: "told" }, el("span", {}, shownTitle(entry)), " ", el("span", {}, sayTold(entry.text))), time));
  }
  return el("li", { class: running ? "on" : "" }, sign(signOf(entry)),
    el("div", { class: "grow" },
      el("div", { class: "t" }, el("span", { class: "clip", title: shownTitle(entry) }, shownTitle(entry)), time),
      description(entry), inner.length > 0 && innerRows(inner, key, view, running ? null : opened)));
}

const OUTCOME_WORDS: Partial<Record<string, string>> = { found: later("Found"), partial: later("Partial"), nothing: later("Nothing"), failed: later("Failed"), interrupted: later("Interrupted") };

function description(entry: TimelineEntry): HTMLElement[] {
  if (entry.outcome === "now" && entry.url) return [];
  const word = entry.url && !(entry.outcome === "nothing" && NOTHING_TOLD.test(entry.text)) && say(OUTCOME_WORDS[entry.outcome] ?? "");
  const text = shownText(entry);
  if (!word && !text) return [];
  const shown = rowTables(text, (words) => el("p", {}, words));
  if (shown.some((node) => node instanceof HTMLTableElement)) return [el("div", { class: "rows" }, shown)];
  const line = el("p", { class: text.length > LONG ? "clamped" : "" },
    word && el("span", { class: `w c-${entry.outcome}` }, word), word && text ? ": " : "", text);
  return text.length > LONG ? [line, moreButton(line)] : [line];
}

function moreButton(line: HTMLElement): HTMLElement {
  const more = el("button", { class: "more", "aria-expanded": "false" }, say("more"));
  more.addEventListener("click", () => {
    const clamped = line.classList.toggle("clamped");
    more.textContent = clamped ? say("more") : say("less");
    more.setAttribute("aria-expanded", String(!clamped));
  });
  return more;
}

// The steps of a round; once it is over they are folded.
function innerRows(rows: TimelineRow[], key: string, view: RunView, opened: Map<string, boolean> | null): HTMLElement {
  const list = el("ol", { class: "sub" }, (opened ? rows : rows.slice(-MOST_ROWS)).map((row) =>
    el("li", { class: row.outcome === "now" ? "on" : "" },
      sign(row.outcome, 13), el("div", {}, el("b", {}, nodeName(row.node, view)), sayTold(row.text)))));
  if (!opened) return list;
  const box = el("details", { class: "steps", open: opened.get(key) ?? false }, el("summary", {}, sayCount(rows.length, "{n} step", "{n} steps")), list);
  box.addEventListener("toggle", () => opened.set(key, box.open));
  return box;
}
