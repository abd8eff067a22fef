import assert from "node:assert/strict";
import { test } from "node:test";
import { Store } from "../../src/canvas/store";
import type { Data } from "../../src/canvas/graph/types";
import { spec } from "./graphs";

interface Sent { canvas: string; inbox: string; attempt: number; messages: { number: number; name: string; value: unknown }[] }

// Python's side: what it was told last, and the document that it answers with.
class Server {
  sent: Sent[] = [];
  send = {
    setStateValue: (_: string, value: unknown): void => { this.sent.push(value as Sent); },
    setTriggerValue: (): void => undefined,
  };

  data(change: Partial<Data> = {}): Data {
    return {
      revision: 0, spec: spec(), types: [], findings: [], readonly: false, diff: null, selected: [], watch: null, height: 1,
      acknowledged: { inbox: "inbox", reached: {} }, ...change,
    };
  }

  last(): Sent {
    const sent = this.sent.at(-1);
    assert.ok(sent);
    return sent;
  }

  acknowledged(number: number, change: Partial<Data> = {}): Data {
    return this.data({ acknowledged: { inbox: "inbox", reached: { [this.last().canvas]: number } }, ...change });
  }
}

function begin(): [Server, Store] {
  const server = new Server();
  return [server, new Store(server.data(), server.send)];
}

const named = (description: string) => spec({ description, positions: { act: [0, 10] } });

test("what is sent stays until it is acknowledged", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const [server, store] = begin();
  store.edit(named("one"));
  store.fire("undo");
  assert.deepEqual(server.last().messages.map(({ number, name }) => [number, name]), [[1, "edit"], [2, "undo"]]);
  store.offer(server.acknowledged(1), server.send);
  const count = server.sent.length;
  context.mock.timers.tick(3_000);
  assert.equal(server.sent.length, count + 1);
  assert.deepEqual(server.last().messages.map(({ name }) => name), ["undo"]);
  store.offer(server.acknowledged(2), server.send);
  context.mock.timers.tick(600_000);
  assert.equal(server.sent.length, count + 1);
});

test("another session of the server is told all that was not acknowledged", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const [server, store] = begin();
  store.edit(named("one"));
  store.offer(server.data({ acknowledged: { inbox: "another", reached: {} } }), server.send);
  assert.deepEqual([server.last().inbox, server.last().messages.length], ["another", 1]);
  store.close();
});

test("an answer to an older edit undoes no newer one", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const [server, store] = begin();
  store.edit(named("one"));
  store.edit(named("two"));
  store.offer(server.acknowledged(1, { revision: 1, spec: named("one") }), server.send);
  assert.deepEqual([store.spec.description, store.agreed], ["two", false]);
  store.offer(server.acknowledged(2, { revision: 3, spec: named("by the form") }), server.send);
  assert.deepEqual([store.spec.description, store.agreed], ["by the form", true]);
});

test("a selection is told once, and taken only where it was not told from here", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const [server, store] = begin();
  store.select(["act"]);
  store.select(["act"]);
  assert.deepEqual(server.last().messages.map(({ value }) => value), [["act"]]);
  store.selection = null;
  store.offer(server.acknowledged(1, { selected: ["act"] }), server.send);
  assert.equal(store.selection, null);
  store.offer(server.acknowledged(1, { selected: ["answer"] }), server.send);
  assert.deepEqual(store.selection, ["answer"]);
});

test("a graph without places stays without when it is edited", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const [, store] = begin();
  store.places = { start: [0, 0], act: [1, 2] };
  store.edit({ ...spec(), description: "new" });
  assert.deepEqual(store.spec.positions, {});
  assert.deepEqual(store.placed(spec()).positions, { start: [0, 0], act: [1, 2] });
});

test("a graph that is to be laid out anew has no places", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const [server, store] = begin();
  store.edit(named("one"));
  store.layOut();
  assert.deepEqual(store.spec.positions, {});
  assert.equal(server.last().messages.length, 2);
  store.close();
});

test("many edits that wait are one, the newest", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const [server, store] = begin();
  for (let edit = 0; edit < 60; edit++) store.edit(named(String(edit)));
  assert.ok(server.last().messages.length <= 40);
  const { spec: newest } = server.last().messages.at(-1)?.value as { spec: { description: string } };
  assert.equal(newest.description, "59");
});
