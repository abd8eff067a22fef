import assert from "node:assert/strict";
import { test } from "node:test";
import { applicableKinds, clockOf, describePages, describeTaken, formatMeter, formatSpent, spendTitle } from "../../src/shared/budget";
import { emptyView } from "../view";

test("the offline model takes neither calls nor tokens nor money", () => {
  const kinds = { pages: 1, calls: 2, tokens: 3, dollars: 4, seconds: 5 };
  assert.deepEqual(applicableKinds(kinds, true), [["pages", 1], ["seconds", 5]]);
  assert.equal(applicableKinds(kinds, false).length, 5);
  assert.deepEqual(applicableKinds({ Pages: 1, Calls: 2 }, true), [["Pages", 1]]);
});

test("what a stream adds later stands in its place", () => {
  assert.deepEqual(applicableKinds({ seconds: 1, pages: 2, rounds: 3 }, true).map(([kind]) => kind), ["pages", "rounds", "seconds"]);
});

test("a meter has little room", () => {
  assert.deepEqual([["pages", 999], ["tokens", 12_000], ["tokens", 12_345], ["tokens", 2_000_000], ["seconds", 75]].map(([kind, value]) => formatMeter(kind as "pages", value as number)),
    ["999", "12k", "12.3k", "2M", "1:15"]);
  assert.deepEqual([0, 0.012, 1.5].map((value) => formatMeter("dollars", value)), ["0.00", "0.012", "1.50"]);
});

test("a figure has units", () => {
  assert.deepEqual([0.5, 12.345].map((value) => formatSpent("dollars", value)), ["$0.500", "$12.35"]);
  assert.deepEqual([3.14, 75].map((value) => formatSpent("seconds", value)), ["3.1 s", "1:15"]);
  assert.deepEqual([12.4, 12_345].map((value) => formatSpent("tokens", value)), ["12", "12.3k"]);
});

test("the clock is the server's, and not shown before the server has told it", () => {
  const view = emptyView({});
  view.spend.seconds.used = 75;
  assert.equal(clockOf(view, true), "1:15");
  assert.equal(clockOf(view, false), "");
  view.session.status = "answered";
  assert.equal(clockOf(view, false), "1:15");
});

test("what is counted as pages is said, and what a fork took over", () => {
  assert.deepEqual([spendTitle("pages", { used: 9, fetched: true }), spendTitle("pages", { used: 4, fetched: false })], ["Pages fetched", "Pages opened"]);
  const view = emptyView({});
  assert.equal(describeTaken(view), "");
  view.spend.seconds = { used: 91, taken: 82.4 };
  assert.equal(describeTaken(view), "1:22 of it taken over");
});

test("pages known from an earlier run are told beside those that were fetched", () => {
  const seen = (used: number, pages: number, read: number, sites = ["http://a.test/"]) => {
    const view = emptyView({ pages, read });
    view.session.sites = sites;
    view.spend.pages = { used, limit: 2000, fetched: true };
    return describePages(view);
  };
  assert.equal(seen(0, 975, 0), "975 more pages are known from an earlier run and were not fetched again");
  assert.equal(seen(1, 9, 1), "1 read for the answer · 8 more pages are known from an earlier run and were not fetched again");
  assert.equal(seen(69, 69, 1), "1 read for the answer, the others only mapped");
  assert.equal(seen(2, 9, 2, []), "2 read for the answer");
  assert.equal(describePages(emptyView({ pages: 9 })), "");
});
