// Graphs to begin with, each with a small drawing, laid out as on the canvas.
import { definePart } from "../shared/component";
import { el, svg, updateList } from "../shared/dom";
import { layoutOf } from "../canvas/layout/layout_cache";
import type { Drawn, Layout } from "../canvas/layout/elk_graph";
import { roundedPath } from "../canvas/layout/edge_line";
import { inRows } from "../canvas/layout/rows";
import { drawnOf } from "../canvas/layout/scene";
import { END, START } from "../canvas/graph/types";
import type { Spec } from "../canvas/graph/types";
import styles from "./template_cards.css" with { type: "text" };

interface Card { id: string; title: string; use: string; aside: string; spec: Pick<Spec, "nodes" | "edges"> }
interface Shelf { title: string; cards: Card[] }

const EDGE = 8; // around a drawing
const ROOM = { width: 210, height: 72 }; // as in the style sheet

export const template_cards = definePart<{ shelves: Shelf[] }>([styles], (root) => {
  const shelves = root.appendChild(el("div"));
  return ({ data, setTriggerValue }) => {
    updateList(shelves, data.shelves.map((shelf) => [shelf.title, shelf]), ({ title, cards }) => el("section", {},
      title && el("h3", {}, title),
      el("ol", { class: "cards" }, cards.map((card) => cardOf(card, () => setTriggerValue("chosen", card.id))))));
    return undefined;
  };
});

function cardOf({ id, title, use, aside, spec }: Card, choose: () => void): HTMLElement {
  const picture = el("span", { class: "picture", "aria-hidden": "true" });
  const drawn = drawnOf({ name: id, description: "", positions: {}, ...spec }, new Set());
  const hasNodes = Object.keys(spec.nodes).length > 0;
  if (hasNodes) void layoutOf(JSON.stringify(drawn)).then((layout) => { picture.append(drawingOf(drawn, inRows(layout, drawn, ROOM))); });
  return el("li", {}, el("button", { type: "button", "aria-label": `${title}. ${use}`, on: { click: choose } },
    hasNodes && picture, el("span", { class: "row" }, el("b", { class: "grow" }, title), el("span", { class: "aside" }, aside)), el("span", { class: "use" }, use)));
}

function drawingOf({ boxes }: Drawn, { places, routes }: Layout): SVGElement {
  const shapes = boxes.map(({ id, w, h }) => {
    const [x, y] = places[id] ?? [0, 0];
    return { x, y, w, h, pill: id === START || id === END };
  });
  const ways = [...routes.values()].map(({ way }) => way);
  const xs = [...shapes.flatMap(({ x, w }) => [x, x + w]), ...ways.flatMap((way) => way.map(([x]) => x))];
  const ys = [...shapes.flatMap(({ y, h }) => [y, y + h]), ...ways.flatMap((way) => way.map(([, y]) => y))];
  const [left, top] = [Math.min(...xs) - EDGE, Math.min(...ys) - EDGE];
  return svg("svg", { viewBox: [left, top, Math.max(...xs) + EDGE - left, Math.max(...ys) + EDGE - top].join(" ") },
    ...ways.map((way) => svg("path", { d: roundedPath(way, 16) })),
    ...shapes.map(({ x, y, w, h, pill }) => svg("rect", { x, y, width: w, height: h, rx: pill ? h / 2 : 14, class: pill ? "pill" : "" })));
}
