import assert from "node:assert/strict";
import { test } from "node:test";
import { drawGraph } from "../../src/canvas/drawing/graph_svg";
import { sharpness, withChunk } from "../../src/canvas/drawing/png_file";
import { clipped, escaped, textWidth, wrapped } from "../../src/canvas/drawing/svg_text";
import { layOut } from "../../src/canvas/layout/elk_layout";
import { buildScene, drawnOf } from "../../src/canvas/layout/scene";
import { readEdge } from "../../src/canvas/graph/spec";
import type { Types } from "../../src/canvas/graph/spec";
import { GRAPH } from "../../src/canvas/graph/types";
import type { NodeType, Spec } from "../../src/canvas/graph/types";
import { spec, TYPES } from "./graphs";
import { elk, PRESETS } from "./presets";

const NONE: ReadonlySet<string> = new Set();

// The types that a graph names, each with the routes that its edges take.
function typesOf(graph: Spec): Types {
  const found = new Map<string, NodeType>();
  for (const [name, { type }] of Object.entries(graph.nodes)) {
    const own = graph.edges.map(readEdge).filter((edge) => edge?.source === name).map((edge) => edge?.route ?? "");
    if (type !== GRAPH) found.set(type, { name: type, family: "walk", summary: "Does a thing & says <so>.", routes: [...new Set([...(found.get(type)?.routes ?? []), ...own])], reads: [], writes: [], spent: "", own: false });
  }
  return found;
}

// Every element is closed in its turn, and no attribute comes twice.
function wellFormed(svg: string): void {
  const open: string[] = [];
  for (const [, close, name, attributes = "", empty] of svg.matchAll(/<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g)) {
    const names = [...attributes.matchAll(/([\w:-]+)="/g)].map(([, each]) => each);
    assert.equal(new Set(names).size, names.length, attributes);
    if (close) assert.equal(open.pop(), name);
    else if (!empty) open.push(name ?? "");
  }
  assert.deepEqual(open, []);
  assert.doesNotMatch(svg.replace(/<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/g, ""), /[<>]/);
}

const valueOf = (element: string, name: string) => Number(new RegExp(` ${name}="(-?[\\d.]+)"`).exec(element)?.[1]);

for (const graph of PRESETS) {
  test(`${graph.name} as a file has every node with icon and bounds, and every line with its name`, async () => {
    const layout = await layOut(elk, drawnOf(graph, NONE));
    const { svg, width, height } = drawGraph(graph, typesOf(graph), layout);
    wellFormed(svg);
    assert.doesNotMatch(svg, /var\(|NaN|undefined|light-dark|href|url\((?!#arrow-)/);
    for (const name of Object.keys(graph.nodes)) assert.match(svg, new RegExp(`font-weight="600">${name}<`));
    const texts = [...svg.matchAll(/font-weight="500">([^<]*)</g)].map(([, text]) => text);
    const routes = graph.edges.map((edge) => readEdge(edge)?.route).filter(Boolean);
    assert.deepEqual(texts.sort(), routes.sort());
    assert.equal(svg.match(/marker-end/g)?.length, graph.edges.length);
    const scene = buildScene(graph, typesOf(graph), NONE, layout, null);
    const [left, top] = [valueOf(svg, "viewBox"), Number(/viewBox="\S+ (\S+)/.exec(svg)?.[1])];
    const start = Number(/viewBox="(\S+)/.exec(svg)?.[1] ?? left);
    for (const { x, y, w, h } of scene.boxes.values()) {
      assert.ok(x >= start && y >= top && x + w <= start + width && y + h <= top + height);
    }
  });
}

test("a line runs in the file as on the canvas, in the colour of its route; a fan is double", async () => {
  const layout = await layOut(elk, drawnOf(spec(), NONE));
  const { svg } = drawGraph(spec(), TYPES, layout);
  const ways = [...svg.matchAll(/<path d="(M[^"]+)" fill="none" stroke="([^"]+)" stroke-width="([^"]+)" marker-end/g)].map(([, , colour, wide]) => [colour, wide]);
  assert.deepEqual(ways, [["#636c66", "1.7"], ["#2c4aa8", "5"], ["#226a45", "1.7"], ["#636c66", "1.7"]]);
  assert.match(svg, />exhausted<.*>failed</s); // routes without an edge
});

test("places of one's own are kept, and notes lie behind the boxes", () => {
  const moved = spec({
    positions: { start: [0, 0], select: [1000, -300], act: [40, 500], answer: [1400, 0], end: [1800, 0] },
    notes: { one: { text: "Read me first", colour: "blue", place: [900, -500, 220, 120] } },
  });
  const { svg } = drawGraph(moved, TYPES, null);
  wellFormed(svg);
  assert.match(svg, /<rect x="1000" y="-300" width="160"/);
  assert.ok(svg.indexOf("Read me first") < svg.indexOf(">select<"));
  assert.match(svg, /viewBox="-24 -524 /);
});

test("what a graph says stays text", () => {
  const hostile = spec({ name: '</title><script>alert(1)</script>"&', description: "a\u0000b\ud800", notes: { n: { text: "<img src=x onerror=1>", colour: "grey", place: [0, 0, 300, 60] } } });
  const { svg } = drawGraph(hostile, TYPES, null, "<metadata>own</metadata>");
  wellFormed(svg);
  assert.match(svg, /<metadata>own<\/metadata>/);
  assert.doesNotMatch(svg, /<script|<img/);
  assert.equal(escaped("a\u0000<b\ud800>"), "a&lt;b\ufffd&gt;");
});

test("text is broken between words, or anywhere in Chinese, and cut after the last line", () => {
  assert.deepEqual(wrapped("Maps the pages of a site", 11, 90, 2), ["Maps the pages", "of a site"]);
  assert.deepEqual(wrapped("绘制网站的页面并选择下一页", 11, 70, 2), ["绘制网站的页", "面并选择下…"]);
  assert.equal(clipped("webwalker", 14, 500), "webwalker");
  const cut = clipped("a_rather_long_name_of_a_node", 14, 100);
  assert.ok(cut.endsWith("…") && textWidth(cut, 14) <= 100);
});

test("a box in a file says whole facts, its bound first, and all that its node is for", () => {
  const about = "Copies the passages that bear on the question, word for word.";
  const types: Types = new Map([["surveyor", { name: "surveyor", family: "prepare", summary: about, routes: ["found"], reads: [], writes: [], spent: "", own: false }]]);
  const graph = spec({ nodes: { survey: { type: "surveyor", params: { pages: 2000, ranking: "a rather long name of a ranking" } } }, edges: ["start -> survey", "survey.found -> end"] });
  const { svg } = drawGraph(graph, types, null);
  assert.match(svg, />surveyor · ≤ 2,000 pages</);
  const lines = [...svg.matchAll(/fill="#525c55"[^>]*>([^<]+)</g)].map(([, text]) => text);
  assert.ok(lines.join(" ").includes(about), lines.join("|"));
  assert.doesNotMatch(svg.replace(/<title>[^<]*<\/title>/g, ""), /…/);
  assert.match(svg, /textLength="[\d.]+" lengthAdjust="spacingAndGlyphs"/);
  assert.equal(clipped("Copies the passages", 11, 90), "Copies the…");
});

test("a large graph is painted smaller, and a chunk stands before the end of the file", () => {
  assert.equal(sharpness({ width: 800, height: 400 }), 2);
  assert.equal(sharpness({ width: 32_000, height: 400 }), 0.5);
  assert.ok(sharpness({ width: 12_000, height: 12_000 }) < 1);
  const png = Uint8Array.from({ length: 20 }, (_, at) => at);
  assert.deepEqual([...withChunk(png, Uint8Array.of(99, 98))].slice(6, 12), [6, 7, 99, 98, 8, 9]);
});
