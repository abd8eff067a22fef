// What room the board has for a drawing, between what lies on it.
import { useLayoutEffect, useState } from "react";
import type { RefObject } from "react";
import { boardOf } from "./focus";
import type { Room } from "../layout/rows";

const NOTABLE = 40; // pixels; a scroll bar that comes and goes is no reason to draw anew
const NARROW = 620; // as in the style sheet: there a button lies above the drawing

// The width that a drawing leaves free at the sides of the board, above and below.
export function paddingOf({ clientWidth }: Pick<HTMLElement, "clientWidth">): { top: number; right: number; bottom: number; left: number } {
  return { top: clientWidth < NARROW ? 50 : 22, right: 16, bottom: 52, left: 16 };
}

// Null until the board is there. It changes when the window does, or what is beside the board.
export function useRoom(root: RefObject<HTMLDivElement | null>): Room | null {
  const [room, setRoom] = useState<Room | null>(null);
  useLayoutEffect(() => {
    const board = boardOf(root.current);
    if (!board) return;
    const measure = () => {
      const { top, right, bottom, left } = paddingOf(board);
      const [width, height] = [board.clientWidth - left - right, board.clientHeight - top - bottom];
      setRoom((old) => (old && Math.abs(old.width - width) < NOTABLE && Math.abs(old.height - height) < NOTABLE ? old : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(board);
    return () => observer.disconnect();
  }, [root]);
  return room;
}
