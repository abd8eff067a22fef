// An edge: its path in the colour of its route, with the route's name on it.
import { memo } from "react";
import { createPortal } from "react-dom";
import { BaseEdge } from "@xyflow/react";
import type { Edge, EdgeProps } from "@xyflow/react";
import { useAct } from "../board/canvas_context";
import { FindingBadge } from "./FindingBadge";
import type { Told } from "./FindingBadge";
import { EdgeEnds } from "./EdgeEnds";
import { bareClass, routeOutcome } from "../graph/route_outcome";
import { Icon, Sign } from "./Icons";
import type { Place, Sign as Change } from "../graph/types";
import { drawn } from "../layout/edge_paths";
import type { EdgePath } from "../layout/edge_paths";
import { say, sayCount } from "../../shared/language";

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- React Flow wants a type with an index signature
export type LineData = {
  text: string;
  route: string;
  spent: string;
  fan: boolean;
  way: EdgePath;
  label: Place;
  ends: [Place, Place]; // the middles of its nodes when the way was found
  findings: Told[];
  change: Change | undefined;
  count: number;
  fresh: boolean;
};
export type LineEdge = Edge<LineData>;

const CHANGES = { "+": "plus", "-": "minus", "~": "tilde" } as const;

export const EdgeLine = memo(function EdgeLine({ id, source, target, data, selected, sourceX, sourceY, targetX, targetY }: EdgeProps<LineEdge>) {
  const act = useAct();
  if (!data) return null;
  const kind = data.change === "-" ? "failed" : routeOutcome(data.route, data.spent);
  const [path, [x, y]] = moved(data, [sourceX, sourceY], [targetX, targetY]);
  const classes = ["way", `o-${kind}`, selected && "sel", data.fan && "fan", data.count > 0 && "taken", data.fresh && "fresh", data.change && `change-${CHANGES[data.change]}`];
  const label = say("Edge {edge}", { edge: data.text });
  return (
    <g className={classes.filter(Boolean).join(" ")}>
      <BaseEdge id={id} path={path} interactionWidth={16} markerEnd={`url(#arrow-${selected ? "sel" : kind})`} />
      {data.fan && <path d={path} className="inner" />}
      {selected && <EdgeEnds text={data.text} source={source} target={target} way={data.way} />}
      {act.labels && createPortal(
        <span className="on-way nodrag nopan" style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
          {data.route && (
            <button type="button" className={`route o-${kind}${data.change ? "" : bareClass(kind)}${selected ? " sel" : ""}`} aria-label={label} aria-pressed={selected} title={data.text}
              onClick={() => act.choose([], [id])}>
              {data.change ? <Sign kind={CHANGES[data.change]} size={11} /> : <Sign kind={kind} size={11} />}
              <span>{data.route}</span>
              {data.fan && <Icon name="arms" size={12} />}
              {data.count > 0 && <b className="times" aria-label={sayCount(data.count, "taken once", "taken {n} times")}>{data.count}</b>}
            </button>
          )}
          {data.findings.length > 0 && <FindingBadge findings={data.findings} />}
        </span>, act.labels)}
    </g>
  );
});

// The path; while one of its ends is dragged, a plain curve to where that end is.
function moved(data: LineData, source: Place, target: Place): [string, Place] {
  const { way } = data;
  const [first, second, beforeLast, last] = [way[0], way[1], way.at(-2), way.at(-1)];
  const [begin, end] = data.ends;
  const begun: Place = [source[0] - begin[0], source[1] - begin[1]];
  const ended: Place = [target[0] - end[0], target[1] - end[1]];
  const still = (shift: Place) => Math.abs(shift[0]) < 3 && Math.abs(shift[1]) < 3;
  if (!first || !second || !beforeLast || !last || (still(begun) && still(ended))) return [drawn(way), data.label];
  const shifted = way.map(([x, y]): Place => [x + begun[0], y + begun[1]]);
  if (Math.abs(begun[0] - ended[0]) < 3 && Math.abs(begun[1] - ended[1]) < 3) {
    return [drawn(shifted), [data.label[0] + begun[0], data.label[1] + begun[1]]];
  }
  const from: Place = [first[0] + begun[0], first[1] + begun[1]];
  const to: Place = [last[0] + ended[0], last[1] + ended[1]];
  return curve(from, direction(first, second), to, direction(beforeLast, last));
}

function direction([ax, ay]: Place, [bx, by]: Place): Place {
  return [Math.sign(bx - ax), Math.sign(by - ay)];
}

function curve(from: Place, out: Place, to: Place, into: Place): [string, Place] {
  const reach = Math.min(120, 30 + Math.hypot(to[0] - from[0], to[1] - from[1]) / 3);
  const [ax, ay] = [from[0] + out[0] * reach, from[1] + out[1] * reach];
  const [bx, by] = [to[0] - into[0] * reach, to[1] - into[1] * reach];
  const middle: Place = [(from[0] + 3 * ax + 3 * bx + to[0]) / 8, (from[1] + 3 * ay + 3 * by + to[1]) / 8];
  return [`M${from[0]} ${from[1]}C${ax} ${ay} ${bx} ${by} ${to[0]} ${to[1]}`, middle];
}
