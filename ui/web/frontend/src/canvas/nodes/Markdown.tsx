// The text of a note, with its bold and italic words, code, links and lists.
import { readBlocks } from "../graph/markdown";
import type { Block, Piece } from "../graph/markdown";

export function Markdown({ text }: { text: string }) {
  return readBlocks(text).map((block, at) => <Part key={at} block={block} />);
}

function Part({ block: { kind, lines } }: { block: Block }) {
  if (kind === "heading") return <p><strong>{lines.map(line)}</strong></p>;
  if (kind === "text") return <p>{lines.flatMap((pieces, at) => [at ? "\n" : "", ...line(pieces, at)])}</p>;
  const items = lines.map((pieces, at) => <li key={at}>{line(pieces, at)}</li>);
  return kind === "bullets" ? <ul>{items}</ul> : <ol>{items}</ol>;
}

function line(pieces: Piece[], row: number) {
  return pieces.map(({ kind, text, to }, at) => {
    const key = `${row} ${at}`;
    if (kind === "bold") return <strong key={key}>{text}</strong>;
    if (kind === "italic") return <em key={key}>{text}</em>;
    if (kind === "code") return <code key={key}>{text}</code>;
    if (kind === "link") return <a key={key} className="nodrag nopan" href={to} target="_blank" rel="noopener noreferrer">{text}</a>;
    return text;
  });
}
