import assert from "node:assert/strict";
import { test } from "node:test";
import { duplicated } from "../../src/canvas/graph/clipboard";
import { steadyView } from "../../src/canvas/board/useFit";
import { countCrossings } from "../../src/canvas/layout/crossings";
import { bentPath, roundedPath } from "../../src/canvas/layout/edge_line";
import { labelWidth } from "../../src/canvas/layout/elk_graph";
import type { Layout } from "../../src/canvas/layout/elk_graph";
import { layOut } from "../../src/canvas/layout/elk_layout";
import { flowOrder } from "../../src/canvas/layout/flow_order";
import { moved, nudged } from "../../src/canvas/layout/node_moves";
import { CELL, placeNodes, sizeOf } from "../../src/canvas/layout/node_places";
import type { Box, Places } from "../../src/canvas/layout/node_places";
import { chipsAt } from "../../src/canvas/layout/open_routes";
import { labelBox, runsThrough } from "../../src/canvas/layout/overlaps";
import { buildScene, drawnOf } from "../../src/canvas/layout/scene";
import { SceneMemory } from "../../src/canvas/layout/scene_memory";
import { edgesOf } from "../../src/canvas/graph/spec";
import type { Types } from "../../src/canvas/graph/spec";
import type { NodeType, Place, Spec } from "../../src/canvas/graph/types";
import { place, ring, spec, TYPES } from "./graphs";
import { elk, PRESETS } from "./presets";

const NONE: ReadonlySet<string> = new Set();
const laidOut = (graph: Spec, opened = NONE): Promise<Layout> => layOut(elk, drawnOf(graph, opened));
const sceneOf = (graph: Spec, layout: Layout | null) => buildScene(graph, TYPES, NONE, layout, null);

function boxes(places: Places): Box[] {
  return Object.entries(places).map(([id, [x, y]]) => ({ id, x, y, ...sizeOf(id) }));
}

function overlap(one: Box, other: Box): boolean {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}

function apart(all: Box[]): void {
  all.forEach((one, at) => { for (const other of all.slice(at + 1)) assert.ok(!overlap(one, other), `${one.id} lies on ${other.id}`); });
}

function piecesOf(way: Place[]): Box[] {
  return way.slice(1).map(([x, y], at) => {
    const [ax, ay] = way[at] ?? [x, y];
    assert.ok(Math.abs(ax - x) < 0.5 || Math.abs(ay - y) < 0.5, "a slanted line");
    return { id: "", x: Math.min(ax, x), y: Math.min(ay, y), w: Math.abs(ax - x), h: Math.abs(ay - y) };
  });
}

const UNCROSSED = ["webwalker", "infogent", "mango"];

for (const graph of PRESETS) {
  test(`${graph.name} is drawn with hardly a crossing, from left to right, each name on its own line`, async () => {
    const layout = await laidOut(graph);
    const { lines, boxes: drawn } = sceneOf(graph, layout);
    assert.equal(lines.length, graph.edges.length);
    const crossings = countCrossings(lines.map(({ way }) => way));
    assert.ok(crossings <= (UNCROSSED.includes(graph.name) ? 0 : 2), `${crossings} crossings`);
    apart([...drawn.values()]);
    const { main, feedback } = flowOrder(drawnOf(graph, NONE).lines);
    const labels: Box[] = [];
    for (const { id, from, to, way, label: [x, y], edge } of lines) {
      const [source, target] = [drawn.get(from), drawn.get(to)];
      assert.ok(source && target);
      if (main.has(id)) assert.ok(source.x + source.w < target.x && way.length === 2, `${id} is not straight`);
      if (feedback.has(id)) assert.ok(Math.max(...way.map(([, at]) => at)) > target.y + target.h, `${id} leads back above`);
      const pieces = piecesOf(way);
      for (const box of drawn.values()) for (const piece of pieces) assert.ok(box.id === from || box.id === to || !overlap(piece, box), `${id} runs through ${box.id}`);
      if (!edge.route) continue;
      assert.ok(pieces.some((piece) => x >= piece.x - 1 && x <= piece.x + piece.w + 1 && Math.abs(y - piece.y - piece.h / 2) < piece.h / 2 + 2), `the name of ${id} is beside its line`);
      const width = labelWidth(edge.route);
      labels.push({ id, x: x - width / 2, y: y - 10, w: width, h: 20 });
    }
    apart([...labels, ...drawn.values()]);
    for (const label of labels) for (const { id, way } of lines) for (const piece of piecesOf(way)) assert.ok(id === label.id || !overlap(piece, label), `${id} runs through the name of ${label.id}`);
  });
}

test("a graph is drawn the same each time", async () => {
  const [one, other] = await Promise.all([laidOut(ring(7)), laidOut(ring(7))]);
  assert.deepEqual(one, other);
});

for (const count of [1, 2, 16]) {
  test(`${count} nodes are laid out apart from each other, their edges around them`, async () => {
    const graph = ring(count);
    const layout = await laidOut(graph);
    const { lines, boxes: drawn } = sceneOf(graph, layout);
    assert.equal(drawn.size, count + 2);
    apart([...drawn.values()]);
    for (const { id, from, to, way } of lines) {
      assert.ok(way.length >= 2, id);
      for (const box of drawn.values()) for (const piece of piecesOf(way)) assert.ok(box.id === from || box.id === to || !overlap(piece, box), `${id} runs through ${box.id}`);
    }
  });
}

test("many nodes are laid out in rows, apart from each other", async () => {
  const { lines, boxes: drawn } = sceneOf(ring(40), await laidOut(ring(40)));
  apart([...drawn.values()]);
  assert.ok(lines.every(({ way }) => way.length >= 2));
  const columns = new Set([...drawn.values()].map(({ x }) => Math.round(x)));
  assert.ok(columns.size < drawn.size - 5);
});

test("lines cross where one runs through the other, or lies on it; not where they touch", () => {
  const level: Place[] = [[0, 0], [100, 0]];
  assert.equal(countCrossings([level, [[50, -10], [50, 10]]]), 1);
  assert.equal(countCrossings([level, [[50, 0], [50, 10]]]), 0);
  assert.equal(countCrossings([level, [[60, 0], [200, 0]]]), 1);
  assert.equal(countCrossings([level, [[100, 0], [200, 0]]]), 0);
  assert.equal(countCrossings([level, [[-50, -20], [-50, 20], [150, 20], [150, -20]]]), 0);
});

test("edges that lead back, the main path and branches that loop are told apart", () => {
  const arcs = ["start>a", "a>b", "b>a", "a>c", "c>end"].map((id) => ({ id, source: id.split(">")[0] ?? "", target: id.split(">")[1] ?? "" }));
  const order = flowOrder(arcs);
  assert.deepEqual([...order.feedback], ["b>a"]);
  assert.deepEqual([...order.main].sort(), ["a>c", "c>end", "start>a"]);
  assert.deepEqual([[...order.loops], [...order.returns]], [["a>b"], ["b>a"]]);
  assert.deepEqual(order.after, [["b", "c"]]);
});

test("a node keeps its own place, a new one gets one that is free", () => {
  const places = placeNodes(spec({ positions: { select: [0, 10], act: [240, 10] } }), { select: [7, 7], answer: [0, 10] });
  assert.deepEqual([place(places, "select"), place(places, "act")], [[0, 10], [240, 10]]);
  apart(boxes(places));
});

test("where one node was dragged, its edges and those it was put on take another way; all others stay", async () => {
  const graph = ring(8);
  const layout = await laidOut(graph);
  const before = sceneOf(graph, layout);
  const [x, y] = place(before.places, "n3");
  const after = buildScene({ ...graph, positions: { ...before.places, n3: [x + 60, y + 200] } }, TYPES, NONE, layout, before);
  const put = after.boxes.get("n3");
  for (const { id, from, to, way } of after.lines) {
    const old = before.lines.find((line) => line.id === id)?.way ?? [];
    if (from === "n3" || to === "n3") assert.ok(way.length > 1, id);
    else if (put && runsThrough(old, put)) assert.ok(!runsThrough(way, put), id);
    else assert.deepEqual(way, before.lines.find((line) => line.id === id)?.way, id);
  }
  const back = sceneOf({ ...graph, positions: before.places }, layout);
  assert.deepEqual(back.lines, before.lines);
});

test("a graph that was moved as a whole keeps its lines", async () => {
  const graph = ring(4);
  const layout = await laidOut(graph);
  const positions = Object.fromEntries(Object.entries(layout.places).map(([name, [x, y]]): [string, Place] => [name, [x + 40, y - 20]]));
  const [one, other] = [sceneOf(graph, layout).lines[0], sceneOf({ ...graph, positions }, layout).lines[0]];
  assert.deepEqual(other?.way, one?.way.map(([x, y]) => [x + 40, y - 20]));
});

test("lines stay while a changed graph is laid out anew, in places that were given", async () => {
  const graph = ring(8);
  const layout = await laidOut(graph);
  const positions = sceneOf(graph, layout).places;
  const before = sceneOf({ ...graph, positions }, layout);
  const { n7, ...nodes } = graph.nodes;
  assert.ok(n7);
  const less = { ...graph, nodes, positions, edges: graph.edges.filter((text) => !text.includes("n7")) };
  const after = buildScene(less, TYPES, NONE, await laidOut(less), before);
  assert.ok(after.lines.filter(({ way }) => way.length).length >= less.edges.length - 1);
});

test("a graph that comes back by undo is drawn as it was", async () => {
  const whole = ring(8);
  const layout = await laidOut(whole);
  for (const graph of [whole, { ...whole, positions: sceneOf(whole, layout).places }]) {
    const memory = new SceneMemory();
    const before = memory.draw(graph, TYPES, NONE, layout);
    const inside = ["n3", "n4"];
    const kept = Object.entries(graph.nodes).filter(([name]) => !inside.includes(name));
    const nodes = { ...Object.fromEntries(kept), folded: { type: "graph" } };
    const edges = graph.edges.flatMap((text) => (inside.some((name) => text.startsWith(`${name}.`)) ? [] : [text.replace(/-> n[34]$/, "-> folded")]));
    const less = { ...graph, name: "my-ring", nodes, edges: [...edges, "folded.end -> n5"] };
    assert.ok(memory.draw(less, TYPES, NONE, await laidOut(less)).boxes.has("folded"));
    const after = memory.draw({ ...structuredClone(graph), name: "my-ring" }, TYPES, NONE, layout);
    assert.deepEqual([after.places, after.lines], [before.places, before.lines]);
  }
});

test("without a layout, all nodes stand apart and all edges are drawn", () => {
  const { boxes: drawn, lines } = sceneOf(ring(7), null);
  apart([...drawn.values()]);
  assert.equal(lines.length, ring(7).edges.length);
});

test("several edges on their own to one node run apart, with round corners", () => {
  const [one, other] = [0, 1].map((before) => bentPath([0, 0], 1, [300, 0], 1, before));
  assert.ok(one && other);
  assert.notDeepEqual(one[1], other[1]);
  assert.equal(roundedPath([[0, 0], [50, 0], [50, 40]]), "M0 0L40 0Q50 0 50 10L50 40");
});

test("a node is moved by cells of the grid, and every node is given a place", () => {
  const scene = sceneOf(spec(), null);
  const [x, y] = place(scene.places, "act");
  const next = nudged(spec(), scene, ["act"], [2, 1]);
  assert.deepEqual(place(next.positions, "act"), [x + 2 * CELL, y + CELL]);
  assert.deepEqual(Object.keys(next.positions).sort(), ["act", "answer", "end", "select", "start"]);
  const same = spec();
  assert.equal(moved(same, scene, [["act", [x + 3, y - 3]]]), same);
});

test("a closed group is one box, and moves with all its nodes", async () => {
  const graph = spec({ folds: { pair: ["select", "act"] } });
  const scene = sceneOf(graph, await laidOut(graph));
  assert.deepEqual([...scene.boxes.keys()].sort(), ["answer", "end", "fold:pair", "start"]);
  const box = scene.boxes.get("fold:pair");
  assert.ok(box);
  const next = moved(graph, scene, [["fold:pair", [box.x + CELL, box.y]]]);
  for (const name of ["select", "act"]) assert.equal(place(next.positions, name)[0], place(scene.places, name)[0] + CELL);
});

test("what is nearest to the middle of the view stays there when a graph is laid out anew", () => {
  const at = (positions: Places) => sceneOf(spec({ positions }), null);
  const old = at({ select: [0, 0], act: [400, 0], answer: [800, 0] });
  const scene = at({ select: [0, 200], act: [700, 300], answer: [900, 0] });
  const board = { clientWidth: 480, clientHeight: 84 };
  assert.deepEqual(steadyView({ x: -240, y: 0, zoom: 1 }, old, scene, board), { x: -540, y: -300, zoom: 1 });
  assert.deepEqual(steadyView({ x: 120, y: 21, zoom: 0.5 }, old, scene, board), { x: 120, y: -79, zoom: 0.5 });
});

// Each type with the routes that the graph draws from it.
function typesOf(graph: Spec): Types {
  const types = new Map<string, NodeType>();
  for (const { source, route } of edgesOf(graph)) {
    const name = graph.nodes[source]?.type ?? "";
    const routes = new Set([...types.get(name)?.routes ?? [], route]);
    types.set(name, { name, family: "walk", summary: "", routes: [...routes], reads: [], writes: [], spent: "", own: false });
  }
  return types;
}

for (const graph of PRESETS) {
  test(`a route that was disconnected in ${graph.name} stands on no node and no name`, async () => {
    for (const edge of graph.edges) {
      const rest = { ...graph, edges: graph.edges.filter((each) => each !== edge), positions: {} };
      const scene = buildScene(rest, typesOf(graph), NONE, await laidOut(rest), null);
      assert.equal([...scene.open.values()].flat().length, 1, edge);
      const taken = [...scene.boxes.values(), ...scene.lines.map(labelBox)];
      for (const [name, ports] of scene.open) {
        const box = scene.boxes.get(name);
        assert.ok(box);
        for (const chip of chipsAt(box, ports.map(({ route }) => route), ports[0]?.side ?? 0)) {
          assert.ok(!taken.some((other) => other !== box && overlap(chip, other)), `${edge}: ${name} at ${ports[0]?.side ?? ""}`);
        }
      }
    }
  });
}

test("copies of nodes cover no node, line or name", async () => {
  for (const graph of PRESETS) {
    const bare = { ...graph, positions: {} };
    const scene = sceneOf(bare, await laidOut(bare));
    const [next, fresh] = duplicated(bare, scene, { nodes: new Set(Object.keys(graph.nodes).slice(1, 3)), edges: NONE });
    for (const name of fresh) {
      const [x, y] = place(next.positions, name);
      const box = { id: name, x, y, ...sizeOf(name) };
      assert.ok(![...scene.boxes.values(), ...scene.lines.map(labelBox)].some((other) => overlap(box, other)), `${graph.name}: ${name}`);
      assert.ok(!scene.lines.some(({ way }) => runsThrough(way, box)), `${graph.name}: a line through ${name}`);
    }
  }
});
