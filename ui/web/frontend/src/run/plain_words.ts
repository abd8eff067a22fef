// What the server tells of its work in words that need no knowledge of the program; also of old sessions.
import { say, sayCount, sayTold } from "../shared/language";

type Plainer = readonly [RegExp, string | ((match: string, ...groups: string[]) => string)];

const BETWEEN = " · ";
const PLAIN: readonly Plainer[] = [
  [/^All rounds are used\./, "All rounds are used: raise the limits to read more pages."],
  [/\b1 arm\b/g, "1 ranked page"], [/\b(\d[\d,]*) arms\b/g, "$1 ranked pages"], [/\bno arm is left\b/gi, "no further page to open"],
  [/\bevery arm is retired\b/g, "no other page looked likely"], [/\bEvery arm is retired\b/g, "No other page looked likely"],
  [/^no further page to open \((all rounds are used.*)\)$/, "$1"], [/^(no further page to open) \((.+)\)$/, `$1${BETWEEN}$2`], [/^(round \d+: .+) \([a-z-]+\)$/, "$1"],
  [/^0 passages$/, "nothing to quote"], [/\b1 passage; open: /, "1 quote; still open: "], [/\b(\d+) passages; open: /, "$1 quotes; still open: "],
  [/(^|: )nothing about the question\.$/, "$1nothing relevant on this page"], [/^nothing to recall$/, "nothing from earlier runs"], [/^kept nothing\b/, "kept no quotes"],
  [/\b(kept|dropped) (\d[\d,]*) \([^)]*\)/g, (_, did = "", count = "") => countQuotes(did, Number(count))],
  [/\b(kept|dropped) (e\d+(?:, e\d+)*)(?!\w)/g, (_, did = "", ids = "") => countQuotes(did, ids.split(", ").length)],
  [/^(kept .+), (dropped .+)$/, `$1${BETWEEN}$2`],
  [/^enough$/, "quotes that may answer"], [/^enough: (.+)$/, "quotes that may answer: $1"],
  [/^not enough: open: (.+)$/, (_, open = "") => `still open: ${open.replaceAll("; open: ", "; ")}`],
  [/^moved (.+)$/, "opened $1"], [/^failed (.+)$/, "failed to open $1"],
  [/^(?:visit|goto) (.+): the page drawn for this round$/, "open $1, chosen for this round"], [/^(?:visit|goto) (\S+)/, "open $1"],
  [/\bchoose another search provider \(Settings, FORAGER_SEARCH\)/g, "choose another search provider in Settings"], [/^duckduckgo\b|(?<=[.] )duckduckgo\b/g, "DuckDuckGo"],
  [/\bsites found nothing at all\./g, "No page that is kept here matches."], [/\bsites knows no page yet\. Ask a question about a site first, with --site\./g, "No site was read yet: name one under Sites."],
  [/, by rule$/, ""], [/^stop: (.+)$/, "done: $1"], [/^a question of its own$/, "used as written"], [/^asks: (.+?) \(.+\)\? \(about .*$/, "read as a follow-up: $1?"], [/^asks: (.+)$/, "understood as: $1"],
  [/^(\d[\d,]* lessons? recalled) and (.+)$/, `$1${BETWEEN}$2`], [/(\d[\d,]* attempts? of earlier sessions) \(.+\)$/, "$1"],
];

// Each part of a text in plain words.
export function plainWords(text: string): string {
  return text.split(BETWEEN).map((part) => PLAIN.reduce((plainer, [word, plain]) => plainer.replace(word, plain as string), part)).join(BETWEEN);
}

const SEARCH_FAILED = /^(No provider could search\. )?(.*? (?:could not be (?:reached|queried)|did not answer within|limits the request rate|had no answer from its engines)[^.]*\.)(?= .*\b(?:FORAGER_SEARCH\b|settings\.yml))/;

// What went wrong, under a title; where the web could not be searched this is the title, with its cause, and the rest is folded.
export function titleWarnings(notes: readonly string[]): { title: string; folded: boolean } {
  const cause = notes.flatMap((note) => SEARCH_FAILED.exec(note)?.[2] ?? [])[0];
  if (cause !== undefined) return { title: say("The web could not be searched: {cause}", { cause: sayTold(plainWords(cause)) }), folded: true };
  return { title: sayCount(notes.length, "{n} warning", "{n} warnings"), folded: false };
}

function countQuotes(did: string, count: number): string {
  if (did === "dropped") return `dropped ${count}`;
  return count === 1 ? "kept 1 quote" : `kept ${count} quotes`;
}
