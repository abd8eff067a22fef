// Numbers, times and addresses as the pages write them.
import { language, say } from "./language";
export function formatClock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

// When a step came, which is not how long it took.
export function formatMoment(seconds: number): string {
  return say("at {time}", { time: formatClock(seconds) });
}

export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

// How long ago a time was, as short as it can be said; both in seconds since the epoch.
export function formatAge(seconds: number, nowSeconds: number): string {
  const then = new Date(seconds * 1000);
  const now = new Date(nowSeconds * 1000);
  const minutes = (nowSeconds - seconds) / 60;
  if (minutes < 1) return say("just now");
  if (minutes < 60) return say("{n} min ago", { n: Math.floor(minutes) });
  if (now.toDateString() === then.toDateString()) return say("{n} h ago", { n: Math.floor(minutes / 60) });
  const days = Math.round((startOfDay(now) - startOfDay(then)) / 86_400_000);
  if (days === 1) return say("yesterday");
  if (days < 7) return then.toLocaleDateString(language(), { weekday: "short" });
  const year = now.getFullYear() === then.getFullYear() ? {} : { year: "numeric" as const };
  return then.toLocaleDateString(language(), { day: "numeric", month: "short", ...year });
}

function startOfDay(time: Date): number {
  return new Date(time.toDateString()).getTime();
}

// The names of sites by their addresses.
export type SiteNames = Readonly<Record<string, string>>;

// A text in which each site with a name goes by it: its address has a port that means nothing to a reader.
export function nameSites(text: string, names: SiteNames): string {
  return Object.entries(names).reduce((named, [address, name]) => {
    const root = address.replace(/\/$/, "");
    const told = named.replaceAll(root, name).replaceAll(root.replace(/^https?:\/\//, ""), name);
    return told.endsWith(`${name}/`) ? told.slice(0, -1) : told;
  }, text);
}

// A page of a site that ships with the program, in words, since its address leads nowhere on another machine; empty for any other.
export function examplePage(url: string, names: SiteNames): string {
  for (const [address, site] of Object.entries(names)) {
    const root = address.replace(/\/$/, "");
    if (url !== root && !url.startsWith(`${root}/`)) continue;
    const page = url.slice(root.length).replace(/[?#].*$/, "").replace(/^\/|\/$/g, "");
    return page ? say("Example site: {site}, page {page}", { site, page }) : say("Example site: {site}", { site });
  }
  return "";
}

// A site by its host and path.
export function formatSite(url: string, names: SiteNames): string {
  return nameSites(url, names).replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
}

export function formatPath(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/, "") || "/";
}

// The model of a run, as a reader calls it.
export function nameModel(line: string): string {
  return line === "offline" ? say("Built-in rules") : line;
}
