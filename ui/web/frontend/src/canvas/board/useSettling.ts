// Moves nodes to their new places where a graph was laid out anew, for a moment, so that the eye can follow.
import { useLayoutEffect, useRef } from "react";
import type { RefObject } from "react";
import type { Layout } from "../layout/elk_graph";

const LASTS = 320; // milliseconds

export function useSettling(root: RefObject<HTMLDivElement | null>, auto: Layout | null): void {
  const seen = useRef<Layout | null>(null);
  useLayoutEffect(() => {
    const board = root.current?.querySelector(".board");
    const first = seen.current === null;
    if (!board || !auto || seen.current === auto) return;
    seen.current = auto;
    if (first) return;
    board.classList.add("settling");
    const timer = setTimeout(() => board.classList.remove("settling"), LASTS);
    return () => { clearTimeout(timer); board.classList.remove("settling"); };
  }, [auto, root]);
}
