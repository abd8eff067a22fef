// Whether the hint of a fork changed what the session answered that it was forked from.
import { fetchSession } from "../shared/run_stream";
import type { RunView } from "../shared/run_view";
import { say } from "../shared/language";

export interface OriginReport { answer?: string; citations?: readonly { url: string; quote: string }[] }

const ENDED = new Set(["answered", "partial", "abstained"]);
const LEDGER_IDS = / ?\[e\d+(?:[,;\s]+e\d+)*\]/g;

// The session to compare with, once a fork with a hint has ended.
export function originToCompare({ session: { forked, status } }: RunView): string {
  return forked?.hint && ENDED.has(status) ? forked.origin : "";
}

export async function answersAlike(view: RunView, origin: string, token: string): Promise<boolean> {
  try {
    const reply = await fetchSession(origin, token, "");
    return reply.ok && isSameAnswer(view, await reply.json() as OriginReport);
  } catch {
    return false; // it is there no more
  }
}

// The same words and the same quotes; ids of the ledger may differ.
export function isSameAnswer({ answer, citations }: RunView, { answer: text = "", citations: cited = [] }: OriginReport): boolean {
  const words = (said: string): string => said.replace(LEDGER_IDS, "").trim();
  const quotes = (all: OriginReport["citations"] = []): string => JSON.stringify(all.map(({ url, quote }) => `${url} ${quote}`).sort());
  return words(answer.text) === words(text) && quotes(Object.values(citations)) === quotes(cited);
}

export function describeNoEffect({ session: { model } }: RunView): string {
  const told = say("The hint changed nothing: the session that this was forked from has the same answer and the same quotes.");
  return model === "offline" ? `${told} ${say("Without a language model, hints act only on what is looked up.")}` : told;
}
