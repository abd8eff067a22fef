import assert from "node:assert/strict";
import { test } from "node:test";
import { leadOf } from "../../src/sessions/trial_table";

test("a short answer is shown whole, a long one by its beginning, up to the end of a word", () => {
  assert.equal(leadOf("Marius Feld."), "Marius Feld.");
  const long = "lens ".repeat(60);
  assert.equal(leadOf(long), `${"lens ".repeat(32).trimEnd()} …`);
  assert.equal(leadOf("x".repeat(400)), `${"x".repeat(160)} …`);
});

test("an answer of several lines begins on one", () => {
  assert.equal(leadOf("First:\n- one\n- two"), "First: - one - two …");
});
