import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsOf, neighbourOf, normalizeUrl, panView, pathsFromRoot, placeLabels, visitArrows, zoomView } from "../../src/sitemap/map_geometry";

// The root with three pages around it; below the first of them one more.
const SITE = {
  url: ["r", "a", "b", "c", "d"], title: [], depth: [0, 1, 1, 1, 2], parent: [-1, 0, 0, 0, 1],
  x: [0, 100, 0, -100, 200], y: [0, 0, 100, 0, 0],
};

test("addresses of one page are one", () => {
  const spellings = ["http://a.test", "http://a.test/", "http://a.test/index.html", "http://a.test/#top"];
  assert.equal(new Set(spellings.map(normalizeUrl)).size, 1);
  assert.notEqual(normalizeUrl("http://a.test/b"), normalizeUrl("http://a.test/"));
});

test("the arrow keys go up, down and around", () => {
  assert.equal(neighbourOf(SITE, 0, "ArrowDown"), 1);
  assert.equal(neighbourOf(SITE, 1, "ArrowDown"), 4);
  assert.equal(neighbourOf(SITE, 4, "ArrowDown"), 4);
  assert.equal(neighbourOf(SITE, 4, "ArrowUp"), 1);
  assert.equal(neighbourOf(SITE, 0, "ArrowUp"), 0);
  assert.deepEqual([1, 2, 3].map((page) => neighbourOf(SITE, page, "ArrowRight")), [2, 3, 1]);
  assert.deepEqual([1, 2, 3].map((page) => neighbourOf(SITE, page, "ArrowLeft")), [3, 1, 2]);
  assert.equal(neighbourOf(SITE, 0, "ArrowRight"), 0);
});

test("the whole map has room at its edges", () => {
  assert.deepEqual(boundsOf(SITE), { x: -122, y: -22, w: 344, h: 144 });
});

test("zooming keeps a point where it is, within limits", () => {
  const whole = boundsOf(SITE);
  const seen = zoomView(whole, 0.5, { x: 0, y: 0 }, whole);
  assert.equal(seen.w, whole.w / 2);
  assert.ok(Math.abs((0 - seen.x) / seen.w - (0 - whole.x) / whole.w) < 1e-9);
  assert.equal(zoomView(whole, 0.001, { x: 0, y: 0 }, whole).w, 30);
  assert.equal(zoomView(whole, 99, { x: 0, y: 0 }, whole).w, 2 * whole.w);
});

test("the middle of the view stays on the map", () => {
  const seen = panView({ x: 0, y: 0, w: 100, h: 50 }, 9999, -9999, 200);
  assert.deepEqual(seen, { x: 150, y: -225, w: 100, h: 50 });
});

test("labels keep apart, each as near to its page as there is room", () => {
  const crowd = { ...SITE, x: [0, 1, 2, 3, 4], y: [0, 0, 0, 0, 0] };
  const placed = placeLabels([0, 1, 2, 3, 4].map((page) => ({ page })), crowd, 19);
  assert.deepEqual([placed[0]?.x, placed[0]?.y], [0, 0]);
  placed.forEach((one, at) => {
    for (const other of placed.slice(at + 1)) assert.ok(Math.hypot(one.x - other.x, one.y - other.y) >= 19 - 1e-9);
    assert.ok(Math.hypot(one.x - (crowd.x[one.page] ?? 0), one.y) < 19 * 6);
  });
});

test("labels with room stand on their pages", () => {
  const placed = placeLabels([{ page: 1 }, { page: 2 }], SITE, 19);
  assert.deepEqual(placed.map(({ x, y }) => [x, y]), [[100, 0], [0, 100]]);
});

test("paths lead from the root, each link once", () => {
  assert.equal(pathsFromRoot(SITE, [4, 1]), "M100,0L200,0M0,0L100,0");
  assert.equal(pathsFromRoot(SITE, [0]), "");
});

test("arrows lead from visit to visit, where these are apart", () => {
  const at = (page: number) => ({ page, x: SITE.x[page] ?? 0, y: SITE.y[page] ?? 0 });
  assert.equal(visitArrows([at(1), at(2), at(2), at(3)], 1).length, 2);
  assert.deepEqual(visitArrows([at(1), at(4)], 5), []);
  const [arrow] = visitArrows([at(0), at(1)], 1);
  assert.match(arrow?.line ?? "", /^M.*Q50,16 /);
});
