// The frame around the nodes of an open group.
import { memo } from "react";
import type { Node, NodeProps } from "@xyflow/react";
import { useAct } from "../board/canvas_context";
import { Icon } from "./Icons";

export type GroupFrameNode = Node<{ name: string }>;

export const GroupFrame = memo(function GroupFrame({ data }: NodeProps<GroupFrameNode>) {
  const act = useAct();
  return (
    <div className="frame">
      <button type="button" className="nodrag" aria-label={`Close ${data.name}`} title="Draw as one" onClick={() => act.toggleFold(data.name)}>
        <Icon name="shut" size={13} />{data.name}
      </button>
    </div>
  );
});
