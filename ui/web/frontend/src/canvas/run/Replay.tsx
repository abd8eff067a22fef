// Replays a run: play, pause, step by step, or move the slider.
import { useCallback, useEffect, useState } from "react";
import { Icon } from "../nodes/Icons";
import type { Ran } from "./run_overlay";
import { say, sayCount, sayTold } from "../../shared/language";

const WHOLE = 30_000; // ms: how long a replay takes, unless steps would be too short or too long
const STEP = [150, 800] as const;
const CALM = 1000; // ms per step if motion is to be reduced

export function Replay({ way, at, go, nameNode = (name) => name }: { way: Ran[]; at: number; go: (at: number | null) => void; nameNode?: (name: string) => string }) {
  const [plays, setPlays] = useState(false);
  const last = way.length;
  const to = useCallback((place: number) => go(place >= last ? null : Math.max(0, place)), [go, last]);
  useEffect(() => {
    if (!plays) return undefined;
    if (at >= last) return setPlays(false);
    const timer = setTimeout(() => to(at + 1), pace(last));
    return () => clearTimeout(timer);
  }, [plays, at, last, to]);
  const play = () => {
    if (!plays && at >= last) to(0);
    setPlays(!plays);
  };
  const step = (by: number) => { setPlays(false); to(at + by); };
  const said = describePlace(way, at, nameNode);
  return (
    <div className="replay" role="group" aria-label={say("Replay of the run")}
      onKeyDown={(event) => { if (event.key === " " && (event.target as HTMLElement).tagName === "INPUT") { event.preventDefault(); play(); } }}>
      <button type="button" className="btn primary" aria-label={plays ? say("Pause") : say("Play")} title={plays ? say("Pause") : say("Play")} onClick={play}><Icon name={plays ? "pause" : "play"} /></button>
      <button type="button" className="btn" aria-label={say("One step back")} title={say("One step back")} disabled={at <= 0} onClick={() => step(-1)}><Icon name="back" /></button>
      <button type="button" className="btn" aria-label={say("One step forward")} title={say("One step forward")} disabled={at >= last} onClick={() => step(1)}><Icon name="on" /></button>
      <input type="range" min={0} max={last} value={at} aria-label={say("Place in the run")} aria-valuetext={said}
        onChange={(event) => { setPlays(false); to(Number(event.target.value)); }} />
      <p role="status" aria-live={plays ? "off" : "polite"}>{said}</p>
    </div>
  );
}

function pace(steps: number): number {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return CALM;
  return Math.min(STEP[1], Math.max(STEP[0], WHOLE / steps));
}

function describePlace(way: Ran[], at: number, nameNode: (name: string) => string): string {
  const ran = way[at];
  if (!ran) return sayCount(way.length, "The whole run: {n} step", "The whole run: {n} steps");
  const place = say("{number} of {count}", { number: at + 1, count: way.length });
  return `${place} · ${nameNode(ran.node)}${ran.message && `: ${sayTold(ran.message)}`}`;
}
