import assert from "node:assert/strict";
import { test } from "node:test";
import { continuations, continued, nextPull } from "../../src/canvas/graph/continuations";
import { added } from "../../src/canvas/graph/spec";
import { isLoose, mainRoute, spliced } from "../../src/canvas/graph/splice";
import { menuPlace } from "../../src/canvas/board/menu_place";
import { lineAt, withRoom } from "../../src/canvas/layout/edge_hit";
import { buildScene } from "../../src/canvas/layout/scene";
import type { NodeType, Spec } from "../../src/canvas/graph/types";
import { place, spec, TYPES } from "./graphs";

const scene = (graph = spec()) => buildScene(graph, TYPES, new Set(), null, null);
const placed = () => spec({
  edges: ["start -> select", "select.arm -> act", "act.moved -> answer", "answer.end -> end"],
  positions: { start: [-200, 30], select: [0, 0], act: [240, 0], answer: [480, 0], end: [720, 30] },
});

test("a node on an edge leads on by the route with the best outcome, and the others stay open", () => {
  const [graph, name] = added(placed(), "actor", [0, 0]);
  const done = spliced(graph, TYPES, "act.moved -> answer", name);
  assert.ok("spec" in done);
  assert.deepEqual(done.led.map(({ route }) => route), ["moved"]);
  assert.deepEqual(done.spec.edges, ["start -> select", "select.arm -> act", "act.moved -> actor", "actor.moved -> answer", "answer.end -> end"]);
  assert.equal(mainRoute(done.spec, TYPES, name), "failed");
});

test("a branch on an edge leads on by the route without a rule, and its rules stay open", () => {
  const branch: NodeType = { name: "branch", family: "judge", summary: "", routes: ["done", "else"], reads: [], writes: [], spent: "", own: false };
  const types = new Map([...TYPES, ["branch", branch]]);
  const [graph, name] = added(placed(), "branch", [0, 0]);
  const done = spliced(graph, types, "act.moved -> answer", name);
  assert.ok("spec" in done);
  assert.deepEqual(done.led.map(({ route }) => route), ["else"]);
  assert.equal(mainRoute(done.spec, types, name), "done");
  const renamed = spec({ nodes: { check: { type: "branch", params: { otherwise: "go_on" } } }, edges: [] });
  const own = new Map([...types, ["branch", { ...branch, routes: ["found", "go_on"] }]]);
  assert.equal(mainRoute(renamed, own, "check"), "go_on");
});

const KINDS: [string, string, string[], string[], string][] = [
  ["selector", "prepare", ["arm", "exhausted"], ["draw"], "exhausted"], ["navigator", "walk", ["act", "aggregate", "stop"], ["proposal"], "stop"],
  ["extractor", "read", ["found", "nothing"], ["reading"], ""], ["aggregator", "read", ["next"], ["evidence"], ""], ["answerer", "answer", ["end"], ["answer"], ""],
  ["reflector", "judge", ["continue", "done"], ["lessons"], ""], ["critic", "judge", ["sufficient", "insufficient"], ["verdict"], ""],
];
const JUDGING = new Map<string, NodeType>(KINDS.map(([name, family, routes, writes, spent]) => [name, {
  name, family, summary: "", routes, reads: [], writes, spent, own: false, enough: name === "critic" ? "sufficient" : name === "reflector" ? "done" : "",
  followed: name === "critic" ? { sufficient: { answerer: 5 }, insufficient: { navigator: 3, surveyor: 1 } } : {},
}]));

const roundsOf = (next: string) => spec({
  nodes: { select: { type: "selector" }, navigate: { type: "navigator" }, extract: { type: "extractor" }, aggregate: { type: "aggregator" }, reflect: { type: "reflector" }, answer: { type: "answerer" } },
  edges: ["start -> select", "select.arm -> navigate", "select.exhausted -> answer", "navigate.aggregate -> extract", "navigate.stop -> reflect", "extract.found -> aggregate", `aggregate.next -> ${next}`,
    "extract.nothing -> navigate", "reflect.continue -> select", "reflect.done -> answer", "answer.end -> end"],
});

test("a judge on an edge that leads back to the work is wired to the answer where there is enough", () => {
  for (const [type, on, out] of [["critic", "insufficient", "sufficient"], ["reflector", "continue", "done"]] as const) {
    const [graph, name] = added(roundsOf("navigate"), type, [0, 0]);
    const done = spliced(graph, JUDGING, "aggregate.next -> navigate", name);
    assert.ok("spec" in done);
    assert.deepEqual(done.spec.edges.filter((text) => text.startsWith(`${name}.`)), [`${name}.${on} -> navigate`, `${name}.${out} -> answer`]);
  }
});

test("a judge on an edge to the answer leads back to the work where there is not enough", () => {
  const [graph, name] = added(roundsOf("answer"), "critic", [0, 0]);
  const done = spliced(graph, JUDGING, "aggregate.next -> answer", name);
  assert.ok("spec" in done);
  assert.deepEqual(done.led.map(({ route, target }) => [route, target]), [["sufficient", "answer"], ["insufficient", "navigate"]]);
});

test("a judge in a graph without an answer leads to what ends it, and to nothing that would run for ever", () => {
  const inner = spec({
    nodes: { navigate: { type: "navigator" }, extract: { type: "extractor" }, aggregate: { type: "aggregator" }, reflect: { type: "reflector" } },
    edges: ["start -> navigate", "navigate.aggregate -> extract", "navigate.stop -> reflect", "extract.found -> aggregate", "aggregate.next -> navigate", "reflect.continue -> end", "reflect.done -> end"],
  });
  const [graph, name] = added(inner, "critic", [0, 0]);
  const done = spliced(graph, JUDGING, "aggregate.next -> navigate", name);
  assert.deepEqual("led" in done && done.led.map(({ target }) => target), ["navigate", "reflect"]);
  const straight = spec({ nodes: { extract: { type: "extractor" }, aggregate: { type: "aggregator" }, answer: { type: "answerer" } }, edges: ["start -> extract", "extract.found -> aggregate", "aggregate.next -> answer", "answer.end -> end"] });
  const [short, judge] = added(straight, "critic", [0, 0]);
  const endless = spliced(short, JUDGING, "aggregate.next -> answer", judge);
  assert.deepEqual("led" in endless && endless.led.map(({ route, target }) => [route, target]), [["sufficient", "answer"]]);
});

test("the entry and what leads to the end can be spliced too", () => {
  const [graph, name] = added(placed(), "selector", [0, 0]);
  const first = spliced(graph, TYPES, "start -> select", name);
  assert.deepEqual("spec" in first && first.spec.edges.slice(0, 2), ["start -> selector", "selector.arm -> select"]);
  const last = spliced(graph, TYPES, "answer.end -> end", name);
  assert.deepEqual("spec" in last && last.spec.edges.slice(-2), ["answer.end -> selector", "selector.arm -> end"]);
});

test("a splice that cannot be is refused in words", () => {
  const [graph, name] = added(spec(), "actor", [0, 0]);
  const fanned = spliced(graph, TYPES, "select.arm => act", name);
  assert.match("refused" in fanned ? fanned.refused : "", /only a node of type graph/);
  const [inert, other] = added(placed(), "unknown", [0, 0]);
  const none = spliced(inert, TYPES, "act.moved -> answer", other);
  assert.ok("refused" in none && none.refused);
  assert.ok("refused" in spliced(graph, TYPES, "act.moved -> nowhere", "missing"));
});

test("only a node without edges is put on one by dragging it", () => {
  const [graph, name] = added(placed(), "actor", [0, 0]);
  assert.ok(isLoose(graph, TYPES, name));
  assert.ok(!isLoose(graph, TYPES, "act"));
  assert.ok(!isLoose(graph, TYPES, "start"));
});

test("the nearest edge within reach is the one that is meant", () => {
  const drawn = scene(placed());
  assert.equal(lineAt(drawn, [200, 42], 20)?.id, "select.arm -> act");
  assert.equal(lineAt(drawn, [200, 400], 20), null);
});

test("what follows gives way to a node on an edge, and what comes before stays", () => {
  const drawn = scene(placed());
  const line = lineAt(drawn, [200, 42], 20);
  assert.ok(line);
  const places = withRoom(drawn, line, "actor", [120, 0]);
  assert.deepEqual([place(places, "select"), place(places, "actor"), place(places, "act")], [[0, 0], [240, 0], [480, 0]]);
  assert.equal(place(places, "answer")[0], 720);
});

test("a text finds types and nodes, the closest name first", () => {
  const all = [...TYPES.values()];
  const pull = { source: "select", route: "exhausted" };
  const names = (text: string) => continuations(spec(), TYPES, all, pull, text).map(({ name, fresh }) => `${fresh ? "+" : ""}${name}`);
  assert.deepEqual(names("answer"), ["answer", "+answerer"]);
  assert.deepEqual(names("answerer"), ["+answerer", "answer"]);
  assert.deepEqual(names("end"), ["end"]);
  assert.deepEqual(names("zzz"), []);
  assert.deepEqual(names("").slice(0, 2), ["answer", "+selector"], "nothing leads to answer yet");
});

test("a route goes on from node to node, and then with those that lead nowhere", () => {
  const graph = spec({ nodes: {}, edges: [] });
  const selector = { name: "selector", fresh: true, family: "", about: "", lacks: [], why: "" as const };
  const [next, name] = continued(graph, { source: "start", route: "" }, selector, [0, 0]);
  assert.deepEqual(next.edges, ["start -> selector"]);
  assert.deepEqual(nextPull(next, TYPES, name), { source: "selector", route: "arm" });
  const [whole, end] = continued(next, { source: name, route: "arm" }, { ...selector, name: "end", fresh: false }, [0, 0]);
  assert.deepEqual(nextPull(whole, TYPES, end), { source: "selector", route: "exhausted" });
  const [done] = continued(whole, { source: name, route: "exhausted" }, { ...selector, name: "end", fresh: false }, [0, 0]);
  assert.equal(nextPull(done, TYPES, "end"), null);
});

test("types that need what nobody has written yet come last, and say what they lack", () => {
  const type = (name: string, needs: string[], writes: string[]): [string, NodeType] =>
    [name, { name, family: "walk", summary: "", routes: ["next", "none"], reads: needs, needs, writes, spent: "", own: false }];
  const types = new Map([type("judge", ["survey"], []), type("plan", [], ["survey"]), type("hop", [], [])]);
  const found = (graph: Spec, source: string) => continuations(graph, types, [...types.values()], { source, route: "none" }, "").filter(({ fresh }) => fresh).map(({ name, lacks }) => [name, ...lacks]);
  const nodes = { plan: { type: "plan" }, hop: { type: "hop" } };
  const straight = spec({ nodes, edges: ["start -> plan", "plan.next -> hop"] });
  assert.deepEqual(found(straight, "hop"), [["judge"], ["plan"], ["hop"]]);
  assert.deepEqual(found(spec({ nodes, edges: ["start -> hop"] }), "hop"), [["plan"], ["hop"], ["judge", "survey"]]);
  assert.deepEqual(found(spec({ nodes, edges: [] }), "hop"), [["judge"], ["plan"], ["hop"]], "nothing is known of a node that no way leads to");
});

test("what the graph needs is offered first, then what follows most often in the presets", () => {
  const type = (name: string, needs: string[], writes: string[], followed = {}): [string, NodeType] =>
    [name, { name, family: "walk", summary: "", routes: ["next"], reads: needs, needs, writes, spent: "", own: false, followed }];
  const types = new Map([type("hop", [], [], { next: { judge: 1, end: 3, tell: 2 } }), type("plan", [], ["survey"]), type("judge", [], []), type("tell", [], []), type("walk", ["survey"], [])]);
  const graph = spec({ nodes: { hop: { type: "hop" }, walk: { type: "walk" } }, edges: ["start -> hop"] });
  const found = continuations(graph, types, [...types.values()], { source: "hop", route: "next" }, "").map(({ name, fresh, why }) => `${fresh ? "+" : ""}${name} ${why}`);
  assert.deepEqual(found.slice(0, 5), ["end needed", "+plan needed", "walk needed", "+tell common", "+judge common"]);
  assert.deepEqual(found.slice(5).sort(), ["+hop ", "+walk ", "hop "]);
});

test("the menu of a pulled route stands beside the node that is continued and the one that it makes", () => {
  const [size, board] = [{ w: 262, h: 316 }, { w: 744, h: 530 }];
  const apart = ([x, y]: [number, number], box: { x: number; y: number; w: number; h: number }) => x + size.w <= box.x || box.x + box.w <= x || y + size.h <= box.y || box.y + box.h <= y;
  for (const [x, y] of [[300, 250], [60, 20], [600, 480], [380, 100]] as const) {
    const boxes = [{ x: x - 120, y, w: 80, h: 42 }, { x, y, w: 80, h: 42 }];
    const at = menuPlace([x, y], size, board, boxes);
    assert.ok(boxes.every((box) => apart(at, box)), `${x} ${y}: ${at.join()}`);
    assert.ok(at[0] >= 8 && at[1] >= 8 && at[0] + size.w <= board.w && at[1] + size.h <= board.h);
  }
  assert.deepEqual(menuPlace([300, 100], size, board, [{ x: 20, y: 20, w: 80, h: 42 }]), [300, 100], "where it is wanted, if that is free");
});

test("an end to which nothing leads stands behind all the rest", () => {
  const graph = spec({ nodes: { select: { type: "selector" } }, edges: ["start -> select"] });
  const laid = { places: { start: [0, 100], select: [100, 60], end: [0, 300] } as Record<string, [number, number]>, routes: new Map() };
  const { places } = buildScene(graph, TYPES, new Set(), laid, null);
  assert.deepEqual(place(places, "end"), [320, 100]);
});
