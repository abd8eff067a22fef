import assert from "node:assert/strict";
import { test } from "node:test";
import { describeNoAnswer, leadPlace } from "../../src/run/answer";
import { styledPieces, textBlocks } from "../../src/run/answer_text";
import { describePlace } from "../../src/run/head";
import { isSameAnswer, originToCompare } from "../../src/run/fork_effect";
import { nameQuotes } from "../../src/run/evidence_rows";
import { numberQuotes } from "../../src/run/quote_card";
import { saidBefore } from "../../src/run/leads";
import { newsOf } from "../../src/run/notify";
import { describeProgress } from "../../src/run/status";
import { coverageOf, describeJudge, describeOpen, describeWorth, needsPill, ratesEachPart, verdictOf } from "../../src/run/verdict";
import type { Piece } from "../../src/shared/run_view";
import { describeStatus } from "../../src/shared/signs";
import { emptyView, entry, evidence } from "../view";

const CITATION = { id: "e7", url: "http://a.test/", title: "A", quote: "q", section: "", round: 1 };
const numbers = (view: ReturnType<typeof emptyView>) => [...numberQuotes(view)].map(([id, quote]) => [id, quote.number]);

test("cited quotes have the number of the answer, the others none", () => {
  const found = { e7: evidence({ dated: "2020", score: 2 }), e8: evidence({}) };
  const view = emptyView({ answer: { text: "Ada [e7].", worth: "" }, citations: { "1": CITATION }, evidence: found });
  assert.deepEqual(numbers(view), [["e7", "1"], ["e8", "–"]]);
  const quote = numberQuotes(view).get("e7");
  assert.deepEqual([quote?.dated, quote?.score], ["2020", 2]);
});

test("the quotes of a draft are numbered in reading order, the others have no number", () => {
  const draft = ["e7", "e2"].map((quote) => ({ quote, blocks: [] }));
  const view = emptyView({ answer: { text: "", worth: "", draft }, evidence: { e2: evidence({}), e5: evidence({}), e7: evidence({}) } });
  assert.deepEqual(numbers(view), [["e2", "2"], ["e5", "–"], ["e7", "1"]]);
});

test("an answer is covered, partly covered or not found, in words", () => {
  const view = emptyView({ answer: { text: "Ada [e7].", worth: "" }, parts: { "Who?": { quotes: 1, open: false, doubtful: false }, "When?": { quotes: 0, open: false, doubtful: false } }, evidence: { e7: evidence({}) } });
  assert.equal(verdictOf(view), null);
  view.session.status = "answered";
  assert.deepEqual(verdictOf(view), { kind: "found", word: "Answered", why: "Both sub-questions have quotes." });
  view.answer.doubts = [{ sentence: "So.", why: "No quote." }];
  assert.deepEqual(verdictOf(view), { kind: "uncertain", word: "Answered, uncertain", why: "1 statement not supported by the quotes." });
  Object.assign(view.session, { status: "partial", open: ["When?"] });
  assert.match(verdictOf(view)?.why ?? "", /^1 of 2 sub-questions is still open\./);
  view.session.status = "abstained";
  assert.equal(verdictOf(view)?.kind, "nothing");
});

test("a sub-question whose quote is unlikely to answer it is uncertain, never covered", () => {
  const view = emptyView({ answer: { text: "Ada [e7].", worth: "" }, parts: { "Who?": { quotes: 1, open: false, doubtful: false }, "When?": { quotes: 1, open: false, doubtful: true } }, evidence: { e7: evidence({}) } });
  view.session.status = "answered";
  assert.deepEqual(verdictOf(view), { kind: "uncertain", word: "Answered, uncertain", why: "The quote for 1 sub-question may not answer it." });
  assert.deepEqual(Object.values(view.parts).map(coverageOf), ["found", "uncertain"]);
});

test("of a single question it is not said how many sub-questions are uncertain", () => {
  const view = emptyView({ answer: { text: "Ada [e7].", worth: "" }, parts: { "Who?": { quotes: 1, open: false, doubtful: true } }, evidence: { e7: evidence({}) } });
  view.session.status = "answered";
  assert.deepEqual(verdictOf(view), { kind: "uncertain", word: "Answered, uncertain", why: "" });
});

test("an answer whose first sentence is more likely wrong than right is a possible one, and one with such a part is uncertain", () => {
  const unlikely = { quotes: 1, open: false, doubtful: true, unlikely: true, likely: 0.19 };
  const view = emptyView({ answer: { text: "Ada [e7].", worth: "Certainty: 19 %" }, parts: { "Who?": unlikely } });
  Object.assign(view.session, { status: "answered", stands: "unlikely" });
  assert.deepEqual(verdictOf(view), { kind: "unlikely", word: "Possibly answered", why: "The first sentence may be wrong; another quote below may answer." });
  assert.deepEqual(describeStatus("unlikely"), ["unlikely", "Possibly answered"]);
  assert.equal(coverageOf(unlikely), "unlikely");
  view.parts["When?"] = { quotes: 1, open: false, doubtful: false, likely: 0.9 };
  view.session.stands = "uncertain";
  assert.deepEqual(verdictOf(view), { kind: "uncertain", word: "Answered, uncertain", why: "1 of 2 sub-questions is only possibly answered." });
});

test("each of several sub-questions has its own likelihood", () => {
  const lead = (part: string) => ({ part, words: "", quote: "e7", columns: [], yes_no: false, blocks: [] });
  const view = emptyView({ answer: { text: "x", worth: "Certainty: 40 %", laid: { before: [], leads: [lead("Who?"), lead("When?")], after: [], more: [] } } });
  assert.ok(!ratesEachPart(view), "one of an older session has none of their own");
  view.parts = { "Who?": { quotes: 1, open: false, doubtful: false, likely: 0.9 }, "When?": { quotes: 1, open: false, doubtful: true, unlikely: true, likely: 0.4 } };
  assert.ok(ratesEachPart(view));
  assert.deepEqual(Object.values(view.parts).map(describeWorth), ["Certainty: 90 %", "Certainty: 40 %"]);
});

test("quotes that agree are told by the number of their citation, or else by their page", () => {
  const rows = [{ ...evidence({ cited: 2 }), id: "e7" }, { ...evidence({ title: "B" }), id: "e8" }, { ...evidence({ title: "B" }), id: "e9" }];
  assert.deepEqual(nameQuotes(["e7", "e8", "e9", "e10"], rows), ["[2]", "B"]);
});

test("a fork whose hint changed nothing has the same words and the same quotes", () => {
  const view = emptyView({ answer: { text: "Ada [e7].", worth: "" }, citations: { "1": CITATION } });
  view.session.forked = { origin: "ona", step: 2, hint: "Look at B" };
  assert.equal(originToCompare(view), "");
  view.session.status = "answered";
  assert.equal(originToCompare(view), "ona");
  const before = { answer: "Ada [e2].", citations: [{ url: CITATION.url, quote: CITATION.quote }] };
  assert.ok(isSameAnswer(view, before));
  assert.ok(!isSameAnswer(view, { ...before, answer: "Bea [e2]." }));
  assert.ok(!isSameAnswer(view, { ...before, citations: [] }));
});

test("a run that ended before a page was read does not say that no page answers", () => {
  const view = emptyView({});
  view.session.status = "abstained";
  assert.deepEqual(verdictOf(view), { kind: "nothing", word: "Not found", why: "No page was found that could be read." });
  const stopped = { ...view, session: { ...view.session, status: "partial" }, answer: { text: "", worth: "", reason: "The run was stopped. No page was read." } };
  assert.deepEqual(verdictOf(stopped), { kind: "nothing", word: "Ended without an answer", why: "Stopped before a page was read for an answer." });
  const reading = { ...stopped, read: 1, pages: 46, answer: { text: "", worth: "", reason: "The run was stopped. Pages read: 1 of 46." } };
  assert.equal(verdictOf(reading)?.why, "Ended before reading was done; 1 page was opened.");
  assert.equal(verdictOf({ ...reading, session: { ...reading.session, status: "abstained" } })?.why, "Ended before reading was done; 1 page was opened.");
  assert.equal(describeOpen({ read: 1, status: "partial", stopped: true }), "Still open");
  assert.equal(verdictOf({ ...view, pages: 46 })?.why, "46 pages are known, but the run ended before one was read.");
});

test("what was not found is told with the pages that were read, and the site only when all of them were", () => {
  const view = emptyView({ read: 2, pages: 5, parts: { "Who?": { quotes: 0, open: true, doubtful: false } } });
  assert.equal(describeOpen({ read: view.read, status: view.session.status }), "Still open");
  view.session.status = "abstained";
  assert.equal(describeOpen({ read: view.read, status: view.session.status }), "Not found on the 2 pages read");
  assert.deepEqual(verdictOf(view), { kind: "nothing", word: "Not found", why: "Not found on the 2 pages that were read. 3 known pages were not read." });
  view.pages = 2;
  assert.equal(verdictOf(view)?.why, "All 2 known pages were read; no answer was recognized.");
  view.pages = 0; // found by a search
  assert.equal(verdictOf(view)?.why, "Not found on the 2 pages that were read.");
});

test("the status of an answer never says more than its weakest part", () => {
  assert.deepEqual(["answered", "uncertain", "partial", "abstained"].map(describeStatus),
    [["found", "Answered"], ["uncertain", "Answered, uncertain"], ["partial", "Partly answered"], ["nothing", "Not found"]]);
});

test("what a model writes keeps its lists, code and tables", () => {
  const lines = ["Do this:", "1. Stop", "2. `run` it", "- or not", "```sh", "a | b", "", "- c", "```", "| x | y |", "|---|---|", "| 1 | 2 |", "", "End."];
  assert.deepEqual(textBlocks(lines), [
    { kind: "text", text: "Do this:" }, { kind: "list", ordered: true, items: ["Stop", "`run` it"] }, { kind: "list", ordered: false, items: ["or not"] },
    { kind: "code", text: "a | b\n\n- c" }, { kind: "table", rows: [["x", "y"], ["1", "2"]] }, { kind: "text", text: "End." },
  ]);
  assert.deepEqual(styledPieces("set `a` to **42**!"), [["set ", "plain"], ["a", "code"], [" to ", "plain"], ["42", "strong"], ["!", "plain"]]);
});

test("a run without an answer says why, and what to do", () => {
  assert.match(describeNoAnswer("running", ""), /^Finding pages/);
  assert.match(describeNoAnswer("running", "", 1), /^Reading/);
  assert.match(describeNoAnswer("paused", ""), /Resume to continue/);
  assert.equal(describeNoAnswer("failed", "No key."), "No key.");
  assert.equal(describeNoAnswer("failed", ""), "The run failed.");
  assert.equal(describeNoAnswer("answered", ""), "There is no answer.");
});

test("the status names the node at work, or what was asked of the run", () => {
  const view = emptyView({ timeline: { "1": entry({ outcome: "now", node: "survey" }) } });
  assert.equal(describeProgress(view, false), "Running · Find pages");
  assert.equal(describeProgress(view, true), "Connection lost, trying again");
  view.session.asked = "pause";
  assert.equal(describeProgress(view, false), "Pausing after this step");
  Object.assign(view.session, { status: "paused", stands: "paused" });
  assert.equal(describeProgress(view, false), "Paused");
});

test("a run that waits or ended by itself is news, one that its user paused is none", () => {
  const view = emptyView({});
  assert.equal(newsOf("running", view), "");
  const news = (status: string, before = "running") => {
    Object.assign(view.session, { status, stands: status });
    return newsOf(before, view);
  };
  assert.deepEqual(["waiting", "answered", "failed", "paused"].map((status) => news(status)), ["Needs your approval", "Answered", "Failed", ""]);
  assert.equal(news("answered", ""), ""); // as it was when the page was opened
  assert.equal(news("answered", "answered"), "");
});

test("what was not read is not called tried", () => {
  const view = emptyView({ pages: 10, read: 2, answer: { text: "", worth: "", reason: "No other page looked likely. Pages read: 2 of 10." } });
  view.session.status = "abstained";
  assert.equal(verdictOf(view)?.why, "Not found on the 2 pages that looked likely. The other 8 known pages match the question less and were not read.");
});

test("a stopped run whose parts all have quotes does not say that some were not found", () => {
  const view = emptyView({ read: 2, pages: 5, answer: { text: "Ada [e7].", worth: "", reason: "The run was stopped." }, parts: { "Who?": { quotes: 1, open: false, doubtful: false } } });
  view.session.status = "partial";
  assert.equal(verdictOf(view)?.why, "The run was stopped before its answer was checked.");
});

test("the name of a row and the cell after it cite the same lead", () => {
  const inNames = [true, false, false, true, false]; // two rows; the first has two cells of this quote
  assert.deepEqual(inNames.map((_, pressed) => leadPlace(inNames, pressed)), [0, 0, 1, 2, 2]);
});

test("the head of a run names what was searched in fact", () => {
  assert.equal(describePlace({ sites: [], searched: "", providers: [] }, {}), "the web");
  assert.equal(describePlace({ sites: [], searched: "", providers: ["brave", "duckduckgo", "sites"] }, {}), "the web (brave, duckduckgo)");
  assert.equal(describePlace({ sites: [], searched: "", providers: ["sites"] }, {}), "pages read before, not the web");
  assert.equal(describePlace({ sites: [], searched: "kept", providers: ["brave"] }, {}), "pages read before, not the web");
  assert.equal(describePlace({ sites: ["https://a.test/"], searched: "", providers: ["brave"] }, {}), "a.test");
});

test("what a stopped run had not judged counts as no answer, not even as a part of one", () => {
  const view = emptyView({ read: 2, answer: { text: "Ada [e7].", worth: "", reason: "The run was stopped." }, parts: { "Who?": { quotes: 1, open: false, doubtful: false, unjudged: true } } });
  view.session.status = "partial";
  assert.deepEqual(verdictOf(view), { kind: "partial", word: "Stopped", why: "The run was stopped before its answer was checked." });
  assert.deepEqual(Object.values(view.parts).map(coverageOf), ["partial"]);
  assert.deepEqual(describeStatus("stopped"), ["partial", "Stopped"]);
});

test("under a head with the status the verdict does not repeat it", () => {
  const view = emptyView({ answer: { text: "Ada [e7].", worth: "" }, parts: { "Who?": { quotes: 1, open: false, doubtful: true } } });
  Object.assign(view.session, { status: "answered", stands: "uncertain" });
  assert.ok(needsPill(view, false));
  assert.ok(!needsPill(view, true));
  view.session.stands = "answered";
  assert.ok(needsPill(view, true));
});

test("who checked an answer is said: rules, or the language model", () => {
  const view = emptyView({ answer: { text: "Ada [e7].", worth: "Certainty: 71 %" } });
  assert.equal(describeJudge(view), "");
  view.session.status = "answered";
  assert.equal(describeJudge(view), "estimated by rules");
  view.session.model = "openai:gpt-4.1-mini, critic=openai:o4";
  assert.equal(describeJudge(view), "Checked with openai:gpt-4.1-mini");
  view.session.status = "abstained";
  assert.equal(describeJudge(view), "");
});

test("a row that answers two sub-questions is told once", () => {
  const lead = (words: string, marked: number) => ({ part: words, words, quote: "e7", columns: [], yes_no: false, blocks: [{ kind: "row" as const, cells: ["11:30", "Dlamini", "Corrib Hall"].map((cell, at): Piece[] => [[cell, at === marked]]) }] });
  assert.deepEqual(saidBefore([lead("Dlamini", 1), lead("Corrib Hall", 2), { ...lead("Dlamini", 1), quote: "e8" }]), [false, true, false]);
});
