// What of a long quote is shown where there is little room: the lines from the marked words on.
import type { Piece, QuoteBlock } from "../shared/run_view";

const MOST_BEFORE = 90; // characters in front of the marked words
const SHORT = 60; // a heading that takes one line
const CUT = "…\u00a0"; // it shares the line of a narrow cell
const WORD_START = /^\S*\s+/;

// The lines from the marked words on, the text in front of them shortened, below a short heading; all where nothing is marked.
export function excerptAtMark(blocks: readonly QuoteBlock[]): readonly QuoteBlock[] {
  const at = blocks.findIndex(isMarked);
  const [marked, before] = [blocks[at], blocks[at - 1]];
  if (!marked) return blocks;
  const cut = { ...marked, cells: marked.cells.map((cell) => (marked.kind === "code" ? cell : shortenBefore(cell))) };
  const headed = before?.kind === "heading" && textOf(before).length <= SHORT ? [before] : [];
  if (at > headed.length && !textOf(cut).startsWith("…")) cut.cells[0] = [[CUT, false], ...(cut.cells[0] ?? [])];
  return [...headed, cut, ...blocks.slice(at + 1)];
}

function isMarked({ cells }: QuoteBlock): boolean {
  return cells.some((cell) => cell.some(([, marked]) => marked));
}

function textOf({ cells }: QuoteBlock): string {
  return cells.flat().map(([words]) => words).join("");
}

function shortenBefore(cell: Piece[]): Piece[] {
  const first = cell.findIndex(([, marked]) => marked);
  const text = cell.slice(0, Math.max(0, first)).map(([words]) => words).join("");
  if (text.length <= MOST_BEFORE) return cell;
  return [[`… ${text.slice(-MOST_BEFORE).replace(WORD_START, "")}`, false], ...cell.slice(first)];
}
