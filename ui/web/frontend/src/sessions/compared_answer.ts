// An answer that is compared with another, in pieces: its lines, and the tables of the rows that it quotes.
import { quotedRows } from "../shared/quote_text";

// Some text, `only` on this side; or a citation's number and no text.
export interface Piece { text: string; only: boolean; cite: number }
export type AnswerBlock = { kind: "text"; pieces: Piece[] } | { kind: "rows"; head: readonly string[]; rows: Piece[][][] };
type Headers = Readonly<Record<string, readonly string[]>>;

const BAR = " | ";
const CITED = "\u0000"; // stands for a citation
const AFTER_ROW = /^[ \u0000]*/;

// Rows of one table that follow each other stand together; the citations behind a row in its last cell.
// `headers` are those of their tables, by citation.
export function answerBlocks(pieces: readonly Piece[], headers: Headers = {}): AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  const signs = pieces.flatMap((piece) => (piece.cite ? [piece] : piece.text.split("").map((text) => ({ ...piece, text }))));
  let start = 0;
  for (const line of signs.map(({ text, cite }) => (cite ? CITED : text)).join("").split("\n")) {
    addLine(blocks, line, signs.slice(start, start + line.length), headers);
    start += line.length + 1;
  }
  return blocks;
}

function addLine(blocks: AnswerBlock[], line: string, signs: readonly Piece[], headers: Headers): void {
  let last = 0;
  for (const match of quotedRows(line)) {
    addText(blocks, signs.slice(last, match.index));
    const end = match.index + match[0].length;
    last = end + (AFTER_ROW.exec(line.slice(end))?.[0].length ?? 0);
    const cells = cellsOf(match[1] ?? "", signs.slice(match.index + 1, end - 1));
    cells.at(-1)?.push(...signs.slice(end, last).filter(({ cite }) => cite));
    addRow(blocks, cells.map(joinSigns), headers);
  }
  addText(blocks, signs.slice(last));
}

function cellsOf(row: string, signs: readonly Piece[]): Piece[][] {
  let start = 0;
  return row.split(BAR).map((cell) => {
    const own = signs.slice(start, start + cell.length);
    start += cell.length + BAR.length;
    return own;
  });
}

function addRow(blocks: AnswerBlock[], row: Piece[][], headers: Headers): void {
  const cited = row.at(-1)?.find(({ cite }) => cite);
  const known = (cited && headers[cited.cite]) ?? [];
  const head = known.length === row.length ? known : [];
  const above = blocks.at(-1);
  const together = above?.kind === "rows" && above.rows[0]?.length === row.length && above.head.join() === head.join();
  if (together) above.rows.push(row);
  else blocks.push({ kind: "rows", head, rows: [row] });
}

function addText(blocks: AnswerBlock[], signs: readonly Piece[]): void {
  const pieces = joinSigns(signs);
  if (pieces.some(({ text, cite }) => cite || text.trim())) blocks.push({ kind: "text", pieces });
}

function joinSigns(signs: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const sign of signs) {
    const before = joined.at(-1);
    if (before && !before.cite && !sign.cite && before.only === sign.only) before.text += sign.text;
    else joined.push({ ...sign });
  }
  return joined;
}

const LEAD = /^(?:([^“”\n]+): )?“([^“”\n]+)”[ \u0000]*$/;

// The words before a sentence that an answer quotes, the sentence, and what follows; null where a line is no quote.
export function splitLead(pieces: readonly Piece[]): { words: Piece[]; quoted: Piece[]; rest: Piece[] } | null {
  const signs = pieces.flatMap((piece) => (piece.cite ? [piece] : piece.text.split("").map((text) => ({ ...piece, text }))));
  const found = LEAD.exec(signs.map(({ text, cite }) => (cite ? CITED : text)).join("").trimEnd());
  if (!found) return null;
  const words = found[1]?.length ?? 0;
  const start = words ? words + ": “".length : 1;
  const end = start + (found[2]?.length ?? 0);
  return { words: joinSigns(signs.slice(0, words)), quoted: joinSigns(signs.slice(start, end)), rest: joinSigns(signs.slice(end + 1)) };
}
