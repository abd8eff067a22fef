import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAge, formatClock, formatMoment, formatPath, formatSite, nameSites, shorten } from "../../src/shared/format";

test("a clock has minutes and two digits of seconds", () => {
  assert.deepEqual([0, 9.99, 61, 3600].map(formatClock), ["0:00", "0:09", "1:01", "60:00"]);
});

test("when a step came is not written like how long it took", () => {
  assert.equal(formatMoment(12.7), "at 0:12");
});

test("a long text is cut", () => {
  assert.deepEqual([shorten("abc", 3), shorten("abcd", 3)], ["abc", "abc…"]);
});

test("an age is as short as it can be said", () => {
  const now = new Date(2026, 5, 17, 15, 0).getTime() / 1000;
  const at = (...time: [number, number, number, number]) => formatAge(new Date(...time).getTime() / 1000, now);
  assert.equal(formatAge(now - 30, now), "just now");
  assert.equal(formatAge(now - 150, now), "2 min ago");
  assert.equal(at(2026, 5, 17, 9), "6 h ago");
  assert.equal(at(2026, 5, 16, 23), "yesterday");
  assert.equal(at(2026, 5, 13, 9), "Sat");
  assert.equal(at(2026, 0, 3, 9), "Jan 3");
  assert.equal(at(2025, 0, 3, 9), "Jan 3, 2025");
});

test("a site with a name goes by it, with and without the scheme", () => {
  const text = "read http://127.0.0.1:4711/a.html and 127.0.0.1:4712";
  assert.equal(nameSites(text, { "http://127.0.0.1:4711/": "Handbook", "http://127.0.0.1:4712/": "Manual" }), "read Handbook/a.html and Manual");
  assert.equal(nameSites(text, {}), text);
});

test("a site is its host and path", () => {
  assert.equal(formatSite("https://www.example.org/docs/", {}), "example.org/docs");
  assert.equal(formatSite("http://127.0.0.1:1/", { "http://127.0.0.1:1/": "Handbook" }), "Handbook");
  assert.deepEqual([formatPath("https://a.test/b?c"), formatPath("https://a.test")], ["/b?c", "/"]);
});
