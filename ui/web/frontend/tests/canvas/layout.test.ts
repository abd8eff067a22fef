import assert from "node:assert/strict";
import { test } from "node:test";
import { placeLabels, widthOf } from "../../src/canvas/layout/edge_labels";
import { findEdgePaths } from "../../src/canvas/layout/edge_paths";
import { MinHeap } from "../../src/canvas/layout/min_heap";
import { moved, nudged } from "../../src/canvas/layout/node_moves";
import { arranged, CELL, NODE, placeNodes, sizeOf } from "../../src/canvas/layout/node_places";
import type { Box, Places } from "../../src/canvas/layout/node_places";
import { buildScene } from "../../src/canvas/layout/scene";
import { SceneMemory } from "../../src/canvas/layout/scene_memory";
import { place, ring, spec, TYPES } from "./graphs";

const GRAPHS = [1, 2, 7, 16].map(ring);

function boxes(places: Places): Box[] {
  return Object.entries(places).map(([id, [x, y]]) => ({ id, x, y, ...sizeOf(id) }));
}

function overlap(one: Box, other: Box): boolean {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}

test("a heap gives the least first", () => {
  const heap = new MinHeap();
  const costs = Array.from({ length: 200 }, (_, at) => (at * 7919) % 257);
  costs.forEach((cost, item) => { heap.push(item, cost); });
  const taken = costs.map(() => costs[heap.pop()] ?? NaN);
  assert.deepEqual(taken, costs.toSorted((one, other) => one - other));
  assert.equal(heap.size, 0);
});

for (const graph of GRAPHS) {
  const count = Object.keys(graph.nodes).length;
  test(`${count} nodes are laid out apart from each other, on the grid`, () => {
    const all = boxes(arranged(graph, 1.3));
    assert.equal(all.length, count + 2);
    all.forEach((one, at) => {
      for (const other of all.slice(at + 1)) assert.ok(!overlap(one, other), `${one.id} lies on ${other.id}`);
      if (one.w === NODE.w) assert.equal(one.x % CELL, 0);
    });
  });

  test(`the edges of ${count} nodes go level or upright, around all other nodes`, () => {
    const { boxes: all, lines } = buildScene(graph, TYPES, new Set(), 1.3, null);
    assert.equal(lines.length, graph.edges.length);
    for (const { from, to, way } of lines) {
      assert.ok(way.length >= 2);
      way.forEach(([x, y], at) => {
        const next = way[at + 1];
        if (!next) return;
        assert.ok(x === next[0] || y === next[1], "a slanted line");
        const line = { id: "", x: Math.min(x, next[0]), y: Math.min(y, next[1]), w: Math.abs(x - next[0]), h: Math.abs(y - next[1]) };
        for (const box of all.values()) assert.ok(box.id === from || box.id === to || !overlap(line, box), `${from} -> ${to} crosses ${box.id}`);
      });
    }
  });
}

test("a node keeps its own place, a new one gets one that is free", () => {
  const places = placeNodes(spec({ positions: { select: [0, 10], act: [240, 10] } }), 1.3);
  assert.deepEqual([place(places, "select"), place(places, "act")], [[0, 10], [240, 10]]);
  const all = boxes(places);
  all.forEach((one, at) => { for (const other of all.slice(at + 1)) assert.ok(!overlap(one, other)); });
});

test("paths that nothing moved into stay as they are", () => {
  const graph = ring(8);
  const before = buildScene(graph, TYPES, new Set(), 1.3, null);
  const after = buildScene({ ...graph, positions: before.places }, TYPES, new Set(), 1.3, before);
  assert.deepEqual(after.lines.map(({ way }) => way), before.lines.map(({ way }) => way));
});

test("a graph that comes back by undo is drawn as it was", () => {
  for (const graph of [ring(8), { ...ring(8), positions: arranged(ring(8), 1.3) }]) {
    const memory = new SceneMemory();
    const before = memory.draw(graph, TYPES, new Set(), 1.3);
    const inside = ["n3", "n4"];
    const kept = Object.entries(graph.nodes).filter(([name]) => !inside.includes(name));
    const nodes = { ...Object.fromEntries(kept), folded: { type: "graph" } };
    const edges = graph.edges.flatMap((text) => (inside.some((name) => text.startsWith(`${name}.`)) ? [] : [text.replace(/-> n[34]$/, "-> folded")]));
    const folded = memory.draw({ ...graph, name: "my-ring", nodes, edges: [...edges, "folded.end -> n5"] }, TYPES, new Set(), 1.3);
    assert.ok(folded.boxes.has("folded"));
    const after = memory.draw({ ...structuredClone(graph), name: "my-ring" }, TYPES, new Set(), 1.3);
    assert.deepEqual([after.places, after.lines], [before.places, before.lines]);
  }
});

test("edges without room between their nodes still have a path", () => {
  const wall = Array.from({ length: 9 }, (_, at): Box => ({ id: `w${at}`, x: (at % 3) * 160, y: Math.floor(at / 3) * 60, w: 160, h: 60 }));
  const paths = findEdgePaths(wall, [{ id: "e", source: "w4", target: "w0" }]);
  assert.equal(paths.get("e")?.length, 2);
});

test("the name of an edge stands on its path, off the nodes", () => {
  const all: Box[] = [{ id: "a", x: 0, y: 0, ...NODE }, { id: "b", x: 480, y: 0, ...NODE }];
  const found = placeLabels(new Map([["e", "moved"]]), new Map([["e", [[160, 30], [480, 30]]]]), all).get("e");
  assert.deepEqual(found, [320, 30]);
  assert.ok(widthOf("moved") < 320);
});

test("a node that is moved takes a place on the grid, and gives one to every node", () => {
  const scene = buildScene(spec(), TYPES, new Set(), 1.3, null);
  const [x, y] = place(scene.places, "act");
  const next = nudged(spec(), scene, ["act"], [2, 1]);
  assert.deepEqual(place(next.positions, "act"), [x + 2 * CELL, y + CELL]);
  assert.deepEqual(Object.keys(next.positions).sort(), ["act", "answer", "end", "select", "start"]);
  const same = spec();
  assert.equal(moved(same, scene, [["act", [x + 3, y - 3]]]), same);
});

test("a closed group is one box, and moves with all its nodes", () => {
  const graph = spec({ folds: { pair: ["select", "act"] } });
  const scene = buildScene(graph, TYPES, new Set(), 1.3, null);
  assert.deepEqual([...scene.boxes.keys()].sort(), ["answer", "end", "fold:pair", "start"]);
  const box = scene.boxes.get("fold:pair");
  assert.ok(box);
  const next = moved(graph, scene, [["fold:pair", [box.x + CELL, box.y]]]);
  for (const name of ["select", "act"]) assert.equal(place(next.positions, name)[0], place(scene.places, name)[0] + CELL);
});
