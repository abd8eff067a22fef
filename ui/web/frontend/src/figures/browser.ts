// The last screenshot of the page in the browser, and what was done there.
import { createChangeCheck, el, find, link, updateList } from "../shared/dom";
import type { BrowserAction } from "../shared/run_view";
import { sign } from "../shared/signs";
import { ThrottledFetch } from "../shared/throttled_fetch";
import { dataTable } from "./data_table";
import { defineFigure, figureHead, note } from "./figure";
import { language, say, sayCount } from "../shared/language";
import styles from "./browser.css" with { type: "text" };

interface Screenshot { image: string; kind: string; time: number; what: string; url: string }

export const browser = defineFigure([styles], (root) => {
  const shot = new ThrottledFetch<Partial<Screenshot>>({});
  const changed = createChangeCheck();
  return (view, run) => {
    const actions = Object.entries(view.actions);
    shot.refresh(run, "screenshot", [actions.length, view.session.pleas, view.session.turn]);
    if (!changed([actions, shot.value, view.session.status])) return;
    if (!actions.length && !shot.value.image) {
      root.replaceChildren(note(say("No browser was needed so far: pages were read without one.")));
      return;
    }
    const list = find(root, "ol", HTMLOListElement) ?? el("ol", { class: "acts", "aria-label": say("Actions in the browser, newest first") });
    updateList(list, actions.toReversed(), actionRow);
    root.replaceChildren(figureHead(say("In the browser"), sayCount(actions.length, "{n} action", "{n} actions")), picture(shot.value), list,
      dataTable(root, say("Actions in the browser"), [say("Visit"), say("What"), say("Outcome"), say("Led to"), say("Why it failed"), say("Changed")],
        () => actions.map(([, act]) => [act.round, act.what, act.outcome, act.url, act.why, act.changed])));
  };
});

function picture({ image, kind = "", time = 0, what = "", url = "" }: Partial<Screenshot>): HTMLElement {
  if (!image) return note(say("No screenshot was kept."));
  const when = new Date(time * 1000).toLocaleTimeString(language());
  return el("figure", {}, el("img", { src: `data:${kind};base64,${image}`, alt: say("The page: {what}", { what }) }),
    el("figcaption", {}, el("b", {}, what), ` · ${when} · `, link(url, { class: "mono" }, url)));
}

function actionRow(act: BrowserAction): HTMLElement {
  const remark = act.why ?? act.changed;
  return el("li", {}, sign(act.outcome === "failed" ? "failed" : "done", 15), el("div", { class: "grow" },
    el("div", { class: "what" }, act.what, act.changed && el("span", { class: "changed" }, say("changed something"))),
    act.url && link(act.url, { class: "mono led clip", title: act.url }, act.url),
    remark && el("p", {}, remark)), el("span", { class: "micro faint" }, say("visit {round}", { round: act.round })));
}
