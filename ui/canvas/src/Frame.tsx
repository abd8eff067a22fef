// A group whose nodes are shown: a frame around them.
import { memo } from "react";
import type { Node, NodeProps } from "@xyflow/react";
import { useAct } from "./act";
import { Icon } from "./signs";

export type FrameNode = Node<{ name: string }>;

export const Frame = memo(function Frame({ data }: NodeProps<FrameNode>) {
  const act = useAct();
  return (
    <div className="frame">
      <button type="button" className="nodrag" aria-label={`Close ${data.name}`} title="Draw as one" onClick={() => act.toggleFold(data.name)}>
        <Icon name="shut" size={13} />{data.name}
      </button>
    </div>
  );
});
