// A site map that can be zoomed, moved, and walked with the keyboard.
import { el, svg } from "../shared/dom";
import type { RunView } from "../shared/run_view";
import { boundsOf, linkPath, middleOf, neighbourOf, panView, pointOf, reachOf, zoomView } from "./map_geometry";
import type { ArrowKey, Box, Point, Site } from "./map_geometry";
import { drawMarks, PageIndex, pageCard } from "./map_marks";
import type { Cell } from "../figures/data_table";
import { later, say, sayCount } from "../shared/language";

const HEIGHT = 420;
const MANY = 800;
const CLICK = 5; // px that a pointer may move in a click
const ZOOM = 0.7;
const WHEEL = 1.15;
const HINT = later("Point at a page, or use the arrow keys, to see its title.");
const STEPS: Record<ArrowKey, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function describeSite(site: Site): string {
  return [
    sayCount(site.pages, "{n} page", "{n} pages"), sayCount(Math.max(0, ...site.depth), "{n} link deep", "{n} links deep"),
    !site.complete && say("not all of the site"), site.left_out > 0 && sayCount(site.left_out, "{n} page not shown", "{n} pages not shown"),
  ].filter(Boolean).join(", ");
}

export class MapView {
  readonly map: SVGSVGElement;
  readonly output = el("output", { class: "told", "aria-live": "polite" });
  readonly card = el("div", { class: "cardroom" });
  private index: PageIndex;
  private whole: Box;
  private seen: Box;
  private page = 0; // where the keyboard is
  private isMarked = false;
  private marks = svg("g");
  private ring = svg("circle", { class: "ring", r: 0 });

  constructor(private site: Site) {
    this.index = new PageIndex(site);
    this.whole = boundsOf(site);
    this.seen = this.whole;
    this.map = this.draw();
    this.listen();
    new ResizeObserver(() => { this.show(); }).observe(this.map);
    this.describePage(null);
  }

  mark(view: RunView): void {
    this.index.view = view;
    this.isMarked = true;
    this.drawMarks();
  }

  zoomIn(): void {
    this.zoom(ZOOM);
  }

  zoomOut(): void {
    this.zoom(1 / ZOOM);
  }

  showWhole(): void {
    this.see(this.whole);
  }

  rows(): Cell[][] {
    const { site, index } = this;
    return site.url.map((url, page) => [
      site.title[page], url, site.depth[page], index.arms(page).map((arm) => arm.number).join(", "),
      index.visits(page).join(", "), index.quotes(page).length || "",
    ]);
  }

  private draw(): SVGSVGElement {
    const { site } = this;
    const links = site.parent.map((above, page) => (above < 0 ? "" : linkPath(site, page))).join("");
    const dots = site.url.map((_, page) => {
      const { x, y } = pointOf(site, page);
      return svg("circle", { cx: x, cy: y, class: page ? "page" : "page root-page", "data-page": page });
    });
    const label = say("Site map of {site}: {size}. Arrow keys go from page to page, Enter opens one, plus and minus zoom.", { site: site.site, size: describeSite(site) });
    return svg("svg", { class: dots.length > MANY ? "map many" : "map", tabindex: 0, role: "group", "aria-label": label },
      svg("path", { class: "edges", d: links }), svg("g", { class: "pages" }, dots), this.marks, this.ring);
  }

  private scale(): number {
    return Math.max(this.seen.w / (this.map.clientWidth || 800), this.seen.h / (this.map.clientHeight || HEIGHT));
  }

  private see(view: Box): void {
    this.seen = view;
    this.show();
  }

  private show(): void {
    const { x, y, w, h } = this.seen;
    this.map.setAttribute("viewBox", `${x} ${y} ${w} ${h}`);
    this.map.style.setProperty("--k", String(this.scale()));
    if (this.isMarked) this.drawMarks();
  }

  private drawMarks(): void {
    this.marks.replaceChildren(...drawMarks(this.index, this.site, this.scale()));
  }

  private zoom(by: number, at: Point = middleOf(this.seen)): void {
    this.see(zoomView(this.seen, by, at, this.whole));
  }

  private pan(dx: number, dy: number): void {
    this.see(panView(this.seen, dx, dy, reachOf(this.site)));
  }

  private go(page: number): void {
    this.page = page;
    const { x, y } = pointOf(this.site, page);
    for (const [name, value] of Object.entries({ cx: x, cy: y, r: 7 * this.scale() })) this.ring.setAttribute(name, String(value));
    this.describePage(page);
  }

  private open(page: number): void {
    const close = (): void => {
      this.card.replaceChildren();
      this.map.focus();
    };
    this.card.replaceChildren(pageCard(this.index, this.site, page, close));
  }

  private describePage(page: number | null): void {
    this.output.replaceChildren(...(page === null
      ? [say(HINT)]
      : [el("b", {}, this.index.name(page)), " ", el("span", { class: "faint" }, this.site.url[page])]));
  }

  private listen(): void {
    const { map } = this;
    map.addEventListener("pointerover", (event) => {
      const page = pageAt(event);
      if (page !== null) this.describePage(page);
    });
    map.addEventListener("pointerleave", () => { this.describePage(null); });
    map.addEventListener("keydown", (event) => { if (this.press(event)) event.preventDefault(); });
    map.addEventListener("wheel", (event) => { this.turnWheel(event); }, { passive: false });
    this.followPointer();
  }

  private press(event: KeyboardEvent): boolean {
    const { key } = event;
    if (isArrow(key)) {
      const [dx, dy] = STEPS[key];
      if (event.shiftKey) this.pan((dx * this.seen.w) / 8, (dy * this.seen.h) / 8);
      else this.go(neighbourOf(this.site, this.page, key));
    } else if (key === "Enter" || key === " ") this.open(this.page);
    else if (key === "+" || key === "=") this.zoomIn();
    else if (key === "-") this.zoomOut();
    else if (key === "0") this.showWhole();
    else return false;
    return true;
  }

  // The page scrolls on, unless the map has the focus or Ctrl is held.
  private turnWheel(event: WheelEvent): void {
    const home = this.map.getRootNode();
    const focused = home instanceof Document || home instanceof ShadowRoot ? home.activeElement : null;
    if (!event.ctrlKey && focused !== this.map) return;
    event.preventDefault();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.map.getScreenCTM()?.inverse());
    this.zoom(event.deltaY > 0 ? WHEEL : 1 / WHEEL, at);
  }

  // A drag moves the map; a press without one opens a page.
  private followPointer(): void {
    const { map } = this;
    let last: Point | null = null;
    let moved = 0;
    map.addEventListener("pointerdown", (event) => {
      last = { x: event.clientX, y: event.clientY };
      moved = 0;
    });
    map.addEventListener("pointermove", (event) => {
      if (!last || !event.buttons) return;
      const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
      moved += Math.abs(dx) + Math.abs(dy);
      if (moved < CLICK) return;
      map.setPointerCapture(event.pointerId);
      last = { x: event.clientX, y: event.clientY };
      this.pan(-dx * this.scale(), -dy * this.scale());
    });
    map.addEventListener("pointerup", (event) => {
      last = null;
      const page = pageAt(event);
      if (moved >= CLICK || page === null) return;
      this.go(page);
      this.open(page);
    });
  }
}

function isArrow(key: string): key is ArrowKey {
  return key in STEPS;
}

function pageAt(event: Event): number | null {
  const found = event.target instanceof Element ? event.target.closest<SVGElement>("[data-page]") : null;
  return found ? Number(found.dataset.page) : null;
}
