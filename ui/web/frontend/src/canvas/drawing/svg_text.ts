// Text in a drawing that no browser lays out: how wide it is, about, and where its lines end.
const NARROW = /[ilj|!'.,:;()[\]tfrI1 ]/;
const WIDE = /[mwMW@%&]/;
const FULL = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u; // as wide as high
const MORE = "…";

// In pixels; a little more than in the fonts that the drawing names, so that nothing runs over.
export function textWidth(text: string, size: number): number {
  return Array.from(text).reduce((sum, letter) => sum + size * shareOf(letter), 0);
}

function shareOf(letter: string): number {
  if (FULL.test(letter)) return 1;
  if (NARROW.test(letter)) return 0.34;
  if (WIDE.test(letter)) return 0.9;
  return /[A-Z0-9_–—…≤]/.test(letter) ? 0.65 : 0.57;
}

// The text on one line, cut where it is too wide.
export function clipped(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) return text;
  let kept = "";
  for (const letter of text) {
    if (textWidth(kept + letter + MORE, size) > width) break;
    kept += letter;
  }
  return kept.trimEnd() + MORE;
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
