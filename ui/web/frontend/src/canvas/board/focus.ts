// Moves the focus inside a canvas, and knows what of the drawing is in view.
import type { Viewport } from "@xyflow/react";
import type { Box } from "../layout/node_places";

const SHEET = "(max-width: 760px)"; // as in the style sheet of the page
const COVERED = 0.52; // of such a window, by the form of a chosen node, from below
const EDGE = 20; // pixels, at which nothing is put
const FOOT = 52; // pixels, with the buttons of the view

export function focusNode(root: HTMLElement | null, name: string): void {
  const seek = (left: number) => {
    const node = root?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(name)}"]`);
    if (node) node.focus({ preventScroll: true });
    else if (left) requestAnimationFrame(() => seek(left - 1));
  };
  seek(20);
}

export function boardOf(root: HTMLElement | null): HTMLElement | null {
  return root?.querySelector<HTMLElement>(".board") ?? null;
}

// Whether the form of a chosen node is a sheet over the lower half of the window.
export const hasSheet = (): boolean => matchMedia(SHEET).matches;

// Where the part of the board ends that is in sight, above the form in a small window; from the top of the board.
export function sightOf(board: HTMLElement): number {
  return hasSheet() ? Math.min(board.clientHeight, innerHeight * COVERED - board.getBoundingClientRect().top) : board.clientHeight;
}

// The part of the drawing that is in view.
export function viewBox({ x, y, zoom }: Viewport, board: HTMLElement | null): Box | null {
  if (!board) return null;
  const bottom = Math.min(board.clientHeight - FOOT, sightOf(board) - EDGE);
  return { id: "", x: (EDGE - x) / zoom, y: (EDGE - y) / zoom, w: (board.clientWidth - 2 * EDGE) / zoom, h: (bottom - EDGE) / zoom };
}
