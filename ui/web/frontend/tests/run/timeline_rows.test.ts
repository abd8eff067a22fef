import assert from "node:assert/strict";
import { test } from "node:test";
import { describeResult, endWork, entryText, isUnimportant, shownEntries, signOf, summarizeEntry } from "../../src/run/timeline_rows";
import { plainWords, titleWarnings } from "../../src/run/plain_words";
import { emptyView, entry } from "../view";

const ROW = { node: "act", type: "actor", text: "opened B", outcome: "now" as const, seconds: 1 };

test("entries that say nothing are left out, as is the begin of a run", () => {
  const timeline = {
    "1": entry({ title: "Begun", type: "" }), "2": entry({ text: "" }), "3": entry({ outcome: "now" }), "4": entry({ text: "12 pages" }),
  };
  assert.deepEqual(shownEntries(emptyView({ timeline }), {}).map(([key]) => key), ["3", "4"]);
});

test("what was at work when a run was left is interrupted", () => {
  const view = emptyView({ timeline: { "1": entry({ outcome: "now", rows: { "2": ROW } }) } });
  const outcomes = ([, found]: ReturnType<typeof shownEntries>[number]) => [found.outcome, found.rows["2"]?.outcome];
  assert.deepEqual(shownEntries(view, {}).map(outcomes), [["now", "now"]]);
  view.session.status = "paused";
  assert.deepEqual(shownEntries(view, {}).map(outcomes), [["interrupted", "interrupted"]]);
  assert.equal(endWork(entry({ outcome: "found" })).outcome, "found");
});

test("a step that failed alike each time that it was tried is told once", () => {
  const failed = { outcome: "failed" as const, text: "The host is unknown." };
  const timeline = { "1": entry(failed), "2": entry(failed), "3": entry({ ...failed, text: "It is down." }) };
  assert.deepEqual(shownEntries(emptyView({ timeline }), {}).map(([key]) => key), ["2", "3"]);
});

test("that all rounds are used takes little room", () => {
  const [shown] = shownEntries(emptyView({ timeline: { "1": entry({ text: "no arm is left (all rounds are used, 2 of them when the same question was asked before)" }) } }), {});
  assert.equal(shown && isUnimportant(shown[1]), true);
});

test("a warning has the sign of one", () => {
  assert.equal(signOf(entry({ type: "", title: "Warned" })), "partial");
  assert.equal(signOf(entry({ type: "", title: "Interrupted" })), "interrupted");
  assert.equal(signOf(entry({ outcome: "failed" })), "failed");
  assert.equal(signOf(entry({})), "found");
  assert.equal(signOf(entry({ url: "http://a.test/" })), "done", "a round that ended with enough quotes may still be uncertain");
  const [shown] = shownEntries(emptyView({ timeline: { "1": entry({ type: "", title: "Warned", text: "no network" }) } }), {});
  assert.equal(shown?.[1].title, "Warning");
});

test("what was told to a run is named by its kind", () => {
  const told = {
    "hint: ask the keeper · of Ona": ["Your hint", "ask the keeper · of Ona"], "site: https://holm.test/ · site: https://a.test/": ["Site added", "https://holm.test/, https://a.test/"],
    "forbidden: holm.test": ["Not to be read", "holm.test"], "pages: 3,000 · seconds: no limit": ["Limits changed", "pages: 3,000 · seconds: no limit"],
    "site: https://a.test/ · pages: 9": ["Your hint", "site: https://a.test/ · pages: 9"],
  };
  const shown = (text: string) => shownEntries(emptyView({ timeline: { "1": entry({ type: "", title: "Steered", text }) } }), {}).map(([, each]) => [each.title, each.text])[0];
  assert.deepEqual(Object.fromEntries(Object.keys(told).map((text) => [text, shown(text)])), told);
});

test("what only the developers of the program call so has a plain name", () => {
  const view = emptyView({ timeline: { "1": entry({ title: "Reread known pages", text: "7 arms" }), "2": entry({ text: "1 arm" }) } });
  assert.deepEqual(shownEntries(view, {}).map(([, { title, text }]) => [title, text]), [["Reread known pages", "7 ranked pages"], ["Find pages", "1 ranked page"]]);
});

test("known pages with nothing to quote are told once", () => {
  const vain = entry({ title: "Reread known pages", text: "0 passages" });
  const view = emptyView({ timeline: { "1": vain, "2": entry({ text: "1 arm" }), "3": vain } });
  assert.deepEqual(shownEntries(view, {}).map(([, { text }]) => text), ["nothing to quote", "1 ranked page"]);
});

test("what the steps tell needs no knowledge of the program", () => {
  const told = {
    "kept 9 (e10, e11, e12 …), dropped e3": "kept 9 quotes · dropped 1", "kept e1, e2 · still open: when?": "kept 2 quotes · still open: when?", "kept nothing": "kept no quotes",
    "asks: And when (town born)? (about town born)": "read as a follow-up: And when?", "asks: When was it lit?": "understood as: When was it lit?",
    enough: "quotes that may answer", "not enough: open: Who?; open: When?": "still open: Who?; When?", "moved A": "opened A",
    "visit http://a.test/: the page drawn for this round": "open http://a.test/, chosen for this round", "no arm is left (all rounds are used)": "all rounds are used", "no arm is left (nothing is left open)": "no further page to open · nothing is left open",
    "visit Tidewater 2027/friday.html: the page drawn for this round": "open Tidewater 2027/friday.html, chosen for this round", "Click the link “Old”: more of the list, by rule": "Click the link “Old”: more of the list",
    "2 lessons recalled and 1 attempt of earlier sessions (the same question, on a.test, just now)": "2 lessons recalled · 1 attempt of earlier sessions",
  };
  const search = "No provider could search. duckduckgo could not be reached. Check the network, or choose another search provider (Settings, FORAGER_SEARCH). sites knows no page yet. Ask a question about a site first, with --site.";
  assert.equal(plainWords(search), "No provider could search. DuckDuckGo could not be reached. Check the network, or choose another search provider in Settings. No site was read yet: name one under Sites.");
  assert.deepEqual(Object.keys(told).map(plainWords), Object.values(told));
});

test("what an attempt came to does not repeat its page", () => {
  const round = entry({ title: "1 · A", url: "http://a.test/", text: "infeasible: A: nothing about the question." });
  const [shown] = shownEntries(emptyView({ timeline: { "1": round } }), {});
  assert.equal(shown && entryText(shown[1]), "nothing relevant on this page");
});

test("one line says what is done now", () => {
  assert.equal(summarizeEntry(entry({ text: "12 pages" }), emptyView()), "Find pages · 12 pages");
  assert.equal(summarizeEntry(entry({ outcome: "now", title: "1 · A", rows: { "2": ROW } }), emptyView()), "1 · A · Open: opened B");
});

test("the verdict and the ids of the ledger are not repeated in words", () => {
  assert.equal(entryText(entry({ text: "answered: Ada lit it [e1, e2]." })), "Ada lit it.");
  assert.ok(isUnimportant(entry({ text: "nothing new" })));
  assert.ok(!isUnimportant(entry({ text: "nothing new", url: "http://a.test/" })));
});

test("a checkpoint tells its result without the words of the program", () => {
  assert.equal(describeResult("infeasible: A: nothing about the question."), "A: nothing relevant on this page");
  assert.equal(describeResult("partial: A: 3 passages; open: Who?"), "A: 3 quotes; still open: Who?");
  assert.equal(describeResult("answered: “1874” [e1]\nMore quotes:\n“Its lamp” [e1]"), "“1874”");
  assert.deepEqual(["abstained: ", "abstained", "nothing"].map(describeResult), ["Not found", "Not found", "Not found"]);
});

test("a run that went on from an earlier step says so", () => {
  const timeline = { "1": entry({ type: "", title: "Rewound", text: "step 71" }), "2": entry({ type: "", title: "Rewound", text: "step 4 · pages: 8" }), "3": entry({ type: "", title: "Rewound", text: "end of step 67" }), "4": entry({ type: "", title: "Rewound", text: "step 9 · set aside: e1, e2" }) };
  assert.deepEqual(shownEntries(emptyView({ timeline }), {}).map(([, { title, text }]) => [title, text]), [
    ["Continued from step 71", ""], ["Continued from step 4", "pages: 8"], ["Back to the end at step 67", ""],
    ["Looked further", "without the quote of that answer"],
  ]);
});

test("that the web could not be searched is the title of what went wrong", () => {
  const away = "duckduckgo could not be reached. Check the network, or choose another search provider (Settings, FORAGER_SEARCH).";
  const kept = "Not the web, but pages that earlier sessions have fetched were searched.";
  assert.deepEqual(titleWarnings([kept, away, "8 pages answered 404 Not Found."]), { title: "The web could not be searched: DuckDuckGo could not be reached.", folded: true });
  assert.deepEqual(titleWarnings([`No provider could search. ${away} sites knows no page yet.`]).title, "The web could not be searched: DuckDuckGo could not be reached.");
  assert.deepEqual(titleWarnings([kept, "https://a.test/ answered 404 Not Found."]), { title: "2 warnings", folded: false });
});
