// What the figures of a run share: pointing at an arm in one marks it in all; headings and legends.
import { defineRunPart } from "../shared/component";
import type { DrawRun, Part, RunData } from "../shared/component";
import { el, svg } from "../shared/dom";
import type { Child } from "../shared/dom";
import { pageLabel, sign } from "../shared/signs";
import styles from "./figure.css" with { type: "text" };

const pointer = new EventTarget();

// A part of a run that takes part in pointing.
export function defineFigure<D extends RunData = RunData>(own: readonly string[], create: (root: HTMLElement) => DrawRun<D>): Part {
  return defineRunPart<D>([styles, ...own], (root) => {
    const mark = (event: Event): void => {
      if (!root.isConnected) {
        pointer.removeEventListener("point", mark);
        return;
      }
      const arm = event instanceof CustomEvent ? String(event.detail) : "";
      for (const node of root.querySelectorAll<HTMLElement | SVGElement>("[data-arm]")) node.classList.toggle("pointed", node.dataset.arm === arm);
    };
    pointer.addEventListener("point", mark);
    return create(root);
  });
}

export const figureStyles = styles;

export function makePointable<E extends HTMLElement | SVGElement>(node: E, arm: number): E {
  const point = (detail: string) => (): void => { pointer.dispatchEvent(new CustomEvent("point", { detail })); };
  node.dataset.arm = String(arm);
  for (const event of ["pointerenter", "focusin"]) node.addEventListener(event, point(String(arm)));
  for (const event of ["pointerleave", "focusout"]) node.addEventListener(event, point(""));
  return node;
}

export function figureHead(title: string, beside: string, ...more: Child[]): HTMLElement {
  return el("div", { class: "ph" }, el("h3", {}, title), el("span", { class: "small faint grow" }, beside), ...more);
}

export function note(text: string): HTMLElement {
  return el("p", { class: "note" }, text);
}

export function legend(kinds: readonly string[], ...more: Child[]): HTMLElement {
  return el("div", { class: "leg" }, kinds.map((kind) => el("span", {}, sign(kind, 13), pageLabel(kind))), ...more);
}

export function dashes(stroke: string, pattern: string, width: number): SVGElement {
  return svg("svg", { width: 24, height: 8, "aria-hidden": "true" },
    svg("line", { x1: 0, x2: 24, y1: 4, y2: 4, stroke, "stroke-width": width, "stroke-dasharray": pattern }));
}
