// The pages of each site as a tree, with the arms, the visits, and where evidence was found.
import { dataTable } from "../figures/data_table";
import { dashes, defineFigure, figureHead, legend, note } from "../figures/figure";
import { createChangeCheck, el, svg } from "../shared/dom";
import { formatSite } from "../shared/format";
import type { SiteNames } from "../shared/format";
import type { RunView } from "../shared/run_view";
import { ThrottledFetch } from "../shared/throttled_fetch";
import { normalizeUrl } from "./map_geometry";
import type { Site } from "./map_geometry";
import { describeSite, MapView } from "./map_view";
import { later, say } from "../shared/language";
import styles from "./site_map.css" with { type: "text" };

const HEADING = later("Where it looked");

export const site_map = defineFigure([styles], (root) => {
  const fetched = new ThrottledFetch<Site[] | null>(null);
  let chosen = 0;
  let map: MapView | null = null;
  let redraw = (): void => undefined;
  const siteChanged = createChangeCheck();
  const marksChanged = createChangeCheck();
  const choose = (place: number): void => {
    chosen = place;
    redraw();
  };
  return (view, run) => {
    ({ redraw } = run);
    const sites = fetched.value;
    fetched.refresh(run, "map", whenMapChanges(view, sites ?? []));
    if (!sites) {
      if (!root.firstChild) root.append(note(say("The map is being drawn.")));
      return;
    }
    const at = Math.min(chosen, sites.length - 1);
    const site = sites[at];
    if (siteChanged([sites.map((each) => [each.site, each.pages]), at])) {
      map = site && site.url.length > 1 ? new MapView(site) : null;
      root.replaceChildren(...(site && map ? frame(root, map, site, choices(sites, at, run.data.sites, choose)) : [figureHead(say(HEADING), ""), note(say("No site has been mapped yet."))]));
      map?.showWhole();
    }
    if (marksChanged([view.arms, view.visited, view.evidence, at, sites.map((each) => each.pages)])) map?.mark(view);
  };
});

// The map is another one after a survey, a new turn, more arms, or a visit to a page that is not on it.
function whenMapChanges(view: RunView, sites: readonly Site[]): unknown {
  const known = new Set(sites.flatMap((site) => site.url.map(normalizeUrl)));
  const surveys = Object.values(view.timeline).filter((entry) => entry.type === "surveyor").map((entry) => [entry.outcome, entry.text]);
  const unknown = Object.values(view.visited).filter(({ url }) => known.size > 0 && !known.has(normalizeUrl(url))).length;
  return [surveys, view.session.turn, unknown, Object.keys(view.arms).length];
}

function frame(root: HTMLElement, map: MapView, site: Site, choice: HTMLElement[]): Element[] {
  const tool = (label: string, words: string, act: () => void) =>
    el("button", { class: "tool", "aria-label": words, title: words, on: { click: act } }, label);
  const tools = el("span", { class: "tools" },
    tool("+", say("Zoom in"), () => { map.zoomIn(); }), tool("−", say("Zoom out"), () => { map.zoomOut(); }), tool(say("Whole"), say("Show the whole site"), () => { map.showWhole(); }));
  return [
    figureHead(say(HEADING), describeSite(site), tools), ...choice, map.map, map.output, map.card,
    legend([], el("span", {}, evidenceMark(), say("Evidence here")), el("span", {}, dashes("var(--accent)", "4 3", 1.6), say("Order of visits")), el("span", {}, dashes("var(--ink-2)", "", 1.6), say("Path from the root"))),
    dataTable(root, say("Pages of {site}", { site: site.site }), [say("Page"), say("Address"), say("Links deep"), say("Rank"), say("Visit"), say("Quotes")], () => map.rows()),
  ];
}

function evidenceMark(): SVGElement {
  return svg("svg", { width: 14, height: 14, "aria-hidden": "true" },
    svg("circle", { cx: 7, cy: 7, r: 7, fill: "var(--mark)" }), svg("circle", { cx: 7, cy: 7, r: 4, fill: "var(--surface)", stroke: "var(--partial)", "stroke-width": 1.5 }));
}

// Which of several sites is shown.
function choices(sites: readonly Site[], at: number, names: SiteNames, choose: (place: number) => void): HTMLElement[] {
  if (sites.length < 2) return [];
  const button = (site: Site, place: number) =>
    el("button", { class: "mode", "aria-pressed": String(place === at), on: { click: () => { choose(place); } } }, formatSite(site.site, names), el("span", { class: "faint" }, ` ${site.pages}`));
  return [el("div", { class: "seg", role: "group", "aria-label": say("Site") }, sites.map(button))];
}
