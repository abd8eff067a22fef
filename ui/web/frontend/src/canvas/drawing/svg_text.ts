// Text in a drawing that no browser lays out: how wide it is, about, and where its lines end.
// How wide the letters of the page's font are, from the space to the tilde, in hundredths of their size.
const WIDTHS = [
  24, 31, 47, 71, 60, 96, 71, 26, 34, 34, 56, 60, 30, 40, 30, 44, 60, 60, 60, 60, 60, 60, 60, 60, 60, 60, 32, 32, 60, 60, 60, 49,
  90, 67, 66, 64, 69, 60, 58, 71, 72, 42, 55, 68, 52, 82, 72, 71, 64, 71, 66, 61, 58, 69, 64, 95, 66, 63, 60, 33, 44, 33, 60, 57,
  60, 56, 60, 51, 60, 56, 35, 55, 59, 28, 28, 56, 29, 89, 59, 57, 60, 60, 39, 50, 37, 59, 52, 82, 54, 52, 50, 36, 38, 36, 60,
];
const OTHERS: Readonly<Record<string, number>> = { "≤": 84, "·": 35, "…": 87 };
const OTHER = 60;
const FULL = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u; // as wide as high
const MORE = "…";

// In pixels, as wide as a bold text at most.
export function textWidth(text: string, size: number): number {
  return Array.from(text).reduce((sum, letter) => sum + (size * shareOf(letter)) / 100, 0);
}

function shareOf(letter: string): number {
  return FULL.test(letter) ? 100 : WIDTHS[(letter.codePointAt(0) ?? 0) - 32] ?? OTHERS[letter] ?? OTHER;
}

// The text on one line, cut where it is too wide.
export function clipped(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) return text;
  let kept = "";
  for (const letter of text) {
    if (textWidth(kept + letter + MORE, size) > width) break;
    kept += letter;
  }
  const word = kept.lastIndexOf(" "); // a word is not cut, if there is another
  return (word > 0 && !FULL.test(kept) ? kept.slice(0, word) : kept).trimEnd() + MORE;
}

// The text in lines, at most so many; the last is cut where more would follow.
export function wrapped(text: string, size: number, width: number, most: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) lines.push(...brokenLines(paragraph, size, width));
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), clipped(lines.slice(most - 1).join(" "), size, width)];
}

// Lines end between words, or between the letters of a script without spaces; a longer word is broken.
function brokenLines(text: string, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of piecesOf(text, size, width)) {
    if (line && textWidth((line + piece).trimEnd(), size) > width) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += line ? piece : piece.trimStart();
  }
  return [...lines, line.trimEnd()];
}

function piecesOf(text: string, size: number, width: number): string[] {
  return (text.match(/\s*\S+/g) ?? []).flatMap((word) => (FULL.test(word) || textWidth(word, size) > width ? Array.from(word) : [word]));
}

const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

// Text as XML takes it: without the characters that XML has no way to write.
export function escaped(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd").replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "").replace(/[&<>"']/g, (sign) => ESCAPED[sign] ?? sign);
}
