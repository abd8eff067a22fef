// Outcomes as shape, word and colour.
import { svg } from "./dom";
import { later, say } from "./language";

export const SIGN_WORDS = {
  now: later("running"), found: later("found"), uncertain: later("uncertain"), unlikely: later("possibly answered"), partial: later("partial"), nothing: later("nothing"), failed: later("failed"),
  asked: later("needs approval"), interrupted: later("interrupted"), paused: later("paused"), unvisited: later("not visited"), done: later("done"),
} as const;
export type SignKind = keyof typeof SIGN_WORDS;

// What became of a page.
const PAGE_LABELS: Partial<Record<string, string>> = {
  now: later("Being visited"), found: later("Found"), partial: later("Partial"), nothing: later("Nothing"), failed: later("Failed"), unvisited: later("Not visited"),
};

export function pageLabel(kind: string): string {
  return say(PAGE_LABELS[kind] ?? "");
}

const RING = { cx: 8, cy: 8, r: 5.3, fill: "none", stroke: "currentColor", "stroke-width": 1.5 };
const LINE = { fill: "none", stroke: "var(--surface)", "stroke-width": 1.7, "stroke-linecap": "round", "stroke-linejoin": "round" };
const DIAMOND = { d: "M8 1.6 14.4 8 8 14.4 1.6 8Z" };

const disc = () => svg("circle", { cx: 8, cy: 8, r: 6, fill: "currentColor" });
const ticked = () => [disc(), svg("path", { d: "m5.3 8.2 1.9 1.9 3.6-4", ...LINE })];

const SHAPES: Record<SignKind, () => SVGElement[]> = {
  found: ticked,
  done: ticked,
  partial: () => [svg("circle", RING), svg("path", { d: "M8 2.7a5.3 5.3 0 0 0 0 10.6z", fill: "currentColor" })],
  uncertain: () => [svg("circle", RING), svg("path", { d: "M6.4 6.7a1.7 1.7 0 1 1 2.3 1.6q-.6.3-.6.9M8.1 10.9v.1", fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "round" })],
  unlikely: () => [svg("circle", RING), svg("path", { d: "M5.4 5.4l5.2 5.2", fill: "none", stroke: "currentColor", "stroke-width": 1.5 })],
  nothing: () => [svg("circle", RING)],
  failed: () => [disc(), svg("path", { d: "m5.8 5.8 4.4 4.4M10.2 5.8l-4.4 4.4", ...LINE })],
  unvisited: () => [svg("circle", { ...RING, "stroke-dasharray": "2 2.2" })],
  now: () => [
    svg("circle", { ...RING, "stroke-opacity": 0.3, "stroke-width": 1.8 }),
    svg("path", { d: "M8 2.7A5.3 5.3 0 0 1 13.3 8", fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", class: "turning" }),
  ],
  asked: () => [svg("path", { ...DIAMOND, fill: "currentColor" }), svg("path", { d: "M8 5v3.6M8 10.9v.1", ...LINE })],
  interrupted: () => [
    svg("path", { ...DIAMOND, fill: "none", stroke: "currentColor", "stroke-width": 1.5 }),
    svg("path", { d: "M8.6 4.6 6.4 8.4h3.2l-2.2 3", fill: "none", stroke: "currentColor", "stroke-width": 1.3, "stroke-linejoin": "round" }),
  ],
  paused: () => [svg("circle", RING), svg("path", { d: "M6.5 5.8v4.4M9.5 5.8v4.4", fill: "none", stroke: "currentColor", "stroke-width": 1.6 })],
};

export function sign(kind: string, size = 16): SVGElement {
  const known: SignKind = kind in SHAPES ? (kind as SignKind) : "nothing";
  return svg("svg", { class: `sign c-${known}`, width: size, height: size, viewBox: "0 0 16 16", role: "img", "aria-label": say(SIGN_WORDS[known]) }, SHAPES[known]());
}

const STATUSES: Partial<Record<string, [SignKind, string]>> = {
  running: ["now", later("Running")],
  waiting: ["asked", later("Needs your approval")],
  paused: ["paused", later("Paused")],
  interrupted: ["interrupted", later("Interrupted")],
  answered: ["found", later("Answered")],
  uncertain: ["uncertain", later("Answered, uncertain")],
  unlikely: ["unlikely", later("Possibly answered")],
  partial: ["partial", later("Partly answered")],
  stopped: ["partial", later("Stopped")],
  empty: ["nothing", later("Ended without an answer")],
  abstained: ["nothing", later("Not found")],
  failed: ["failed", later("Failed")],
};

// The sign and the words for the status of a session.
export function describeStatus(status: string): [SignKind, string] {
  const [kind, words] = STATUSES[status] ?? ["nothing", status];
  return [kind, say(words)];
}

// The colour of an outcome on a figure.
export function outcomeColour(kind: string, otherwise: string): string {
  return OUTCOME_COLOURS[kind] ?? otherwise;
}

const OUTCOME_COLOURS: Partial<Record<string, string>> = {
  found: "var(--found)", partial: "var(--partial)", failed: "var(--failed)", now: "var(--accent)",
};
