// What a run marks on a site map: arms, visits, and where evidence was found.
import { shorten } from "../shared/format";
import { el, link, svg } from "../shared/dom";
import type { Arm, Evidence, RunView } from "../shared/run_view";
import { outcomeColour, pageLabel, sign } from "../shared/signs";
import { makePointable } from "../figures/figure";
import { normalizeUrl, pathsFromRoot, placeLabels, pointOf, visitArrows } from "./map_geometry";
import type { Point, SitePages } from "./map_geometry";
import { say, sayCount } from "../shared/language";

type OnMap = Pick<RunView, "arms" | "evidence" | "visited">;
interface ArmMark extends Arm, Point { page: number }

const LONGEST_QUOTE = 400;

// The arms, quotes and visits of a run by the pages of a site.
export class PageIndex {
  private places: ReadonlyMap<string, number>;

  constructor(private site: SitePages, public view: OnMap = { arms: {}, evidence: {}, visited: {} }) {
    this.places = new Map(site.url.map((url, page) => [normalizeUrl(url), page]));
  }

  pageOf(url: string): number | undefined {
    return this.places.get(normalizeUrl(url));
  }

  arms(page: number): Arm[] {
    return Object.values(this.view.arms).filter((arm) => this.pageOf(arm.url) === page);
  }

  quotes(page: number): Evidence[] {
    return Object.values(this.view.evidence).filter((entry) => this.pageOf(entry.url) === page);
  }

  visits(page: number): number[] {
    return [...new Set(Object.values(this.view.visited).filter((visit) => this.pageOf(visit.url) === page).map((visit) => visit.round))];
  }

  visited(): number[] {
    return Object.values(this.view.visited).flatMap((visit) => this.pageOf(visit.url) ?? []);
  }

  withEvidence(): number[] {
    return [...new Set(Object.values(this.view.evidence).flatMap((entry) => this.pageOf(entry.url) ?? []))];
  }

  ranked(): (Arm & { page: number })[] {
    return Object.values(this.view.arms).flatMap((arm) => {
      const page = this.pageOf(arm.url);
      return page === undefined ? [] : [{ ...arm, page }];
    });
  }

  describe(page: number): string {
    const arms = this.arms(page).map((arm) => say("rank {number}: {outcome}", { number: arm.number, outcome: pageLabel(arm.sign) }));
    const visits = this.visits(page);
    return [sayCount(this.site.depth[page] ?? 0, "{n} link deep", "{n} links deep"), ...arms, visits.length ? say("visit {round}", { round: visits.join(", ") }) : ""].filter(Boolean).join(" · ");
  }

  name(page: number): string {
    return this.site.title[page] || (this.site.url[page] ?? "");
  }
}

// The marks, from the lowest to the topmost; `scale` is the size of a pixel on the map.
export function drawMarks(index: PageIndex, site: SitePages, scale: number): SVGElement[] {
  const visited = index.visited();
  const badges: ArmMark[] = placeLabels(index.ranked(), site, 19 * scale);
  const spots = new Map(badges.map((badge) => [badge.page, badge]));
  const spotOf = (page: number): Point => spots.get(page) ?? pointOf(site, page);
  const stops = visited.map((page) => ({ ...spotOf(page), page }));
  return [
    svg("path", { class: "walked", d: pathsFromRoot(site, visited) }),
    ...index.withEvidence().map((page) => halo(spotOf(page), (spots.has(page) ? 14.5 : 8) * scale)),
    ...badges.flatMap((badge) => leader(badge, pointOf(site, badge.page))),
    ...visited.filter((page) => !spots.has(page)).map((page) => visitedDot(pointOf(site, page), page, scale)),
    ...visitArrows(stops, scale).flatMap(({ line, tip }) => [svg("path", { class: "visit", d: line }), svg("path", { class: "tip", d: tip })]),
    ...badges.map((badge) => armBadge(badge, scale)),
  ];
}

function halo({ x, y }: Point, r: number): SVGElement {
  return svg("circle", { cx: x, cy: y, r, class: "halo" });
}

// From a badge that had to make room to its page.
function leader(badge: Point, { x, y }: Point): SVGElement[] {
  return badge.x === x && badge.y === y ? [] : [svg("line", { x1: x, y1: y, x2: badge.x, y2: badge.y, class: "lead" })];
}

function visitedDot({ x, y }: Point, page: number, scale: number): SVGElement {
  return svg("circle", { cx: x, cy: y, r: 4 * scale, class: "been", "data-page": page });
}

function armBadge({ number, sign: kind, page, x, y, title, url }: ArmMark, scale: number): SVGElement {
  const unvisited = kind === "unvisited";
  const colour = outcomeColour(kind, kind === "nothing" ? "var(--nothing)" : "var(--control)");
  const full = kind === "found";
  const ink = full ? "var(--surface)" : unvisited ? "var(--ink-2)" : colour;
  return makePointable(svg("g", { class: "arm", "data-page": page },
    svg("circle", { cx: x, cy: y, r: (unvisited ? 8.5 : 10) * scale, fill: full ? colour : "var(--surface)", stroke: colour, "stroke-width": (unvisited ? 1.2 : 2) * scale }),
    svg("text", { x, y: y + 3.7 * scale, "text-anchor": "middle", "font-size": 10.5 * scale, "font-weight": 600, fill: ink }, number),
    svg("title", {}, say("Page {number}, {outcome}: {page}", { number, outcome: pageLabel(kind), page: title || url }))), number);
}

// A page with what was found on it.
export function pageCard(index: PageIndex, site: SitePages, page: number, close: () => void): HTMLElement {
  const [arm] = index.arms(page);
  const url = site.url[page] ?? "";
  return el("section", { class: "card", "aria-label": index.name(page) },
    el("header", {}, arm && sign(arm.sign, 15), el("b", { class: "grow" }, index.name(page)), el("button", { "aria-label": say("Close"), class: "faint", on: { click: close } }, "✕")),
    link(url, { class: "mono address" }, url), el("p", { class: "small muted" }, index.describe(page)),
    index.quotes(page).map(({ quote }) => el("blockquote", {}, el("mark", {}, shorten(quote, LONGEST_QUOTE)))));
}
