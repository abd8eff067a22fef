// A graph as an SVG file: what the canvas shows, in its light colours, with nothing that has to be loaded.
import { bentPath, roundedPath } from "../layout/edge_line";
import type { Layout } from "../layout/elk_graph";
import { flowEdges, flowNodes } from "../layout/flow_model";
import type { Box } from "../layout/node_places";
import { buildScene } from "../layout/scene";
import type { Port } from "../layout/scene";
import { notesOf } from "../graph/notes";
import { BETWEEN, fittingFacts } from "../graph/node_summary";
import { bareClass, routeOutcome } from "../graph/route_outcome";
import type { Types } from "../graph/spec";
import type { Data, Note, Place, Spec } from "../graph/types";
import type { BoxData } from "../nodes/NodeBox";
import type { LineData } from "../nodes/EdgeLine";
import { ICONS, SIGNS } from "../nodes/shapes";
import { say } from "../../shared/language";
import { clipped, escaped, textWidth, wrapped } from "./svg_text";

export interface Picture { svg: string; width: number; height: number }

const FONTS = "'Plex Sans', 'IBM Plex Sans', system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', 'Helvetica Neue', Arial, sans-serif";
const EDGE = 24; // around the drawing
const LIGHT = 0.97; // of the width of bold letters

// Those of the page in its light theme (page.css).
const PAPER = { bg: "#fcfdfb", surface: "#ffffff", sunken: "#f3f5f1", line: "#cdd3ca", ink: "#19201c", dim: "#525c55", faint: "#636c66", failed: "#a5331b" };
const OUTCOMES: Readonly<Record<string, string>> = { found: "#226a45", partial: "#875400", nothing: "#5f6963", failed: "#a5331b", pass: "#2c4aa8", plain: "#636c66" };
const NOTES: Readonly<Record<Note["colour"], readonly [string, string]>> = {
  yellow: ["#fcf4da", "#e7d395"], green: ["#e2f1e8", "#b1cbbe"], blue: ["#e9eefa", "#b9c6ec"], grey: ["#f3f5f1", "#cdd3ca"],
};

// `metadata` is put into the file as it is.
export function drawGraph(spec: Spec, types: Types, layout: Layout | null, metadata = ""): Picture {
  const scene = buildScene(spec, types, new Set(), layout, null);
  const data: Data = { revision: 0, spec, types: [...types.values()], findings: [], readonly: true, diff: null, selected: [], watch: null, height: 0 };
  const nodes = flowNodes(spec, scene, types, data, null).map(({ id, data: own }) => ({ box: scene.boxes.get(id), own }));
  const ends = new Map(scene.lines.map((line) => [line.id, line]));
  const lines = flowEdges(spec, scene, types, data, null).flatMap(({ id, data: own }) => {
    const end = ends.get(id);
    const [from, to] = [scene.boxes.get(end?.from ?? ""), scene.boxes.get(end?.to ?? "")];
    return own && end && from && to ? [wayOf(own, from, end.out, to, end.into)] : [];
  });
  const notes = notesOf(spec).map(([, note]) => note);
  const open = nodes.flatMap(({ box, own }) => (box ? own.open.map((port) => ({ box, port, spent: own.spent })) : []));
  const [left, top, right, bottom] = spanOf([
    ...[...scene.boxes.values()].flatMap(cornersOf), ...notes.flatMap(({ place: [x, y, w, h] }): Place[] => [[x, y], [x + w, y + h]]),
    ...lines.flatMap(({ points, label: [x, y], wide }): Place[] => [...points, [x - wide / 2, y - 10], [x + wide / 2, y + 10]]),
    ...open.flatMap(({ box, port }) => cornersOf(chipOf(box, port))),
  ]);
  const [width, height] = [Math.ceil(right - left), Math.ceil(bottom - top)];
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${width} ${height}" width="${width}" height="${height}" role="img" font-family="${FONTS}" font-size="12">`,
    `<title>${escaped(spec.name)}</title>`, spec.description && `<desc>${escaped(spec.description)}</desc>`, metadata, arrowHeads(),
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="${PAPER.bg}"/>`,
    ...notes.map(noteMarkup), ...lines.map(lineMarkup),
    ...nodes.map(({ box, own }) => (box ? boxMarkup(box, own) : "")), ...lines.map(labelMarkup), ...open.map(({ box, port, spent }) => openMarkup(box, port, spent)),
    "</svg>",
  ];
  return { svg: `${svg.filter(Boolean).join("\n")}\n`, width, height };
}

function spanOf(points: readonly Place[]): [number, number, number, number] {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [low, high] = [(all: number[]) => Math.floor(Math.min(...all)) - EDGE, (all: number[]) => Math.ceil(Math.max(...all)) + EDGE];
  return [low(xs), low(ys), high(xs), high(ys)];
}

const cornersOf = ({ x, y, w, h }: Box): Place[] => [[x, y], [x + w, y + h]];

interface Way { own: LineData; path: string; points: Place[]; label: Place; kind: string; colour: string; wide: number }

// A line as it was laid out, or from end to end on its own where its nodes were moved.
function wayOf(own: LineData, from: Box, out: Port | { x: number; y: number; side: number }, to: Box, into: { x: number; y: number; side: number }): Way {
  const [bent, middle] = bentPath([from.x + out.x, from.y + out.y], out.side, [to.x + into.x, to.y + into.y], into.side, own.before);
  const path = own.way.length ? roundedPath(own.way) : bent;
  const numbers = path.match(/-?[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [];
  const points = numbers.flatMap((x, at): Place[] => (at % 2 ? [] : [[x, numbers[at + 1] ?? 0]]));
  const kind = routeOutcome(own.route, own.spent);
  return { own, path, points, label: own.way.length ? own.label : middle, kind, colour: OUTCOMES[kind] ?? PAPER.faint, wide: own.route ? tagWidth(own.route, kind, own.fan) : 0 };
}

function lineMarkup({ own, path, kind, colour }: Way): string {
  const stroke = `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${own.fan ? 5 : 1.7}" marker-end="url(#arrow-${kind})"/>`;
  return own.fan ? `${stroke}<path d="${path}" fill="none" stroke="${PAPER.bg}" stroke-width="2"/>` : stroke;
}

function arrowHeads(): string {
  return `<defs>${Object.entries(OUTCOMES).map(([kind, colour]) =>
    `<marker id="arrow-${kind}" viewBox="0 0 8 8" refX="6.5" refY="4" markerUnits="userSpaceOnUse" markerWidth="10" markerHeight="10" orient="auto"><path d="M1 1l6 3-6 3z" fill="${colour}"/></marker>`).join("")}</defs>`;
}

const TAG = 11.5; // the size of the names of routes

const isBare = (kind: string) => bareClass(kind as Parameters<typeof bareClass>[0]) !== "";

function tagWidth(route: string, kind: string, fan: boolean): number {
  return (isBare(kind) ? 8 : 20) + textWidth(route, TAG) + (fan ? 16 : 0) + 8;
}

function labelMarkup({ own, label: [x, y], kind, colour, wide }: Way): string {
  return own.route ? tagMarkup(own.route, kind, own.fan, [x - wide / 2, y], mixed(colour, 0.4), colour) : "";
}

// The name of a route in its frame, which begins at a place and stands at its height.
function tagMarkup(route: string, kind: string, fan: boolean, [x, y]: Place, border: string, colour: string): string {
  const wide = tagWidth(route, kind, fan);
  const lead = isBare(kind) ? 8 : 20;
  return `<g><rect x="${x}" y="${y - 10}" width="${wide}" height="20" rx="10" fill="${PAPER.surface}" stroke="${border}"/>`
    + (isBare(kind) ? "" : signMarkup(kind, [x + 5.5, y - 5.5], 11, colour))
    + words(route, [x + lead, y + 4], TAG, colour, 500) + (fan ? iconMarkup("arms", [x + wide - 20, y - 6], 12, colour) : "") + "</g>";
}

function boxMarkup(box: Box, own: BoxData): string {
  const { x, y, w, h } = box;
  if (own.kind === "pill") {
    return `<g><rect x="${x}" y="${y - 2}" width="${w}" height="${h + 4}" rx="${h / 2 + 2}" fill="${PAPER.surface}" stroke="${PAPER.line}"/>${words(own.name, [x + w / 2, y + h / 2 + 4], 12, PAPER.dim, 500, "middle")}</g>${dots(box, own)}`;
  }
  const [inner, room] = [x + 11, w - 22];
  const frame = (dx: number, dash: string) => `<rect x="${x + dx}" y="${y + dx}" width="${w}" height="${h}" rx="8" fill="${PAPER.surface}" stroke="${PAPER.line}"${dash}/>`;
  const lead = own.family in ICONS ? 21 : 0;
  const facts = fittingFacts(own.facts, 11, room).map(({ text }) => text).join(BETWEEN);
  const [about, size] = aboutOf(own.about, room);
  const title = [...new Set([own.name, own.about, own.facts.map(({ text }) => text).join(BETWEEN)].filter(Boolean))].join("\n");
  return [
    `<g><title>${escaped(title)}</title>`, own.kind === "graph" || own.kind === "fold" ? frame(3, "") : "", frame(0, own.kind === "fold" ? ' stroke-dasharray="4 3"' : ""),
    lead ? iconMarkup(own.family, [inner, y + 10.5], 15, PAPER.faint) : "",
    words(clipped(own.name, 14.5, room - lead), [inner + lead, y + 23], 14, PAPER.ink, 600),
    ...about.map((line, at) => words(line, [inner, y + 29 + (size + 1) * (at + 1)], size, PAPER.dim)),
    facts && words(facts, [inner, y + (about.length ? 75 : 42)], 11, PAPER.faint),
    "</g>", dots(box, own),
  ].join("");
}

// What a node is for, in small letters where it has no room in two lines: nobody can point at a file to read the rest.
function aboutOf(about: string, room: number): [string[], number] {
  const large = about ? wrapped(about, 11, room, 3) : [];
  return large.length <= 2 ? [large, 11] : [wrapped(about, 9.5, room, 3), 9.5];
}

// Where edges leave a box.
function dots({ x, y }: Box, own: BoxData): string {
  return own.wired.map((port) => `<circle cx="${x + port.x}" cy="${y + port.y}" r="3.7" fill="${PAPER.surface}" stroke="${OUTCOMES[routeOutcome(port.route, own.spent)] ?? PAPER.faint}" stroke-width="1.6"/>`).join("");
}

const chipOf = ({ x, y }: Box, port: Port): Box => ({ id: "", x: x + port.x - 120, y: y + port.y - 34, w: 240, h: 68 }); // roomy

// A route without an edge.
function openMarkup({ x, y }: Box, port: Port, spent: string): string {
  const kind = routeOutcome(port.route, spent);
  const [at, height] = [x + port.x, y + port.y];
  const route = port.route || say("entry");
  const wide = tagWidth(route, kind, false);
  const [end, tag]: [Place, Place] = port.side === 0 ? [[at + 14, height], [at + 14, height]]
    : port.side === 2 ? [[at - 14, height], [at - 14 - wide, height]]
    : port.side === 1 ? [[at, height + 14], [at - wide / 2, height + 24]] : [[at, height - 14], [at - wide / 2, height - 24]];
  return `<path d="M${at} ${height}L${end[0]} ${end[1]}" stroke="${PAPER.failed}" stroke-width="1.7" stroke-dasharray="3 2"/>${tagMarkup(route, kind, false, tag, PAPER.failed, OUTCOMES[kind] ?? PAPER.faint)}`;
}

function noteMarkup({ text, colour, place: [x, y, w, h] }: Note): string {
  const [fill, stroke] = NOTES[colour];
  const lines = wrapped(text, 13, w - 22, Math.max(1, Math.floor((h - 16) / 18.2)));
  return `<g><rect x="${x}" y="${y}" width="${w}" height="${h}" rx="4" fill="${fill}" stroke="${stroke}"/>${lines.map((line, at) => words(line, [x + 11, y + 22 + 18.2 * at], 13, PAPER.ink)).join("")}</g>`;
}

function words(text: string, [x, y]: Place, size: number, colour: string, weight = 400, anchor = "start"): string {
  return text && `<text x="${x}" y="${y}" font-size="${size}" fill="${colour}"${lengthOf(text, size, weight)}${weight === 400 ? "" : ` font-weight="${weight}"`}${anchor === "start" ? "" : ` text-anchor="${anchor}"`}>${escaped(text)}</text>`;
}

// In a font that is not the page's a text is drawn as wide as in that one, so that it fits what is around it.
function lengthOf(text: string, size: number, weight: number): string {
  return /[^ -~≤·…]/.test(text) ? "" : ` textLength="${Math.round(textWidth(text, size) * (weight < 600 ? LIGHT : 1) * 10) / 10}" lengthAdjust="spacingAndGlyphs"`;
}

function iconMarkup(name: string, [x, y]: Place, size: number, colour: string): string {
  return `<path transform="translate(${x} ${y}) scale(${size / 20})" d="${ICONS[name] ?? ""}" fill="none" stroke="${colour}" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function signMarkup(kind: string, [x, y]: Place, size: number, colour: string): string {
  const shapes = SIGNS[kind]?.map((shape) => {
    if ("disc" in shape) return `<circle cx="8" cy="8" r="6" fill="${colour}"/>`;
    if ("ring" in shape) return `<circle cx="8" cy="8" r="5.3" fill="none" stroke="${colour}" stroke-width="1.5"/>`;
    return "line" in shape
      ? `<path d="${shape.line}" fill="none" stroke="${PAPER.surface}" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"/>`
      : `<path d="${shape.area}" fill="${colour}"/>`;
  });
  return shapes ? `<g transform="translate(${x} ${y}) scale(${size / 16})">${shapes.join("")}</g>` : "";
}

// A share of a colour on white.
function mixed(colour: string, share: number): string {
  const parts = [1, 3, 5].map((at) => Math.round(255 + (Number.parseInt(colour.slice(at, at + 2), 16) - 255) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
