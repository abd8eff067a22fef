// An edge: its path in the colour of its route, with the route's name on it.
import { memo } from "react";
import { createPortal } from "react-dom";
import { BaseEdge } from "@xyflow/react";
import type { Edge, EdgeProps } from "@xyflow/react";
import { useAct } from "../board/canvas_context";
import { FindingBadge } from "./FindingBadge";
import type { Told } from "./FindingBadge";
import { bareClass, routeOutcome } from "../graph/route_outcome";
import { Icon, Sign } from "./Icons";
import type { Place, Sign as Change } from "../graph/types";
import { bentPath, roundedPath, SIDES } from "../layout/edge_line";
import type { EdgePath } from "../layout/edge_line";
import { say, sayCount } from "../../shared/language";

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- React Flow wants a type with an index signature
export type LineData = {
  text: string;
  route: string;
  spent: string;
  fan: boolean;
  way: EdgePath;
  label: Place;
  before: number; // edges to the same node that go from end to end on their own, too
  findings: Told[];
  change: Change | undefined;
  count: number;
  carried: string; // what went through it last
  fresh: boolean;
};
export type LineEdge = Edge<LineData>;

const CHANGES = { "+": "plus", "-": "minus", "~": "tilde" } as const;

export const EdgeLine = memo(function EdgeLine({ id, data, selected, sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition }: EdgeProps<LineEdge>) {
  const act = useAct();
  if (!data) return null;
  const kind = data.change === "-" ? "failed" : routeOutcome(data.route, data.spent);
  const [path, [x, y]] = pathOf(data, [sourceX, sourceY], SIDES.indexOf(sourcePosition), [targetX, targetY], SIDES.indexOf(targetPosition));
  const classes = ["way", `o-${kind}`, selected && "sel", data.fan && "fan", data.count > 0 && "taken", data.fresh && "fresh", data.change && `change-${CHANGES[data.change]}`];
  const arrow = selected || (data.count > 0 && (kind === "plain" || kind === "nothing")) ? "sel" : kind; // as the line of a taken route
  const label = say("Edge {edge}", { edge: data.text });
  return (
    <g className={classes.filter(Boolean).join(" ")}>
      <BaseEdge id={id} path={path} interactionWidth={16} markerEnd={`url(#arrow-${arrow})`} />
      {data.fan && <path d={path} className="inner" />}
      {act.labels && createPortal(
        <span className="on-way nodrag nopan" style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
          {data.route && (
            <button type="button" className={`route o-${kind}${data.change ? "" : bareClass(kind)}${selected ? " sel" : ""}${data.count > 0 ? " taken" : ""}`} aria-label={label} aria-pressed={selected} title={[data.text, data.carried].filter(Boolean).join("\n")}
              onClick={() => act.choose([], [id])}>
              {data.change ? <Sign kind={CHANGES[data.change]} size={11} /> : <Sign kind={kind} size={11} />}
              <span>{data.route}</span>
              {data.fan && <Icon name="arms" size={12} />}
              {data.count > 1 && <b className="times" aria-label={sayCount(data.count, "taken once", "taken {n} times")}>{data.count}×</b>}
            </button>
          )}
          {data.carried && <span className="carried clip" title={data.carried}>{data.carried}</span>}
          {data.findings.length > 0 && <FindingBadge findings={data.findings} />}
        </span>, act.labels)}
    </g>
  );
});

// The path that was laid out; it goes along with its nodes, and from end to end on its own where only one is dragged.
function pathOf(data: LineData, source: Place, from: number, target: Place, to: number): [string, Place] {
  const { way, label } = data;
  const [first, last] = [way[0], way.at(-1)];
  if (!first || !last) return bentPath(source, from, target, to, data.before);
  const [dx, dy] = [source[0] - first[0], source[1] - first[1]];
  if (apart(dx, target[0] - last[0]) || apart(dy, target[1] - last[1])) return bentPath(source, from, target, to, data.before);
  if (!apart(dx, 0) && !apart(dy, 0)) return [roundedPath(way), label];
  return [roundedPath(way.map(([x, y]): Place => [x + dx, y + dy])), [label[0] + dx, label[1] + dy]];
}

const apart = (one: number, other: number) => Math.abs(one - other) >= 3;
