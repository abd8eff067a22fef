// The texts of the parts in the language of the page. An English text is its own key in the catalogues, which
// Python reads too: ui/language/*.json. What is shown elsewhere than where it stands is marked with `later`
// there, and given to `say` where it is shown.
import type { Child } from "./dom";

export type Entry = string | { one?: string; other: string };
export interface Catalogue { texts: Readonly<Record<string, Entry>>; sentences: Readonly<Record<string, string>> }
type Values = Readonly<Record<string, string | number>>;

const ENGLISH = "en";
const TAGS: Readonly<Record<string, string>> = { zh: "zh-Hans" }; // for the attribute `lang`
const PLACEHOLDER = /\{(\w+)\}/;
const BETWEEN_PARTS = " · ";
const BETWEEN_SENTENCES = /(?<=[.!?]) (?=[A-Z“])/;
const QUOTED = /^“([^“”]*)”$/;
const LONGEST_TOLD = 2000; // characters of what the server says; a longer text is a page's or a person's
const EMPTY: Catalogue = { texts: {}, sentences: {} };

let spoken = ENGLISH;
let catalogue = EMPTY;
let templates: (readonly [RegExp, string])[] = [];
let loading: Promise<void> | null = null;
let loadingName = "";

// Makes sure that texts are in this language; what has to be waited for, if anything. A page that was drawn
// in another one is drawn anew.
export function enterLanguage(name: string): Promise<void> | null {
  if (loading && name === loadingName) return loading;
  if (!name || name === spoken) return null;
  if (loadingName) {
    location.reload();
    return new Promise(() => undefined);
  }
  loadingName = name;
  loading = fetchCatalogue(name).then((found) => {
    useCatalogue(name, found);
    loading = null;
  });
  return loading;
}

export function useCatalogue(name: string, found: Catalogue): void {
  spoken = name;
  catalogue = found;
  templates = Object.entries(found.sentences)
    .sort(([one], [other]) => ownWords(other) - ownWords(one))
    .map(([text, translation]) => [templatePattern(text), translation] as const);
}

// Screen readers choose their voice by it; Streamlit's page says that it is English.
export function markLanguage(): void {
  document.documentElement.lang = TAGS[spoken] ?? spoken;
}

async function fetchCatalogue(name: string): Promise<Catalogue> {
  if (name === ENGLISH) return EMPTY;
  const reply = await fetch(new URL(`${name}.json`, import.meta.url)).catch(() => null);
  return reply?.ok ? await reply.json() as Catalogue : EMPTY;
}

export function say(text: string, values: Values = {}): string {
  const found = catalogue.texts[text];
  return fill(typeof found === "string" ? found : text, values);
}

// A text about a number `{n}`: of two English ones, for one thing and for any other number.
export function sayCount(n: number, one: string, many: string, values: Values = {}): string {
  const found = catalogue.texts[many];
  if (typeof found === "object") return fill(n === 1 ? found.one ?? found.other : found.other, { n, ...values });
  return fill(n === 1 ? one : many, { n, ...values });
}

// A text with elements in the place of `{name}`.
export function sayNodes(text: string, nodes: Readonly<Record<string, Child>>): Child[] {
  return say(text).split(PLACEHOLDER).map((piece, at) => (at % 2 ? nodes[piece] : piece));
}

// What the server said, where the catalogue knows it; it may be several sentences, or parts with ` · ` between them.
export function sayTold(text: string): string {
  if (text.length > LONGEST_TOLD) return text;
  if (QUOTED.test(text)) return markQuoted(text);
  const parts = text.split(BETWEEN_PARTS);
  if (parts.length > 1) return parts.map(sayTold).join(BETWEEN_PARTS); // first, as a value of a template could take in other parts
  for (const [pattern, translation] of templates) {
    const found = pattern.exec(text);
    if (found) return fill(translation, translateValues(found.groups ?? {}));
  }
  const pieces = text.split(BETWEEN_SENTENCES);
  return pieces.length > 1 ? pieces.map(sayTold).join(" ") : text;
}

// Words of a page or a person, which stay as they are, in the quotation marks of the language.
export function markQuoted(text: string): string {
  const [, words] = QUOTED.exec(text) ?? [];
  return words === undefined ? text : say("“{text}”", { text: words });
}

const TOLD = "told"; // a value that is itself something told
const ENGLISH_NUMBER = /^\d{1,3}(?:,\d{3})+(?=$| )/;

// The values, with words of the server, such as names of limits, translated, and with large numbers as the language writes them.
function translateValues(values: Values): Values {
  const translateValue = (value: string, name: string): string =>
    catalogue.sentences[value] ?? (name === TOLD ? sayTold(value) : null) ?? nameElements(markQuoted(value)).replace(ENGLISH_NUMBER, (number) => formatNumber(Number(number.replaceAll(",", ""))));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, translateValue(String(value), name)]));
}

const ELEMENT = /the ([a-z][a-z ]*?)(?: “([^“”]*)”)?(?: in (?=the )|$)/g;
const ELEMENTS = new RegExp(`^(?:${ELEMENT.source})+$`);

// An element of a page, and what it is in, by their roles in the language, and by their names as they are.
function nameElements(value: string): string {
  if (spoken === ENGLISH || !ELEMENTS.test(value)) return value;
  const [own = "", ...above] = [...value.matchAll(ELEMENT)].map(([, role = "", name]) => {
    const told = catalogue.sentences[role] ?? role;
    return name ? `${told} ${markQuoted(`“${name}”`)}` : told;
  });
  return above.length > 0 ? `${own} (${above.join(", ")})` : own;
}

// The text as it is, which is shown with `say`.
export function later<T extends string>(text: T): T {
  return text;
}

export function language(): string {
  return spoken;
}

// A number with so many digits after the decimal mark, or at most so many.
export function formatNumber(value: number, digits = 0, atLeast = digits): string {
  return value.toLocaleString(spoken, { minimumFractionDigits: atLeast, maximumFractionDigits: digits });
}

export function formatDollars(value: number, digits: number): string {
  return value.toLocaleString(spoken, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function fill(text: string, values: Values): string {
  return text.split(PLACEHOLDER).map((piece, at) => {
    if (at % 2 === 0) return piece;
    const value = values[piece] ?? `{${piece}}`;
    return typeof value === "number" ? value.toLocaleString(spoken) : value;
  }).join("");
}

function ownWords(template: string): number {
  return template.split(PLACEHOLDER).filter((_, at) => at % 2 === 0).join("").length;
}

function templatePattern(template: string): RegExp {
  const pieces = template.split(PLACEHOLDER).map((piece, at) => (at % 2 ? `(?<${piece}>.+?)` : piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
  return new RegExp(`^${pieces.join("")}$`, "s");
}
