import assert from "node:assert/strict";
import { test } from "node:test";
import { betaDensity, betaPath, betaPeak, logGamma, meanOfBeta } from "../../src/figures/beta_curve";

const near = (one: number, other: number, off = 1e-9) => assert.ok(Math.abs(one - other) < off, `${one} is not ${other}`);

test("the logarithm of the gamma function", () => {
  near(logGamma(1), 0);
  near(logGamma(5), Math.log(24));
  near(logGamma(0.5), Math.log(Math.sqrt(Math.PI)));
  near(logGamma(20), 39.33988418719949);
});

test("a density sums up to one", () => {
  for (const [a, b] of [[1, 1], [2, 5], [30, 3]] as const) {
    const steps = 10_000;
    let sum = 0;
    for (let step = 0; step < steps; step++) sum += betaDensity((step + 0.5) / steps, a, b) / steps;
    near(sum, 1, 1e-3);
  }
});

test("the peak is at the mode, and finite where the density is not", () => {
  near(betaPeak(3, 3), betaDensity(0.5, 3, 3));
  near(betaPeak(1, 1), 1, 1e-6);
  assert.equal(betaPeak(0.2, 0.2), 12);
  near(meanOfBeta(3, 1), 0.75);
});

test("a path stays within its frame", () => {
  const points = [...betaPath(0.3, 2, 2, { width: 150, base: 27, top: 4 }).matchAll(/([\d.]+),([\d.]+)/g)];
  assert.equal(points.length, 61);
  for (const [, x, y] of points) {
    assert.ok(Number(x) >= 0 && Number(x) <= 150);
    assert.ok(Number(y) >= 4 && Number(y) <= 27);
  }
});
