import assert from "node:assert/strict";
import { test } from "node:test";
import { addSites, splitSites } from "../../src/ask/site_list";

test("sites are parted by blanks, lines, commas and semicolons", () => {
  assert.deepEqual(splitSites(" a.test, b.test\nc.test;d.test/x "), ["a.test", "b.test", "c.test", "d.test/x"]);
  assert.deepEqual(splitSites(" , "), []);
});

test("a site is added once", () => {
  assert.deepEqual(addSites(["a.test"], "b.test a.test"), ["a.test", "b.test"]);
});
