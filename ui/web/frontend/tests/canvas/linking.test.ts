import assert from "node:assert/strict";
import { test } from "node:test";
import { linkingOf } from "../../src/canvas/board/linking";
import type { Linking } from "../../src/canvas/board/linking";
import type { Led } from "../../src/canvas/graph/links";
import type { Spec } from "../../src/canvas/graph/types";
import { Store } from "../../src/canvas/store";
import { spec, TYPES } from "./graphs";

// A person who draws edges in a graph, and what is said to them.
function drawing(graph: Spec, led: Led | null = null): { linking: Linking; store: Store; said: [string, boolean][]; chosen: string[] } {
  const data = { revision: 0, spec: graph, types: [], findings: [], readonly: false, diff: null, selected: [], watch: null, height: 1 };
  const store = new Store(data, { setStateValue: () => undefined, setTriggerValue: () => undefined });
  const said: [string, boolean][] = [];
  const chosen: string[] = [];
  const linking = linkingOf(store, TYPES, { current: led }, (text, at) => said.push([text, Boolean(at)]), (_, edges = []) => chosen.push(...edges));
  return { linking, store, said, chosen };
}

// In the order in which React Flow calls them when the mouse is let go.
function dropped({ linking, store }: { linking: Linking; store: Store }, source: string, handle: string, target: string): void {
  const isValid = linking.isValidConnection({ source, sourceHandle: handle, target });
  if (isValid) linking.onConnect({ source, sourceHandle: handle, target, targetHandle: "in" });
  const from = { fromNode: { id: source }, fromHandle: { id: handle, type: "source" } };
  linking.onConnectEnd(null, { ...from, isValid, toNode: { id: target }, toHandle: { id: "in" }, pointer: { x: 1, y: 2 } });
  store.close();
}

test("an edge that was drawn is told once, and not refused", () => {
  const hand = drawing(spec());
  dropped(hand, "select", "select.exhausted", "answer");
  assert.ok(hand.store.spec.edges.includes("select.exhausted -> answer"));
  assert.deepEqual(hand.said, [["select.exhausted leads to answer.", false]]);
});

test("an end that was led elsewhere is told once, and stays chosen", () => {
  const hand = drawing(spec(), { text: "act.moved -> act", end: "target" });
  dropped(hand, "act", "out", "answer");
  assert.deepEqual([hand.said, hand.chosen], [[["act.moved leads to answer.", false]], ["act.moved -> answer"]]);
  assert.equal(hand.linking.led.current, null);
});

test("an edge that cannot be drawn is refused where it was dropped", () => {
  const hand = drawing(spec());
  dropped(hand, "select", "select.exhausted", "start");
  assert.deepEqual(hand.said, [["Nothing leads into start.", true]]);
  assert.equal(hand.store.spec.edges.length, 4);
});
