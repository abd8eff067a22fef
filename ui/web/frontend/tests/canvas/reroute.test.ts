import assert from "node:assert/strict";
import { test } from "node:test";
import { moved } from "../../src/canvas/layout/node_moves";
import { labelAt, labelBox, overlap, runsThrough } from "../../src/canvas/layout/overlaps";
import { nameOnWay, reroute } from "../../src/canvas/layout/reroute";
import { layOut } from "../../src/canvas/layout/elk_layout";
import { buildScene, drawnOf } from "../../src/canvas/layout/scene";
import type { Line, Scene } from "../../src/canvas/layout/scene";
import { without } from "../../src/canvas/graph/spec";
import type { Spec } from "../../src/canvas/graph/types";
import { TYPES } from "./graphs";
import { elk, PRESETS } from "./presets";

const NONE: ReadonlySet<string> = new Set();
const SHIFTS: [number, number][] = [[0, 100], [0, -140], [100, 180], [-180, 260]];

// What a line or its name lies on, apart from its own nodes.
function faults(scene: Scene, line: Line): string[] {
  const name = labelBox(line);
  const boxes = [...scene.boxes.values()];
  return [
    ...boxes.filter((box) => box.id !== line.from && box.id !== line.to && runsThrough(line.way, box, 0)).map((box) => `${line.id} runs through ${box.id}`),
    ...(name.w ? boxes.filter((box) => overlap(name, box)).map((box) => `the name of ${line.id} lies on ${box.id}`) : []),
    ...(name.w ? scene.lines.filter((other) => other !== line && labelBox(other).w && overlap(name, labelBox(other))).map((other) => `the name of ${line.id} lies on that of ${other.id}`) : []),
  ];
}

function covers(scene: Scene, name: string): boolean {
  const box = scene.boxes.get(name);
  return [...scene.boxes.values()].some((other) => box && other !== box && overlap({ ...box, x: box.x - 24, y: box.y - 24, w: box.w + 48, h: box.h + 48 }, other));
}

for (const graph of PRESETS) {
  test(`a node of ${graph.name} that is dragged takes its lines and their names around all that is there`, async () => {
    const layout = await layOut(elk, drawnOf(graph, NONE));
    const before = buildScene(graph, TYPES, NONE, layout, null);
    const found: string[] = [];
    for (const name of Object.keys(graph.nodes)) {
      const box = before.boxes.get(name);
      for (const [dx, dy] of SHIFTS) {
        if (!box) continue;
        const next = moved(graph, before, [[name, [box.x + dx, box.y + dy]]]);
        const scene = buildScene(next, TYPES, NONE, layout, before);
        if (covers(scene, name)) continue;
        found.push(...scene.lines.filter(({ from, to }) => from === name || to === name).flatMap((line) => faults(scene, line)).map((fault) => `${name} by ${dx},${dy}: ${fault}`));
        const untouched = scene.lines.filter((line) => faults(scene, line).some((fault) => fault.includes(name)));
        found.push(...untouched.map(({ id }) => `${name} by ${dx},${dy}: lies on ${id}`));
      }
    }
    assert.deepEqual(found, []);
  });
}

for (const graph of PRESETS.filter(({ name }) => ["webwalker", "mango"].includes(name))) {
  test(`what a node deleted from ${graph.name} leaves stays where it was, with its lines`, async () => {
    const layout = await layOut(elk, drawnOf(graph, NONE));
    const before = buildScene(graph, TYPES, NONE, layout, null);
    for (const name of Object.keys(graph.nodes)) {
      const rest: Spec = without({ ...graph, positions: before.places }, [name]);
      const after = buildScene(rest, TYPES, NONE, await layOut(elk, drawnOf(rest, NONE)), before);
      for (const box of after.boxes.values()) assert.deepEqual(box, before.boxes.get(box.id));
      for (const line of after.lines) assert.deepEqual(line.way, before.lines.find(({ id }) => id === line.id)?.way, `${line.id} without ${name}`);
    }
  });
}

test("a line runs around a box, and its name stands beside another name", () => {
  const box = { id: "between", x: 100, y: -40, w: 100, h: 80 };
  const taken = { boxes: [box], names: [{ id: "", x: 120, y: -70, w: 60, h: 24 }], ways: [] };
  const way = reroute({ at: [0, 0], side: 0 }, { at: [300, 0], side: 2 }, taken);
  assert.deepEqual([way[0], way.at(-1)], [[0, 0], [300, 0]]);
  assert.ok(!runsThrough(way, box), "through the box");
  assert.ok(way.some(([, y]) => y > 40), "below the box, as a name stands above it");
  const other = { id: "", x: 0, y: 40, w: 150, h: 30 };
  const { at, covers } = nameOnWay(way, "found", { ...taken, names: [other] });
  assert.ok(!covers && !overlap(labelAt(at, 60), other) && !overlap(labelAt(at, 60), box));
});
