// The density of a Beta distribution as a curve.
export interface Frame { width: number; base: number; top: number }

const STEPS = 60;
const EDGE = 0.002; // the density may be infinite at 0 and 1

export function meanOfBeta(a: number, b: number): number {
  return a / (a + b);
}

export function betaDensity(x: number, a: number, b: number): number {
  return Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log(1 - x) + logGamma(a + b) - logGamma(a) - logGamma(b));
}

// The highest density; where that is infinite, as much as is drawn of it.
export function betaPeak(a: number, b: number): number {
  if (a > 1 && b > 1) return betaDensity((a - 1) / (a + b - 2), a, b);
  return Math.min(Math.max(betaDensity(EDGE, a, b), betaDensity(1 - EDGE, a, b)), 12);
}

// An SVG path; what is higher than `highest` is cut off.
export function betaPath(a: number, b: number, highest: number, { width, base, top }: Frame): string {
  const scale = (base - top) / highest;
  const points = Array.from({ length: STEPS + 1 }, (_, step) => {
    const x = Math.min(Math.max(step / STEPS, EDGE), 1 - EDGE);
    return `${(x * width).toFixed(1)},${(base - Math.min(betaDensity(x, a, b), highest) * scale).toFixed(1)}`;
  });
  return `M${points.join(" L")}`;
}

// Stirling's series, from 8 on exact to ten digits.
export function logGamma(z: number): number {
  if (z < 8) return logGamma(z + 1) - Math.log(z);
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * z) - 1 / (360 * z ** 3) + 1 / (1260 * z ** 5);
}
