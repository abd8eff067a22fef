// What a run has spent of its budget, as meters.
import { applicableKinds, clockOf, describePages, describeTaken, formatMeter, spendTitle } from "../shared/budget";
import { defineRunPart } from "../shared/component";
import { el, updateList } from "../shared/dom";
import type { LimitedKind, Used } from "../shared/run_view";
import { say } from "../shared/language";
import styles from "./meters.css" with { type: "text" };

interface Meter extends Used { kind: LimitedKind; title: string; about: string; spent: string }

const NEAR = 0.8;

export const meters = defineRunPart([styles], (root) => {
  const list = root.appendChild(el("div", { class: "meters", role: "group", "aria-label": say("Budget used") }));
  return (view, { isLive }) => {
    const shown = applicableKinds(view.spend, view.session.model === "offline")
      .map(([kind, used]): Meter => ({ kind, title: spendTitle(kind, used), ...used, about: kind === "seconds" ? describeTaken(view) : kind === "pages" ? describePages(view) : "", spent: kind === "seconds" ? clockOf(view, isLive) : formatMeter(kind, used.used) }))
      .filter(({ used, limit }) => limit !== undefined || used > 0);
    updateList(list, shown.map((meter) => [meter.kind, meter]), meterRow);
  };
});

function meterRow({ kind, title, about, used, limit, spent }: Meter): HTMLElement {
  const near = limit !== undefined && used / limit >= NEAR;
  const text = limit === undefined ? spent : say("{spent} of {limit}", { spent, limit: formatMeter(kind, limit) });
  return el("div", { class: `mrow ${kind}`, title: [near ? say("{spent}: nearly spent", { spent: text }) : text, about].filter(Boolean).join(" · ") },
    el("span", { class: "muted" }, title),
    limit === undefined ? el("span") : bar(title, used, limit, text, near),
    el("span", { class: "v" },
      near && el("span", { class: "warn", "aria-hidden": "true" }, used >= limit ? say("at limit") : say("near limit")), spent,
      limit !== undefined && el("span", { class: "faint" }, ` / ${formatMeter(kind, limit)}`)),
    kind === "pages" && about && el("small", { class: "about faint" }, about));
}

function bar(title: string, used: number, limit: number, text: string, near: boolean): HTMLElement {
  const fill = el("i");
  fill.style.width = `${(Math.min(1, limit ? used / limit : 0) * 100).toFixed(1)}%`;
  const values = { "aria-valuemin": 0, "aria-valuemax": limit, "aria-valuenow": Math.min(used, limit), "aria-valuetext": text };
  return el("div", { class: near ? "meter near" : "meter", role: "meter", "aria-label": title, ...values }, fill);
}
