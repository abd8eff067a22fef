import assert from "node:assert/strict";
import { test } from "node:test";
import { duplicated } from "../../src/canvas/graph/clipboard";
import type { Place, Spec } from "../../src/canvas/graph/types";
import { layOut } from "../../src/canvas/layout/elk_layout";
import { dropped } from "../../src/canvas/layout/node_moves";
import { NODE, sizeOf } from "../../src/canvas/layout/node_places";
import type { Box } from "../../src/canvas/layout/node_places";
import { overlap } from "../../src/canvas/layout/overlaps";
import { inRows } from "../../src/canvas/layout/rows";
import { buildScene, drawnOf } from "../../src/canvas/layout/scene";
import type { Scene } from "../../src/canvas/layout/scene";
import { place, spec, TYPES } from "./graphs";
import { elk, PRESETS } from "./presets";

const NONE: ReadonlySet<string> = new Set();
const ROOM = { width: 713, height: 454 };

async function sceneOf(graph: Spec): Promise<Scene> {
  const drawn = drawnOf(graph, NONE);
  return buildScene(graph, TYPES, NONE, inRows(await layOut(elk, drawn), drawn, ROOM), null);
}

const boxesOf = (positions: Record<string, Place>): Box[] => Object.entries(positions).map(([id, [x, y]]) => ({ id, x, y, ...sizeOf(id) }));

function lying(boxes: Box[]): string[] {
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) => overlap(one, other)).map((other) => `${one.id} on ${other.id}`));
}

for (const graph of PRESETS) {
  test(`a node of ${graph.name} that is dropped on another stays there, and the others make room`, async () => {
    const scene = await sceneOf(graph);
    const [first = "", ...others] = Object.keys(graph.nodes);
    for (const other of others) {
      const [x, y] = place(scene.places, other);
      const next = dropped(graph, scene, [[first, [x + 40, y + 20]]]);
      assert.deepEqual(lying(boxesOf(next.positions)), [], other);
      assert.ok(Math.abs(place(next.positions, first)[0] - x - 40) <= 10, "it stands where it was dropped");
      const stayed = Object.keys(graph.nodes).filter((name) => name !== first && place(next.positions, name).join() === place(scene.places, name).join());
      assert.ok(stayed.length >= others.length / 3, `${other}: ${stayed.length} stayed`);
    }
  });

  test(`a copy of a node of ${graph.name} stands in view and on no other node`, async () => {
    const scene = await sceneOf(graph);
    const boxes = [...scene.boxes.values()];
    const view = { id: "", x: -20, y: -20, w: Math.max(...boxes.map(({ x, w }) => x + w)) + 60, h: Math.max(...boxes.map(({ y, h }) => y + h)) + 60 };
    for (const name of Object.keys(graph.nodes)) {
      const [next, [copy = ""]] = duplicated(graph, scene, { nodes: new Set([name]), edges: NONE }, view);
      const [x, y] = place(next.positions, copy);
      assert.ok(x >= view.x && y >= view.y && x + NODE.w <= view.x + view.w && y + NODE.h <= view.y + view.h, `${copy} at ${x}, ${y}`);
      assert.deepEqual(lying(boxesOf(next.positions)), [], copy);
    }
  });
}

test("what is dropped beside all others moves none of them", () => {
  const graph = spec({ positions: { start: [-100, 30], select: [0, 0], act: [240, 0], answer: [480, 0], end: [720, 30] } });
  const scene = buildScene(graph, TYPES, NONE, null, null);
  const next = dropped(graph, scene, [["act", [240, 200]]]);
  assert.deepEqual({ ...next.positions, act: graph.positions.act }, graph.positions);
  assert.equal(dropped(graph, scene, [["act", [242, 1]]]), graph);
});
