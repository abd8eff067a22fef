// Reads the simple Markdown of notes: bold, italics, code, links and lists. What is read is text, never HTML.
export interface Piece { kind: "text" | "bold" | "italic" | "code" | "link"; text: string; to?: string }
export interface Block { kind: "text" | "heading" | "bullets" | "numbers"; lines: Piece[][] }

const MARKS = /`([^`\n]+)`|\*\*(\S(?:[^*\n]*\S)?)\*\*|(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])|(?<!\w)_(\S(?:[^_\n]*\S)?)_(?!\w)|\[([^\]\n]+)\]\(([^()\s]+)\)/g;
const BULLET = /^\s*[-*+]\s+(.*)$/;
const NUMBER = /^\s*\d{1,3}[.)]\s+(.*)$/;
const HEADING = /^#{1,4}\s+(.*)$/;

export function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  for (const line of text.split("\n")) {
    const [kind, rest] = kindOf(line);
    const last = blocks.at(-1);
    if (last?.kind === kind && kind !== "heading") last.lines.push(readPieces(rest));
    else blocks.push({ kind, lines: [readPieces(rest)] });
  }
  return blocks;
}

function kindOf(line: string): [Block["kind"], string] {
  const bullet = BULLET.exec(line)?.[1];
  if (bullet !== undefined) return ["bullets", bullet];
  const number = NUMBER.exec(line)?.[1];
  if (number !== undefined) return ["numbers", number];
  const heading = HEADING.exec(line)?.[1];
  return heading === undefined ? ["text", line] : ["heading", heading];
}

export function readPieces(line: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of line.matchAll(MARKS)) {
    const [whole, code, bold, italic, slanted, name, to] = found;
    const piece = pieceOf(code, bold, italic ?? slanted, name, to);
    if (!piece) continue;
    if (found.index > at) pieces.push({ kind: "text", text: line.slice(at, found.index) });
    pieces.push(piece);
    at = found.index + whole.length;
  }
  if (at < line.length || !pieces.length) pieces.push({ kind: "text", text: line.slice(at) });
  return pieces;
}

function pieceOf(code?: string, bold?: string, italic?: string, name?: string, to?: string): Piece | null {
  if (code !== undefined) return { kind: "code", text: code };
  if (bold !== undefined) return { kind: "bold", text: bold };
  if (italic !== undefined) return { kind: "italic", text: italic };
  return name !== undefined && to !== undefined && isWeb(to) ? { kind: "link", text: name, to } : null;
}

// Only pages of the web are linked; any other scheme could run something.
function isWeb(address: string): boolean {
  return /^https?:\/\//i.test(address) && URL.canParse(address);
}
