import assert from "node:assert/strict";
import { test } from "node:test";
import { copiedAnswer } from "../../src/run/copy_answer";
import type { LeadSentence } from "../../src/shared/run_view";
import { emptyView, evidence } from "../view";

const cited = (id: string, title: string, url = "http://a.test/") => ({ id, url, title, quote: "q", section: "", round: 1 });
const CITATIONS = { "1": cited("e7", "A & B"), "2": cited("e2", "", "javascript:alert(1)"), "3": cited("e3", "Not in the text") };
const FOUND = { e7: evidence({}), e2: evidence({}), e3: evidence({}) };
const ended = (answer: object, status = "answered") => {
  const view = emptyView({ answer: { text: "x", worth: "", ...answer }, citations: CITATIONS, evidence: FOUND });
  view.session.status = status;
  return copiedAnswer(view, {});
};
const body = (answer: object, status = "answered") => {
  const { text, html } = ended(answer, status);
  return { text: text.split("\n\n").slice(2).join("\n\n"), html: html.split("\n").slice(2).join("\n") };
};

test("an answer is copied with the numbers of its citations and their sources", () => {
  const { text, html } = ended({ text: "Ada lit it [e7].\n\nAt <b>Ona</b> [e2, e7] [x]." });
  assert.equal(text, "Who lit it?\n\nAnswered\n\nAda lit it [1].\n\nAt <b>Ona</b> [2][1] [x].\n\nSources:\n\n[1] A & B, http://a.test/\n[2] javascript:alert(1)\n");
  assert.equal(html, [
    "<h2>Who lit it?</h2>", "<p><em>Answered</em></p>",
    "<p>Ada lit it [1].</p>", "<p>At &lt;b&gt;Ona&lt;/b&gt; [2][1] [x].</p>", "<p>Sources:</p>",
    '<div>[1] <a href="http://a.test/">A &amp; B</a></div>', "<div>[2] javascript:alert(1)</div>",
  ].join("\n"));
});

test("the words that answer are bold, and lists, code and rows stay what they are", () => {
  const lead: LeadSentence = { part: "Which?", words: "--halt", quote: "e7", columns: [], yes_no: false, blocks: [{ kind: "text", cells: [[["Use ", false], ["--halt", true], [".", false]]] }] };
  const { text, html } = body({ laid: { before: [], leads: [lead], after: [], more: [] } });
  assert.ok(text.startsWith("--halt\n\nUse --halt. [1]\n\nSources:"));
  assert.ok(html.startsWith("<p><strong>--halt</strong></p>\n<p>Use <b>--halt</b>. [1]</p>\n"));
  const blocks: LeadSentence["blocks"] = [{ kind: "item", cells: [[["one", false]]] }, { kind: "code", cells: [[["  x", false]]] }, { kind: "row", cells: [[["a", false]], [["b", false]]] }];
  const several = body({ laid: { before: [], leads: [{ ...lead, words: "", blocks }], after: [], more: [] } });
  assert.ok(several.text.startsWith("- one\n  x\na\tb [1]"));
  assert.ok(several.html.startsWith("<ul><li>one</li></ul>\n<pre>  x</pre>\n<table><tr><td>a</td><td>b</td></tr></table>\n<p>[1]</p>"));
});

test("rows that follow each other are one table under its header, and a No stands before its reason", () => {
  const row = (...cells: string[]) => ({ kind: "row" as const, cells: cells.map((cell): [string, boolean][] => [[cell, false]]) });
  const lead: LeadSentence = { part: "What?", words: "", quote: "e7", columns: ["Code", "Meaning"], yes_no: false, blocks: [row("E3", "Blocked"), row("E4", "Open")] };
  const { text, html } = body({ laid: { before: [], leads: [lead], after: [], more: [] } });
  assert.ok(text.startsWith("Code\tMeaning\nE3\tBlocked\nE4\tOpen [1]\n"));
  assert.ok(html.startsWith("<table><tr><th>Code</th><th>Meaning</th></tr><tr><td>E3</td><td>Blocked</td></tr>\n<tr><td>E4</td><td>Open</td></tr></table>\n<p>[1]</p>"));
  const no: LeadSentence = { ...lead, words: "No", yes_no: true, columns: [], blocks: [{ kind: "text", cells: [[["Never do it.", false]]] }] };
  assert.ok(body({ laid: { before: [], leads: [no], after: [], more: [] } }).text.startsWith("No. Never do it. [1]\n"));
  const neither: LeadSentence = { ...no, words: "", yes_no: false, undecided: true };
  assert.ok(body({ laid: { before: [], leads: [neither], after: [], more: [] } }).text.startsWith("The page says:\n\nNever do it. [1]\n"));
});

test("a table is copied with tabs, and as a table", () => {
  const table = { columns: ["Name", "Height"], rows: [[{ text: "Skarn\nrock", cites: [] }, { text: "32 m", cites: ["e7"] }]] };
  const { text, html } = body({ table });
  assert.ok(text.startsWith("Name\tHeight\nSkarn rock\t32 m [1]\n\nSources:"));
  assert.ok(html.startsWith("<table><tr><th>Name</th><th>Height</th></tr><tr><td>Skarn rock</td><td>32 m [1]</td></tr></table>"));
});

test("what is no answer says so, and nothing turns text around", () => {
  const { text } = body({ text: "It \u202eis\u0000 so [e7]." }, "abstained");
  assert.ok(text.startsWith("No answer was recognized on the pages that were read. The nearest passages:\n\nIt is so [1]."));
});

test("the question stands first, then how the run ended", () => {
  const lines = (answer: object, status: string): string[] => ended(answer, status).text.split("\n\n").slice(0, 3);
  assert.deepEqual(lines({ text: "Ada [e7]." }, "answered"), ["Who lit it?", "Answered", "Ada [1]."]);
  assert.deepEqual(lines({ text: "Ada [e7].", doubts: [{ sentence: "So.", why: "No quote." }] }, "answered").slice(0, 2), ["Who lit it?", "Answered, uncertain · 1 statement not supported by the quotes."]);
  assert.deepEqual(lines({ text: "Ada [e7]." }, "abstained").slice(0, 2), ["Who lit it?", "Not found"]);
});

test("a table stands for its leads, between what was worked out and what contradicts it", () => {
  const lead: LeadSentence = { part: "Height of Skarn", words: "99 m", quote: "e7", columns: [], yes_no: false, blocks: [] };
  const table = { columns: ["", "Height"], rows: [[{ text: "Skarn", cites: ["e7"] }, { text: "32 m", cites: ["e7"] }]] };
  const { text } = body({ table, laid: { before: ["Worked out: 1 [e7]."], leads: [lead], after: ["Sources disagree: 2 [e2]."], more: [] } });
  assert.ok(text.startsWith("Worked out: 1 [1].\n\n\tHeight\nSkarn [1]\t32 m [1]\n\nSources disagree: 2 [2].\n\nSources:"));
  assert.ok(!text.includes("99 m"));
});

test("what was read so far is copied as such, without words in bold", () => {
  const lead: LeadSentence = { part: "Which?", words: "", quote: "e7", columns: [], yes_no: false, so_far: true, blocks: [{ kind: "text", cells: [[["Use it.", false]]] }] };
  const { text, html } = body({ laid: { before: [], leads: [lead], after: [], more: [] } }, "partial");
  assert.ok(text.startsWith("Read so far, not checked:\n\nUse it. [1]"));
  assert.ok(!html.includes("<strong>"));
});

test("what is copied of an uncertain answer carries its doubt", () => {
  const lead: LeadSentence = { part: "Which?", words: "--halt", quote: "e7", columns: [], yes_no: false, blocks: [{ kind: "text", cells: [[["Use --halt.", false]]] }] };
  const doubts = [{ sentence: "It halts.", why: "No quote." }];
  const view = emptyView({ answer: { text: "x", worth: "Certainty: 45 %", doubts, laid: { before: [], leads: [lead], after: [], more: [] } }, citations: CITATIONS, evidence: FOUND, parts: { "Which?": { quotes: 1, open: false, doubtful: true } } });
  view.session.status = "answered";
  const { text, html } = copiedAnswer(view, {});
  assert.match(text, /^Who lit it\?\n\nAnswered, uncertain · 1 statement .+ · Certainty: 45 %\n\nThis may answer it:\n\nUse --halt\. \[1\]\n/);
  assert.ok(text.includes("1 statement not supported by the quotes\n- It halts. (No quote.)"));
  assert.ok(!html.includes("<strong>"));
  const judged = { ...lead, words: "Yes", yes_no: true };
  assert.match(copiedAnswer({ ...view, answer: { ...view.answer, laid: { before: [], leads: [judged], after: [], more: [] } } }, {}).text, /This may answer it:\n\nYes\. Use/);
});

test("a page of an example site is named, as its address leads nowhere elsewhere", () => {
  const citations = { "1": cited("e7", "Harrow Light", "http://127.0.0.1:8110/harrow.html"), "2": cited("e2", "Begin", "http://127.0.0.1:8110/") };
  const view = emptyView({ answer: { text: "Lit. [e7] Here. [e2]", worth: "" }, citations, evidence: FOUND });
  const { text, html } = copiedAnswer(view, { "http://127.0.0.1:8110/": "Orrin Isles" });
  assert.ok(text.includes("[1] Harrow Light, Example site: Orrin Isles, page harrow.html\n[2] Begin, Example site: Orrin Isles"));
  assert.ok(!`${text}${html}`.includes("127.0.0.1"));
});
