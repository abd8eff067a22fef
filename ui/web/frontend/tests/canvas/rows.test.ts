import assert from "node:assert/strict";
import { test } from "node:test";
import { fittingLetters, leastLetters } from "../../src/canvas/board/letters";
import { nodeFacts } from "../../src/canvas/graph/node_summary";
import type { Place, Spec } from "../../src/canvas/graph/types";
import { countCrossings } from "../../src/canvas/layout/crossings";
import { layOut } from "../../src/canvas/layout/elk_layout";
import type { Layout } from "../../src/canvas/layout/elk_graph";
import { flowOrder } from "../../src/canvas/layout/flow_order";
import type { Box } from "../../src/canvas/layout/node_places";
import { labelBox, overlap, runsThrough } from "../../src/canvas/layout/overlaps";
import { inRows, inRowsOf } from "../../src/canvas/layout/rows";
import type { Room } from "../../src/canvas/layout/rows";
import { buildScene, drawnOf } from "../../src/canvas/layout/scene";
import type { Scene } from "../../src/canvas/layout/scene";
import { squeeze } from "../../src/canvas/layout/squeeze";
import { tightened } from "../../src/canvas/layout/tighten";
import { ring, TYPES } from "./graphs";
import { elk, PRESETS } from "./presets";

const NONE: ReadonlySet<string> = new Set();
const SMALL: Room = { width: 713, height: 454 }; // of a window of 1280 x 800, with palette and panel
const ROOMS: Record<string, Room> = { small: SMALL, run: { width: 848, height: 306 }, phone: { width: 337, height: 488 }, wide: { width: 1360, height: 560 } };
const UNCROSSED = ["webwalker", "infogent", "mango"];

async function drawn(graph: Spec, room: Room): Promise<{ row: Layout; rows: Layout; scene: Scene }> {
  const row = await layOut(elk, drawnOf(graph, NONE));
  const rows = inRows(row, drawnOf(graph, NONE), room);
  return { row, rows, scene: buildScene(graph, TYPES, NONE, rows, null) };
}

function zoomOf({ boxes, lines }: Scene, room: Room): number {
  const points = [...boxes.values()].flatMap(({ x, y, w, h }): Place[] => [[x, y], [x + w, y + h]]).concat(lines.flatMap(({ way }) => way));
  const [width = 1, height = 1] = [0, 1].map((axis) => Math.max(...points.map((each) => each[axis] ?? 0)) - Math.min(...points.map((each) => each[axis] ?? 0)));
  return Math.min(1, room.width / width, room.height / height);
}

for (const graph of PRESETS) {
  for (const [name, room] of Object.entries(ROOMS)) {
    test(`${graph.name} in a ${name} room crosses no more lines than in one row, and nothing lies on anything`, async () => {
      const { row, scene } = await drawn(graph, room);
      const crossings = countCrossings(scene.lines.map(({ way }) => way));
      assert.ok(crossings <= countCrossings([...row.routes.values()].map(({ way }) => way)));
      assert.ok(crossings <= (UNCROSSED.includes(graph.name) ? 0 : 2), `${crossings} crossings`);
      const boxes = [...scene.boxes.values()];
      const names = scene.lines.map((line) => ({ ...labelBox(line), id: line.id })).filter(({ w }) => w);
      const all: Box[] = [...boxes, ...names];
      all.forEach((one, at) => { for (const other of all.slice(at + 1)) assert.ok(!overlap(one, other), `${one.id} lies on ${other.id}`); });
      for (const { id, from, to, way } of scene.lines) {
        for (const [bx, by] of way.slice(1).map((point, at): Place => [point[0] - (way[at]?.[0] ?? 0), point[1] - (way[at]?.[1] ?? 0)])) assert.ok(Math.abs(bx) < 0.5 || Math.abs(by) < 0.5, `${id} is slanted`);
        for (const box of boxes) assert.ok(box.id === from || box.id === to || !runsThrough(way, box, 2), `${id} runs through ${box.id}`);
        for (const box of names) assert.ok(box.id === id || !runsThrough(way, box, -2), `${id} runs through the name of ${box.id}`);
      }
      for (const line of scene.lines) if (line.edge.route) assert.ok(runsThrough(line.way, labelBox(line), 0), `the name of ${line.id} is beside its line`);
    });
  }

  test(`${graph.name} is read whole in a small window: each name in its own box, in letters of ten pixels`, async () => {
    const { scene } = await drawn(graph, SMALL);
    const zoom = zoomOf(scene, SMALL);
    assert.ok(zoom >= (scene.boxes.size <= 12 ? 0.6 : 0.45), `${zoom}`);
    for (const name of Object.keys(graph.nodes)) assert.ok(fittingLetters(name) * zoom >= 10, `${name} at ${zoom}`);
  });

  test(`the main path of ${graph.name} runs from left to right in each row, and on in the next row`, async () => {
    const { scene } = await drawn(graph, SMALL);
    const { main } = flowOrder(drawnOf(graph, NONE).lines);
    for (const { id, from, to, way } of scene.lines.filter((line) => main.has(line.id))) {
      const [source, target] = [scene.boxes.get(from), scene.boxes.get(to)];
      assert.ok(source && target);
      assert.ok(source.x + source.w < target.x ? way.length === 2 : target.y >= source.y + source.h, id);
    }
  });

  test(`${graph.name} keeps its rows when its nodes have places of their own, also where one was moved`, async () => {
    const graphOf = drawnOf(graph, NONE);
    const { row, rows } = await drawn(graph, SMALL);
    assert.deepEqual(inRowsOf(row, graphOf, rows.places), rows);
    for (const name of Object.keys(graph.nodes)) {
      const [x, y] = rows.places[name] ?? [0, 0];
      assert.deepEqual(inRowsOf(row, graphOf, { ...rows.places, [name]: [x + 40, y + 120] }), rows, name);
    }
  });
}

test("a graph stays one row where its board has room for it, and a large one is laid out by elk", async () => {
  for (const [graph, room] of [[ring(2), { width: 1400, height: 600 }], [ring(40), SMALL]] as const) {
    const { row, rows } = await drawn(graph, room);
    assert.equal(rows, row);
  }
});

test("bounds in boxes have a short form without a unit", () => {
  assert.deepEqual(nodeFacts({ type: "surveyor", params: { pages: 2000 } }).map(({ text, short }) => [text, short]), [["surveyor", undefined], ["≤ 2,000 pages", "≤ 2,000"]]);
  assert.ok(leastLetters(0.5) * 0.5 >= 10);
});

test("what stands far apart moves together, and what is near stays", () => {
  const boxes = [{ id: "a", x: 0, y: 0, w: 10, h: 10 }, { id: "b", x: 12, y: 0, w: 10, h: 10 }, { id: "c", x: 100, y: 0, w: 10, h: 10 }];
  const at = squeeze(0, boxes, [[[60, 0], [60, 50]]], 20);
  assert.deepEqual([0, 12, 22, 60, 100, 110].map(at), [0, 12, 22, 42, 62, 72]);
  assert.ok(at(50) <= at(60));
});

test("a line that runs to a side and back is drawn up, as far as nothing is between", () => {
  const way: Place[] = [[0, 0], [200, 0], [200, 60], [50, 60]];
  assert.deepEqual(tightened([way], []), [[[0, 0], [66, 0], [66, 60], [50, 60]]]);
  const [drawnUp] = tightened([way], [{ id: "box", x: 100, y: 20, w: 20, h: 20 }]);
  assert.equal(drawnUp?.[1]?.[0], 132);
});
