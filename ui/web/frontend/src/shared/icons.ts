// Icons of what can be done, and of what a run is made of; drawn here, so that nothing is loaded.
import { svg } from "./dom";

type Circle = readonly [cx: number, cy: number, r: number];
interface Drawing { path: string; circles: readonly Circle[] }

const ICONS = {
  globe: drawing("M3.5 10h13M10 3.5c2.2 2 2.8 4 2.8 6.5s-.6 4.5-2.8 6.5c-2.2-2-2.8-4-2.8-6.5s.6-4.500 2.8-6.500z", [10, 10, 6.5]),
  graph: drawing("m6.8 9 6.3-3.2M6.8 11l6.3 3.2", [5, 10, 2], [15, 5, 2], [15, 15, 2]),
  chip: drawing("M5.5 7a1.500 1.500 0 0 1 1.500-1.500h6A1.500 1.500 0 0 1 14.500 7v6a1.500 1.500 0 0 1-1.500 1.500H7A1.500 1.500 0 0 1 5.500 13zM8 3v2.500M12 3v2.500M8 14.500V17M12 14.500V17M3 8h2.500M3 12h2.500M14.500 8H17M14.500 12H17"),
  out: drawing("M11.5 4H16v4.500M16 4l-7 7M13.500 11.500V15a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7.500a1 1 0 0 1 1-1h3.500"),
  copy: drawing("M7.500 7.500V5a1 1 0 0 1 1-1H15a1 1 0 0 1 1 1v6.500a1 1 0 0 1-1 1h-2.500M5 7.500h6.500a1 1 0 0 1 1 1V15a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V8.500a1 1 0 0 1 1-1z"),
  close: drawing("m5.5 5.5 9 9M14.5 5.5l-9 9"),
  find: drawing("m12.8 12.8 3.4 3.4", [9, 9, 4.8]),
  pin: drawing("M7.5 4h5M8.500 4v5l-2 2.500h7l-2-2.500V4M10 11.500V16.500"),
  fork: drawing("M6 7v6M14 7v1a2 2 0 0 1-2 2H8a2 2 0 0 0-2 2", [6, 5, 2], [14, 5, 2], [6, 15, 2]),
  up: drawing("m6 12 4-4 4 4"),
  down: drawing("m6 8 4 4 4-4"),
} as const;
export type IconName = keyof typeof ICONS;

function drawing(path: string, ...circles: Circle[]): Drawing {
  return { path, circles };
}

export function icon(name: IconName, size = 15): SVGElement {
  const { path, circles } = ICONS[name];
  const line = { fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-linecap": "round", "stroke-linejoin": "round" };
  return svg("svg", { width: size, height: size, viewBox: "0 0 20 20", "aria-hidden": "true", ...line },
    svg("path", { d: path }), circles.map(([cx, cy, r]) => svg("circle", { cx, cy, r })));
}
