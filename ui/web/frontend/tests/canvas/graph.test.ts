import assert from "node:assert/strict";
import { test } from "node:test";
import { breakpointAt, nextBreakpoint, withBreakpoint } from "../../src/canvas/graph/breakpoints";
import { chosenAfter, duplicated, pasted, copyText } from "../../src/canvas/graph/clipboard";
import { linked } from "../../src/canvas/graph/links";
import { nodeFacts, summarizeNode, withParam } from "../../src/canvas/graph/node_summary";
import { withRemoved } from "../../src/canvas/graph/removed_nodes";
import { misnamed, renamed, shownName } from "../../src/canvas/graph/rename";
import { reuseEqualParts } from "../../src/canvas/graph/shared_structure";
import { connected, freeName, lostTarget, openRoutes, readEdge, refusal, targets, without, written } from "../../src/canvas/graph/spec";
import { flowNodes } from "../../src/canvas/layout/flow_model";
import { buildScene } from "../../src/canvas/layout/scene";
import type { NodeSpec, Note } from "../../src/canvas/graph/types";
import { spec, TYPES } from "./graphs";

const chosen = (...ids: string[]) => ({ nodes: new Set(ids), edges: new Set<string>() });
const scene = (graph = spec()) => buildScene(graph, TYPES, new Set(), null, null);

test("an edge is written as it was read", () => {
  for (const text of ["start -> select", "select.arm => act", "act.moved -> end"]) {
    const edge = readEdge(text);
    assert.ok(edge);
    assert.equal(written(edge), text);
  }
  assert.equal(readEdge("act moved -> end"), null);
  assert.deepEqual(readEdge(" a.b  =>  c "), { source: "a", route: "b", target: "c", fan: true });
});

test("a route that has no edge is open", () => {
  assert.deepEqual(openRoutes(spec(), "select", TYPES), ["exhausted"]);
  assert.deepEqual(openRoutes(spec(), "start", TYPES), []);
  assert.deepEqual(targets(spec(), TYPES, "select", "exhausted"), ["select", "act", "answer", "end"]);
});

test("an edge that cannot be is refused in words", () => {
  assert.match(refusal(spec(), TYPES, "select", "arm", "answer"), /already leads to act/);
  assert.match(refusal(spec(), TYPES, "select", "none", "answer"), /has no route none/);
  assert.match(refusal(spec(), TYPES, "select", "exhausted", "start"), /into start/);
  assert.equal(refusal(spec(), TYPES, "select", "exhausted", "answer"), "");
});

test("a node is taken out with its edges and its place in a group", () => {
  const rest = without(spec({ folds: { pair: ["act", "answer"], one: ["act"] } }), ["act"]);
  assert.deepEqual(rest.edges, ["start -> select", "answer.end -> end"]);
  assert.deepEqual(rest.folds, { pair: ["answer"] });
});

test("a name is free, small and short", () => {
  assert.equal(freeName("act", spec().nodes), "act_2");
  assert.equal(freeName("My Node!", {}), "my_node_");
  assert.equal(freeName("start", {}), "start_2");
  assert.equal(freeName("123", {}), "node");
});

test("an edge that is drawn takes the open route that fits, and fans out as its neighbours do", () => {
  const outcome = linked(spec(), TYPES, { source: "select", sourceHandle: "select.exhausted", target: "act" }, null);
  assert.ok("edge" in outcome);
  assert.equal(written(outcome.edge), "select.exhausted => act");
});

test("an end that is moved leads the edge elsewhere, or says why not", () => {
  const moved = linked(spec(), TYPES, { source: "act", target: "answer" }, { text: "act.moved -> act", end: "target" });
  assert.ok("edge" in moved);
  assert.equal(written(moved.edge), "act.moved -> answer");
  const refused = linked(spec(), TYPES, { source: "answer", target: "act" }, { text: "act.moved -> act", end: "source" });
  assert.deepEqual(refused, { refused: "Every route of answer leads somewhere already." });
});

test("what is copied can be pasted, under names that are free", () => {
  const text = copyText(spec(), scene(), chosen("select", "act"));
  const done = pasted(spec(), scene(), text);
  assert.ok(done);
  const [graph, names] = done;
  assert.deepEqual(names, ["select_2", "act_2"]);
  assert.deepEqual(graph.edges.slice(-2), ["select_2.arm => act_2", "act_2.moved -> act_2"]);
  assert.deepEqual(duplicated(spec(), scene(), chosen("act"))[1], ["act_2"]);
});

test("notes are copied with the nodes beside them", () => {
  const note: Note = { text: "Walks", colour: "blue", place: [980, 1020, 200, 100] };
  const graph = spec({ notes: { note_1: note }, positions: { act: [1000, 1060] } });
  const [twice, fresh] = duplicated(graph, scene(graph), chosen("act", "note:note_1"));
  assert.deepEqual(fresh, ["act_2", "note:note_2"]);
  const { place: [x, y, ...size], ...told } = twice.notes?.note_2 ?? note;
  assert.deepEqual([told, size], [{ text: "Walks", colour: "blue" }, [200, 100]]);
  const [left = 0, top = 0] = twice.positions.act_2 ?? [];
  assert.deepEqual([left - x, top - y], [20, 40]);
  assert.equal(pasted(spec(), scene(), '{"nodes": {}, "notes": {"a": {"text": 1}}}'), null);
});

test("a frame chooses nodes alone, a click also an edge", () => {
  const none = { nodes: new Set<string>(), edges: new Set<string>() };
  const picked = [{ id: "select.arm => act", selected: true }];
  assert.equal(chosenAfter(none, picked, true, true).edges.size, 0);
  const clicked = chosenAfter(none, picked, true, false);
  assert.deepEqual([...clicked.edges], ["select.arm => act"]);
  assert.equal(chosenAfter(clicked, [{ id: "select.arm => act", selected: false }], true, true).edges.size, 0);
  assert.deepEqual([...chosenAfter(none, [{ id: "act", selected: true }], false, true).nodes], ["act"]);
});

test("no other text is pasted", () => {
  for (const text of ["", "nodes", "{}", '{"nodes": {"a": 1}}', '{"nodes": {"a": {}}}', "[1]", "null"]) assert.equal(pasted(spec(), scene(), text), null, text);
});

test("a node that is renamed is followed by edges, groups and places", () => {
  const graph = renamed(spec({ folds: { pair: ["act", "answer"] }, positions: { act: [1, 2] } }), "act", "walk", {});
  assert.deepEqual(graph.edges.slice(1, 3), ["select.arm => walk", "walk.moved -> walk"]);
  assert.deepEqual([graph.folds, graph.positions], [{ pair: ["walk", "answer"] }, { walk: [1, 2] }]);
});

test("a name that cannot be is refused in words", () => {
  assert.equal(misnamed(spec(), "act", "act"), "");
  assert.equal(misnamed(spec(), "act", "walk_2"), "");
  assert.match(misnamed(spec(), "act", "Walk"), /letter/);
  assert.match(misnamed(spec(), "act", "end"), /of its own/);
  assert.match(misnamed(spec(), "act", "select"), /already/);
});

test("nodes and edges that a version had are shown as removed", () => {
  const graph = withRemoved(spec(), { "select.exhausted -> gone": "-", gone: "-", act: "~" });
  assert.ok(graph.edges.includes("select.exhausted -> gone"));
  assert.ok("gone" in graph.nodes);
  const same = spec();
  assert.equal(withRemoved(same, { act: "~" }), same);
});

test("parts that are equal stay the same objects", () => {
  const old = { a: [1], b: { c: 2 } };
  assert.equal(reuseEqualParts(old, structuredClone(old)), old);
  const fresh = reuseEqualParts(old, { a: [1], b: { c: 3 } });
  assert.equal(fresh.a, old.a);
  assert.notEqual(fresh, old);
});

test("a node is told in a few words", () => {
  assert.equal(summarizeNode({ type: "selector", params: { strategy: "greedy", rounds: 3, parallel: true, tree: false } }), "selector, greedy, 3 rounds, parallel, no tree");
  assert.equal(summarizeNode({ type: "graph", params: { spec: { nodes: { a: 1, b: 2 } } } }), "method, 2 nodes");
});

test("a box tells the type, the bounds, and the rest", () => {
  const told = (node: NodeSpec) => nodeFacts(node).map(({ text }) => text);
  assert.deepEqual(told({ type: "selector", params: { strategy: "greedy", rounds: 3, offline_rounds: 6, parallel: 4 } }), ["selector", "≤ 3 rounds", "greedy", "6 offline rounds", "parallel 4"]);
  const bound = nodeFacts({ type: "navigator", params: { steps: "$deep", mode: "$way" } }, { deep: { default: 10 } });
  assert.deepEqual(bound.map(({ text, param, title }) => [text, param, Boolean(title)]), [["navigator", undefined, false], ["≤ 10 steps", undefined, true], ["$way", undefined, false]]);
  assert.deepEqual(nodeFacts({ type: "surveyor", params: { pages: 0, kind: "x" } }), [{ text: "surveyor" }, { text: "0 pages", param: "pages" }, { text: "x" }]);
  assert.deepEqual(told({ type: "selector", params: { rounds: 1, entries: 1 } }), ["selector", "≤ 1 round", "≤ 1 entry"]);
  const graph = withParam(spec(), "act", "steps", 7);
  assert.deepEqual(graph.nodes.act?.params, { ...spec().nodes.act?.params, steps: 7 });
  assert.equal(withParam(graph, "act", "steps", 7), graph);
});

test("a node whose parameters decide has routes of its own", () => {
  const branch = { name: "branch", family: "judge", summary: "", routes: ["done", "else"], node_routes: { late: ["soon", "late"] }, reads: [], writes: [], spent: "", own: false };
  const types = new Map([["branch", branch]]);
  const graph = spec({ nodes: { late: { type: "branch" }, other: { type: "branch" } }, edges: ["late.soon -> other"] });
  assert.deepEqual(openRoutes(graph, "late", types), ["late"]);
  assert.deepEqual(openRoutes(graph, "other", types), ["done", "else"]);
  assert.equal(summarizeNode({ type: "branch", params: { cases: ["open == 0 -> done", "rounds > 3 -> late"] } }), "branch, open == 0 -> done; rounds > 3 -> late");
});

test("a breakpoint goes from none to before, after, both, and none again", () => {
  let graph = spec();
  const seen = [1, 2, 3, 4].map(() => {
    graph = withBreakpoint(graph, "act", nextBreakpoint(graph, "act"));
    return breakpointAt(graph, "act");
  });
  assert.deepEqual(seen, ["before", "after", "both", undefined]);
  assert.deepEqual(withBreakpoint(graph, "nothing", "before"), graph);
});

test("breakpoints follow their node, also those of the graph inside it", () => {
  const graph = spec({ breakpoints: { act: "before", "act/read": "after", answer: "both" } });
  assert.deepEqual(renamed(graph, "act", "walk", {}).breakpoints, { walk: "before", "walk/read": "after", answer: "both" });
  assert.deepEqual(without(graph, ["act"]).breakpoints, { answer: "both" });
});

test("a route that leads to no node is open, says where it leads, and is drawn anew in place of the lost edge", () => {
  const lost = spec({ edges: ["start -> select", "select.arm -> atc", "act.moved -> answer", "answer.end -> end"] });
  assert.deepEqual(openRoutes(lost, "select", TYPES), ["arm", "exhausted"]);
  assert.equal(lostTarget(lost, "select", "arm"), "atc");
  assert.equal(refusal(lost, TYPES, "select", "arm", "act"), "");
  assert.deepEqual(connected(lost, { source: "select", route: "arm", target: "act", fan: false }).edges, ["start -> select", "act.moved -> answer", "answer.end -> end", "select.arm -> act"]);
  const finding = { severity: "error" as const, at: "select.arm -> atc", message: "There is no node 'atc'.", mend: "", also: [], fix: null };
  const data = { revision: 0, spec: lost, types: [...TYPES.values()], findings: [finding], readonly: false, diff: null, selected: [], watch: null, height: 1 };
  const scene = buildScene(lost, TYPES, new Set(), null, null);
  const [box] = flowNodes(lost, scene, TYPES, data, null).filter(({ id }) => id === "select");
  assert.deepEqual(box?.data.findings.map(({ finding }) => finding.at), ["select.arm -> atc"]);
  assert.deepEqual(box.data.open.map(({ route, lost }) => [route, lost]), [["arm", "atc"], ["exhausted", ""]]);
});

test("beside the steps of a run a node is called as its step", () => {
  const watch = { session: "s", token: "t", names: { navigate: "Decide what to open" } };
  assert.equal(shownName({ watch }, "navigate"), "Decide what to open");
  assert.equal(shownName({ watch }, "own"), "own");
  assert.equal(shownName({ watch: null }, "navigate"), "navigate", "the editor shows the names that edges have");
});
