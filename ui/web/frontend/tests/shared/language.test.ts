import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { formatAge } from "../../src/shared/format";
import { formatDollars, formatNumber, say, sayCount, sayNodes, sayTold, useCatalogue } from "../../src/shared/language";

const GERMAN = {
  texts: { "{n} pages": { one: "{n} Seite", other: "{n} Seiten" }, "“{text}”": "„{text}“", "Learned from {session}": "Gelernt aus {session}", "{n} h ago": "vor {n} Std.", Start: "Starten" },
  sentences: { "{n} arms": "{n} Seiten in der Rangliste", "{n} arms, {left} left": "{n} Seiten, {left} offen" },
};

afterEach(() => useCatalogue("en", { texts: {}, sentences: {} }));

test("English texts are their own translations, and take values by name", () => {
  assert.equal(say("Page {number}: {value}", { number: 1234, value: "x" }), "Page 1,234: x");
  assert.deepEqual([0, 1, 1234].map((n) => sayCount(n, "{n} page", "{n} pages")), ["0 pages", "1 page", "1,234 pages"]);
  assert.equal(say("{unknown} stays"), "{unknown} stays");
});

test("a catalogue translates texts, plurals, and sentences of the server", () => {
  useCatalogue("de", GERMAN);
  assert.equal(say("Start"), "Starten");
  assert.equal(say("Stop"), "Stop");
  assert.deepEqual([0, 1, 1234].map((n) => sayCount(n, "{n} page", "{n} pages")), ["0 Seiten", "1 Seite", "1.234 Seiten"]);
  assert.equal(sayTold("12 arms"), "12 Seiten in der Rangliste");
  assert.equal(sayTold("12 arms, 3 left"), "12 Seiten, 3 offen");
  assert.equal(sayTold("1,169 arms"), "1.169 Seiten in der Rangliste");
  assert.equal(sayTold("12 things"), "12 things");
  assert.equal(sayTold("3 arms · 12 arms"), "3 Seiten in der Rangliste · 12 Seiten in der Rangliste"); // no value takes in the first
});

test("elements stand where the translation wants them", () => {
  useCatalogue("de", GERMAN);
  assert.deepEqual(sayNodes("Learned from {session}", { session: "q01" }), ["Gelernt aus ", "q01", ""]);
});

test("numbers and times are written as in the language", () => {
  const noon = new Date(2026, 7, 2, 12).getTime() / 1000;
  assert.deepEqual([formatNumber(1234.5, 2), formatDollars(0.5, 3)], ["1,234.50", "$0.500"]);
  useCatalogue("de", GERMAN);
  assert.deepEqual([formatNumber(1234.5, 2), formatDollars(0.5, 3)], ["1.234,50", "0,500\u00a0$"]);
  assert.equal(formatAge(noon - 7200, noon), "vor 2 Std.");
  assert.equal(formatAge(noon - 30 * 86400, noon), "3. Juli");
});

test("what a page says stands in the quotation marks of the language, in its own words", () => {
  assert.equal(sayTold("“Start · 3 arms”"), "“Start · 3 arms”");
  useCatalogue("de", GERMAN);
  assert.equal(sayTold("“Start · 3 arms”"), "„Start · 3 arms“");
  assert.equal(sayTold("“one” and “another”"), "“one” and “another”");
});
