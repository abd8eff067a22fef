import assert from "node:assert/strict";
import { test } from "node:test";
import { ThrottledFetch } from "../../src/shared/throttled_fetch";

// A server whose answers count up, and a clock that is moved by hand.
class World {
  now = 0;
  asked: string[] = [];
  redrawn = 0;
  ok = true;
  private due: { act: () => void; at: number }[] = [];

  fetch = (path: string): Promise<Response> => {
    this.asked.push(path);
    return Promise.resolve(new Response(JSON.stringify(this.asked.length), { status: this.ok ? 200 : 500 }));
  };

  redraw = (): void => { this.redrawn += 1; };
  wait = (act: () => void, ms: number): void => { this.due.push({ act, at: this.now + ms }); };

  async pass(ms: number): Promise<void> {
    this.now += ms;
    const due = this.due.filter(({ at }) => at <= this.now);
    this.due = this.due.filter(({ at }) => at > this.now);
    for (const { act } of due) act();
    await new Promise(setImmediate);
  }
}

function begin(): [World, ThrottledFetch<number>] {
  const world = new World();
  return [world, new ThrottledFetch<number>(0, () => world.now, world.wait)];
}

test("it is fetched at once, and again only where something changed", async () => {
  const [world, fetched] = begin();
  fetched.refresh(world, "draws", [1]);
  await world.pass(0);
  fetched.refresh(world, "draws", [1]);
  await world.pass(5000);
  assert.deepEqual([world.asked, fetched.value, world.redrawn], [["draws"], 1, 1]);
  fetched.refresh(world, "draws", [2]);
  await world.pass(0);
  assert.deepEqual([world.asked.length, fetched.value], [2, 2]);
});

test("however often something changes, it is fetched once a second, and at the end", async () => {
  const [world, fetched] = begin();
  for (let change = 0; change < 10; change++) {
    fetched.refresh(world, "draws", change);
    await world.pass(100);
  }
  await world.pass(1000);
  assert.equal(world.asked.length, 2);
  fetched.refresh(world, "draws", 9);
  await world.pass(1000);
  assert.equal(world.asked.length, 2);
});

test("what could not be fetched is tried again with the next drawing", async () => {
  const [world, fetched] = begin();
  world.ok = false;
  fetched.refresh(world, "draws", 1);
  await world.pass(0);
  assert.deepEqual([fetched.value, world.redrawn], [0, 0]);
  world.ok = true;
  fetched.refresh(world, "draws", 1);
  await world.pass(1000);
  assert.equal(fetched.value, 2);
});
