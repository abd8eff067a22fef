// The geometry of a site map: where it is seen from, and where marks stand on it.
export interface Point { x: number; y: number }
export interface Box extends Point { w: number; h: number }

// The pages of a site as the API sends them: a list for each field; `parent` is -1 for the root.
export interface SitePages { url: string[]; title: string[]; depth: number[]; parent: number[]; x: number[]; y: number[] }
export interface Site extends SitePages { site: string; pages: number; left_out: number; complete: boolean }

export interface OnPage extends Point { page: number }

const MARGIN = 22;
const CLOSEST = 30;
const MOST_TURNS = 60;

// One spelling of an address, to look pages up.
export function normalizeUrl(url: string): string {
  return url.replace(/#.*$/, "").replace(/\/(index\.html?)?$/, "");
}

export function pointOf(site: SitePages, page: number): Point {
  return { x: site.x[page] ?? 0, y: site.y[page] ?? 0 };
}

export function boundsOf(site: SitePages): Box {
  const [left, top] = [Math.min(...site.x), Math.min(...site.y)];
  return { x: left - MARGIN, y: top - MARGIN, w: Math.max(...site.x) - left + 2 * MARGIN, h: Math.max(...site.y) - top + 2 * MARGIN };
}

// How far a page may be from the root, in either direction.
export function reachOf(site: SitePages): number {
  return MARGIN + Math.max(0, ...site.x.map(Math.abs), ...site.y.map(Math.abs));
}

// The view with a point kept where it is; `by` below 1 shows less.
export function zoomView(seen: Box, by: number, at: Point, whole: Box): Box {
  const factor = Math.min(Math.max(seen.w * by, CLOSEST), whole.w * 2) / seen.w;
  return { x: at.x - (at.x - seen.x) * factor, y: at.y - (at.y - seen.y) * factor, w: seen.w * factor, h: seen.h * factor };
}

// The view moved; its middle stays within reach.
export function panView(seen: Box, dx: number, dy: number, reach: number): Box {
  const within = (place: number, size: number) => Math.min(Math.max(place, -reach - size / 2), reach - size / 2);
  return { ...seen, x: within(seen.x + dx, seen.w), y: within(seen.y + dy, seen.h) };
}

export function middleOf({ x, y, w, h }: Box): Point {
  return { x: x + w / 2, y: y + h / 2 };
}

// Places for labels of pages: on their pages, or where another one stands, as near as there is room.
export function placeLabels<T extends { page: number }>(labels: readonly T[], site: SitePages, apart: number): (T & Point)[] {
  const placed: (T & Point)[] = [];
  for (const label of labels) {
    const own = pointOf(site, label.page);
    const outward = Math.atan2(own.y, own.x);
    let best = own;
    for (let turn = 0; turn < MOST_TURNS && placed.some((other) => distance(other, best) < apart); turn++) {
      const away = apart * (0.6 + turn / 12);
      const angle = outward + (turn % 2 ? 1 : -1) * turn * 0.45;
      best = { x: own.x + away * Math.cos(angle), y: own.y + away * Math.sin(angle) };
    }
    placed.push({ ...label, ...best });
  }
  return placed;
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

// The paths from the root to these pages, each link once.
export function pathsFromRoot(site: SitePages, pages: readonly number[]): string {
  const walked = new Set<number>();
  for (const end of pages) {
    for (let page = end; page > 0 && !walked.has(page); page = site.parent[page] ?? 0) walked.add(page);
  }
  return [...walked].map((page) => linkPath(site, page)).join("");
}

export function linkPath(site: SitePages, page: number): string {
  const [from, to] = [pointOf(site, site.parent[page] ?? 0), pointOf(site, page)];
  return `M${from.x},${from.y}L${to.x},${to.y}`;
}

export interface Arrow { line: string; tip: string }

// Curved arrows from each stop to the next; `scale` is the size of a pixel on the map.
export function visitArrows(stops: readonly OnPage[], scale: number): Arrow[] {
  return stops.flatMap((to, at) => {
    const from = stops[at - 1];
    if (!from || from.page === to.page || distance(from, to) < 24 * scale) return [];
    const bend = { x: (from.x + to.x) / 2 - (to.y - from.y) * 0.16, y: (from.y + to.y) / 2 + (to.x - from.x) * 0.16 };
    const leave = Math.atan2(bend.y - from.y, bend.x - from.x);
    const arrive = Math.atan2(to.y - bend.y, to.x - bend.x);
    const room = 12 * scale;
    const [bx, by] = [from.x + room * Math.cos(leave), from.y + room * Math.sin(leave)];
    const [ex, ey] = [to.x - room * Math.cos(arrive), to.y - room * Math.sin(arrive)];
    const wing = (turn: number) => `${ex - 7 * scale * Math.cos(arrive + turn)},${ey - 7 * scale * Math.sin(arrive + turn)}`;
    return [{ line: `M${bx},${by}Q${bend.x},${bend.y} ${ex},${ey}`, tip: `M${wing(0.42)}L${ex},${ey}L${wing(-0.42)}Z` }];
  });
}

export type ArrowKey = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

// Up to the page above, down to the first one below, left and right among those beside it.
export function neighbourOf(site: SitePages, page: number, key: ArrowKey): number {
  const above = site.parent[page] ?? 0;
  if (key === "ArrowUp") return Math.max(above, 0);
  if (key === "ArrowDown") return childrenOf(site, page)[0] ?? page;
  const beside = childrenOf(site, above);
  const step = key === "ArrowRight" ? 1 : beside.length - 1;
  return beside[(beside.indexOf(page) + step) % beside.length] ?? page;
}

function childrenOf(site: SitePages, page: number): number[] {
  return site.parent.flatMap((above, child) => (above === page ? [child] : []));
}
