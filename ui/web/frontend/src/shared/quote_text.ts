// The text of answers and quotes.
const CITATION = /\[([^[\]\n]{1,60})\]/g;
const BLOCK_MARKS = /^ *(?:#{1,6}|-|\||`{3,}\w*)(?: +|$)/gm;

// An answer's text, with what `make` gives in the place of each citation.
export function splitCitations<Q, N>(text: string, quotes: ReadonlyMap<string, Q>, make: (quote: Q) => N): (string | N)[] {
  const pieces: (string | N)[] = [];
  let last = 0;
  for (const match of text.matchAll(CITATION)) {
    const ids = (match[1] ?? "").split(/[\s,;]+/);
    const found = ids.flatMap((id) => quotes.get(id) ?? []);
    if (found.length < ids.length) continue; // brackets of the text itself
    pieces.push(text.slice(last, match.index), ...found.map(make));
    last = match.index + match[0].length;
  }
  return [...pieces, text.slice(last)];
}

// A page's words in their lines, without these marks and without blank lines.
export function stripBlockMarks(text: string): string {
  return text.replace(BLOCK_MARKS, "").replace(/\n\s*\n+/g, "\n");
}

const QUOTED_ROW = /“([^“”\n]*[^“”\n ] \| [^“”\n]+)”/g;
const BRACKETS = ["()", "[]", "{}"];

// The rows of tables that a text quotes, as “a | b”; not a choice of code, as “(a | b)”, whose brackets a cell would tear apart.
export function quotedRows(text: string): RegExpExecArray[] {
  return [...text.matchAll(QUOTED_ROW)].filter((match) => (match[1] ?? "").split(" | ").every(isWhole));
}

function isWhole(cell: string): boolean {
  return BRACKETS.every(([open = "", close = ""]) => cell.split(open).length === cell.split(close).length);
}

// A text, cut into its words and the rows that it quotes, as “a | b”; rows that follow each other stand together.
export function splitRows(text: string): (string | string[][])[] {
  const pieces: (string | string[][])[] = [];
  let last = 0;
  for (const match of quotedRows(text)) {
    const cells = (match[1] ?? "").split(" | ");
    const before = text.slice(last, match.index);
    const above = pieces.at(-1);
    if (Array.isArray(above) && !before.trim() && above[0]?.length === cells.length) above.push(cells);
    else pieces.push(before, [cells]);
    last = match.index + match[0].length;
  }
  return [...pieces, text.slice(last)].filter((piece) => typeof piece !== "string" || piece.trim());
}
