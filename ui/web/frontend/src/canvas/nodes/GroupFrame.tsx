// The frame around the nodes of an open group.
import { memo } from "react";
import type { Node, NodeProps } from "@xyflow/react";
import { useAct } from "../board/canvas_context";
import { Icon } from "./Icons";
import { say } from "../../shared/language";

export type GroupFrameNode = Node<{ name: string }>;

export const GroupFrame = memo(function GroupFrame({ data }: NodeProps<GroupFrameNode>) {
  const act = useAct();
  return (
    <div className="frame">
      <button type="button" className="nodrag" aria-label={say("Close {name}", { name: data.name })} title={say("Draw as one")} onClick={() => act.toggleFold(data.name)}>
        <Icon name="shut" size={13} />{data.name}
      </button>
    </div>
  );
});
