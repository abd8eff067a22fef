// The blocks of an answer that a model wrote: paragraphs, lists, code and tables, from its lines.
export type TextBlock =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "list"; ordered: boolean; items: string[] }
  | { kind: "table"; rows: string[][] };
export type Styled = [text: string, style: "plain" | "code" | "strong"];

const FENCE = /^ *`{3,}\w*$/;
const ITEM = /^ *(?:[-*•]|(\d{1,3})[.)]) +(.*)$/;
const ROW = /^ *\|(.+)\| *$/;
const RULE = /^[ :|-]+$/;
const STYLED = /`([^`\n]+)`|\*\*([^*\n]+)\*\*/g;

export function textBlocks(lines: readonly string[]): TextBlock[] {
  const blocks: TextBlock[] = [];
  let code: string[] | null = null;
  for (const line of lines) {
    if (FENCE.test(line)) {
      if (code) blocks.push({ kind: "code", text: code.join("\n") });
      code = code ? null : [];
    } else if (code) code.push(line);
    else if (line.trim()) addLine(blocks, line);
  }
  if (code?.length) blocks.push({ kind: "code", text: code.join("\n") });
  return blocks;
}

function addLine(blocks: TextBlock[], line: string): void {
  const last = blocks.at(-1);
  const item = ITEM.exec(line);
  const row = ROW.exec(line);
  if (item) {
    const ordered = item[1] !== undefined;
    const text = item[2] ?? "";
    if (last?.kind === "list" && last.ordered === ordered) last.items.push(text);
    else blocks.push({ kind: "list", ordered, items: [text] });
  } else if (row) {
    if (RULE.test(line)) return;
    const cells = (row[1] ?? "").split("|").map((cell) => cell.trim());
    if (last?.kind === "table") last.rows.push(cells);
    else blocks.push({ kind: "table", rows: [cells] });
  } else blocks.push({ kind: "text", text: line });
}

// A text, cut where code in backquotes or words in double asterisks begin or end.
export function styledPieces(text: string): Styled[] {
  const pieces: Styled[] = [];
  let last = 0;
  for (const match of text.matchAll(STYLED)) {
    if (match.index > last) pieces.push([text.slice(last, match.index), "plain"]);
    pieces.push(match[1] !== undefined ? [match[1], "code"] : [match[2] ?? "", "strong"]);
    last = match.index + match[0].length;
  }
  if (last < text.length) pieces.push([text.slice(last), "plain"]);
  return pieces;
}
