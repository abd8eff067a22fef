// Signs of outcomes and icons of actions; drawn here, so that nothing is loaded.
import { ICONS, SIGNS } from "./shapes";
import type { Shape } from "./shapes";

const LINE = { fill: "none", stroke: "var(--surface)", strokeWidth: 1.7, strokeLinecap: "round", strokeLinejoin: "round" } as const;
const RING = { cx: 8, cy: 8, r: 5.3, fill: "none", stroke: "currentColor", strokeWidth: 1.5 } as const;
const DISC = { cx: 8, cy: 8, r: 6, fill: "currentColor" } as const;

const NOW = <><circle {...RING} strokeOpacity={0.3} strokeWidth={1.8} /><path className="turning" d="M8 2.700A5.300 5.300 0 0 1 13.300 8" fill="none" stroke="currentColor" strokeWidth={2} strokeLinecap="round" /></>;

function drawShape(shape: Shape, at: number) {
  if ("disc" in shape) return <circle key={at} {...DISC} />;
  if ("ring" in shape) return <circle key={at} {...RING} />;
  return "line" in shape ? <path key={at} d={shape.line} {...LINE} /> : <path key={at} d={shape.area} fill="currentColor" />;
}

export function Sign({ kind, size = 12 }: { kind: string; size?: number }) {
  const shape = kind === "now" ? NOW : SIGNS[kind]?.map(drawShape);
  if (!shape) return null;
  return <svg className={`sign c-${kind}`} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">{shape}</svg>;
}

export function Icon({ name, size = 15 }: { name: string; size?: number }) {
  const width = name === "grip" ? 2.2 : 1.6;
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" fill="none"
      stroke="currentColor" strokeWidth={width} strokeLinecap="round" strokeLinejoin="round"><path d={ICONS[name]} /></svg>
  );
}
