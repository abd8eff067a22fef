import assert from "node:assert/strict";
import { test } from "node:test";
import { addSites, isSite, splitSites } from "../../src/ask/site_list";

test("sites are parted by blanks, lines, commas and semicolons", () => {
  assert.deepEqual(splitSites(" a.test, b.test\nc.test;d.test/x "), ["a.test", "b.test", "c.test", "d.test/x"]);
  assert.deepEqual(splitSites(" , "), []);
});

test("a site is added once", () => {
  assert.deepEqual(addSites(["a.test"], "b.test a.test"), { sites: ["a.test", "b.test"], refused: [] });
});

test("what is no site is told, and what is one is kept", () => {
  assert.deepEqual(addSites([], "asdf!! a.test foo bar"), { sites: ["a.test"], refused: ["asdf!!", "foo", "bar"] });
  for (const site of ["a.test", "http://intranet/docs", "localhost:8000", "127.0.0.1:1", "[::1]:80", "müller.de", "a.test/x?y=1", "例え.jp"]) assert.ok(isSite(site), site);
  for (const text of ["asdf!!", "foo", "a..b", "ftp://a.test", "http://", "a b.test", "x@", ".", "intranet:80"]) assert.ok(!isSite(text), text);
});
