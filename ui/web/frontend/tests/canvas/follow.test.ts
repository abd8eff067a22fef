import assert from "node:assert/strict";
import { test } from "node:test";
import { viewWith } from "../../src/canvas/board/useFit";

const BOX = { id: "judge", x: 100, y: 100, w: 160, h: 84 };
const BOARD = { clientWidth: 700, clientHeight: 400 };
const VIEW = { x: 10, y: 20, zoom: 0.5 };

test("the view stays where the middle of a box is in it", () => {
  assert.equal(viewWith(VIEW, BOX, BOARD), VIEW);
  assert.equal(viewWith(VIEW, { ...BOX, x: -90 }, BOARD), VIEW);
});

test("a box that is outside moves to the middle, in the direction where it was outside alone", () => {
  assert.deepEqual(viewWith(VIEW, { ...BOX, x: 2000 }, BOARD), { x: 350 - 2080 * 0.5, y: 20, zoom: 0.5 });
  assert.deepEqual(viewWith(VIEW, { ...BOX, y: 900 }, BOARD), { x: 10, y: 200 - 942 * 0.5, zoom: 0.5 });
});
