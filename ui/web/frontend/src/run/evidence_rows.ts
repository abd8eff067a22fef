// The rows of the evidence table: which are shown, and in which order.
import type { Evidence } from "../shared/run_view";

export interface EvidenceRow extends Evidence { id: string }
export type Column = "cited" | "quote" | "page" | "part" | "round";
export interface Arrangement { sort: Column; down: boolean; find: string; part: string }

const KEYS: Record<Column, (row: EvidenceRow) => string | number> = {
  cited: (row) => row.cited || Infinity,
  quote: (row) => row.quote,
  page: (row) => row.title || row.url,
  part: (row) => row.part,
  round: (row) => row.round,
};

// The rows that fit the filters, sorted; equal ones by their number in the ledger.
export function arrangeRows(rows: readonly EvidenceRow[], how: Arrangement): EvidenceRow[] {
  const key = KEYS[how.sort];
  const direction = how.down ? -1 : 1;
  return rows.filter((row) => fits(row, how))
    .sort((one, other) => direction * compare(key(one), key(other)) || ledgerNumber(one) - ledgerNumber(other));
}

const FEW = 5;

// The rows that a small window shows at first: those that are cited, else a few.
export function leadingRows(rows: readonly EvidenceRow[]): EvidenceRow[] {
  const cited = rows.filter((row) => row.cited);
  return cited.length ? cited : rows.slice(0, FEW);
}

function fits(row: EvidenceRow, how: Arrangement): boolean {
  const words = how.find.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${row.quote} ${row.title} ${row.url} ${row.section}`.toLowerCase();
  return (!how.part || row.part === how.part) && words.every((word) => text.includes(word));
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one === other ? 0 : one - other;
  return String(one).localeCompare(String(other));
}

function ledgerNumber(row: EvidenceRow): number {
  return Number(row.id.replace(/\D/g, ""));
}

// A sub-question in a narrow column: without the beginning that it shares with another one, up to the last word of that.
export function tellApart(part: string, parts: readonly string[], most: number): string {
  if (part.length <= most) return part;
  const words = part.split(" ");
  const shared = parts.filter((other) => other !== part).map((other) => {
    const others = other.split(" ");
    const differs = words.findIndex((word, at) => word !== others[at]);
    return differs < 0 ? 0 : differs;
  });
  const kept = Math.max(0, Math.max(0, ...shared) - 1);
  return kept ? `… ${words.slice(kept).join(" ")}` : part;
}

// The number of a citation, or else the page of a quote.
export function nameQuotes(ids: readonly string[], rows: readonly EvidenceRow[]): string[] {
  const named = ids.flatMap((id) => rows.find((row) => row.id === id) ?? []).map(({ cited, title, url }) => (cited ? `[${cited}]` : title || url));
  return [...new Set(named)];
}
