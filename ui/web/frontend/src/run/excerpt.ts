// What of a long quote is shown where there is little room: the lines around the marked words.
import type { Piece, QuoteBlock } from "../shared/run_view";

const MOST_BEFORE = 90; // characters in front of the marked words
const WORD_START = /^\S*\s+/;

// The lines from the one before the marked words on, the text in front of the words shortened; all where nothing is marked.
export function excerptAtMark(blocks: readonly QuoteBlock[]): readonly QuoteBlock[] {
  const at = blocks.findIndex(isMarked);
  const [marked, before] = [blocks[at], blocks[at - 1]];
  if (!marked) return blocks;
  const shown = shortenBefore(marked);
  if (shown !== marked) return [shown, ...blocks.slice(at + 1)];
  if (!before || at === 1) return blocks;
  return [{ ...before, cells: [[["… ", false], ...(before.cells[0] ?? [])], ...before.cells.slice(1)] }, ...blocks.slice(at)];
}

function isMarked({ cells }: QuoteBlock): boolean {
  return cells.some((cell) => cell.some(([, marked]) => marked));
}

// A row and a piece of code stay whole.
function shortenBefore(block: QuoteBlock): QuoteBlock {
  const [cell = []] = block.cells;
  const first = cell.findIndex(([, marked]) => marked);
  const text = cell.slice(0, first).map(([words]) => words).join("");
  if (block.kind === "row" || block.kind === "code" || text.length <= MOST_BEFORE) return block;
  const rest: Piece = [`… ${text.slice(-MOST_BEFORE).replace(WORD_START, "")}`, false];
  return { ...block, cells: [[rest, ...cell.slice(first)]] };
}
