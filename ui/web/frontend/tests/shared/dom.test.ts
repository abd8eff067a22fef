import assert from "node:assert/strict";
import { test } from "node:test";
import { createChangeCheck, isWebAddress } from "../../src/shared/dom";

test("only addresses of the web become links", () => {
  assert.deepEqual(["http://a", "HTTPS://a"].map(isWebAddress), [true, true]);
  for (const url of ["javascript:alert(1)", " http://a", "//a", "data:text/html,x", "ftp://a", ""]) assert.equal(isWebAddress(url), false, url);
});

test("a change is told once", () => {
  const changed = createChangeCheck();
  assert.deepEqual([changed([1]), changed([1]), changed([2]), changed([1])], [true, false, true, true]);
});
