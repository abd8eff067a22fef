import assert from "node:assert/strict";
import { test } from "node:test";
import { applyPatch } from "../../src/shared/merge_patch";
import type { JsonObject } from "../../src/shared/merge_patch";

// Of the examples in RFC 7396, those whose patch is an object.
const EXAMPLES: [JsonObject, JsonObject, JsonObject][] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

for (const [document, patch, result] of EXAMPLES) {
  test(`${JSON.stringify(document)} with ${JSON.stringify(patch)}`, () => {
    const before = structuredClone(document);
    assert.deepEqual(applyPatch(document, patch), result);
    assert.deepEqual(document, before);
  });
}

test("an object that is not patched stays the same object", () => {
  const evidence = { e1: { quote: "a" } };
  const document = { evidence, pages: 1 };
  assert.equal(applyPatch(document, { pages: 2 }).evidence, evidence);
});
