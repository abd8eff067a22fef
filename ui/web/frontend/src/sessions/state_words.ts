// What a step changed, in words that need no knowledge of the program's state.
import { plainWords } from "../run/plain_words";
import { later, markQuoted, say, sayTold } from "../shared/language";

const KEYS: Readonly<Partial<Record<string, string>>> = {
  question: later("Question"), site: later("Site"), hint: later("Hint"), forbidden: later("Not to be read"), note: later("Note"),
  meaning: later("Follow-up"), draw: later("Choice of a page"), recall: later("From memory"), proposal: later("Next action"),
  frontier: later("Links to choose from"), reading: later("Passages copied"), feedback: later("Still open"), verdict: later("Verdict"), answer: later("Answer"),
};
const NUMBERED: Readonly<Partial<Record<string, string>>> = {
  part: later("Sub-question {id}"), steps: later("Action {id}"), rationales: later("Reason {id}"), evidence: later("Quote {id}"), lessons: later("Lesson {id}"),
};
const KINDS: Readonly<Partial<Record<string, string>>> = {
  pages: later("Pages opened"), rounds: later("Rounds"), steps: later("Steps"), calls: later("Calls"), tokens: later("Tokens"), usd: later("Dollars"),
  seconds: later("Time"), fetched: later("Pages fetched"), pages_cached: later("Pages kept from before"), refused: later("Actions refused"),
  tokens_in: later("Tokens sent"), tokens_out: later("Tokens received"), tokens_cached: later("Tokens cached"),
};
const ARM = /^arms\[(\d+)\]( part)?$/;
const SURVEY_OF = /^survey of (.+)$/;

// The name of what changed; as it is, if it is nothing of a state.
export function nameChange(what: string): string {
  const [key = "", ...others] = what.split(" ");
  const rest = others.join(" ");
  const [, arm, part] = ARM.exec(what) ?? [];
  if (arm !== undefined) return part ? say("Sub-question of ranked page {n}", { n: arm }) : say("Ranked page {n}", { n: arm });
  const site = SURVEY_OF.exec(what)?.[1];
  if (site !== undefined) return say("Pages of {site}", { site });
  const kind = say(KINDS[rest] ?? rest);
  if (key === "spend" && rest) return say("Spent: {kind}", { kind });
  if (key === "budget" && rest) return say("Limit: {kind}", { kind });
  const numbered = rest ? NUMBERED[key] : undefined;
  if (numbered !== undefined) return say(numbered, { id: rest });
  const name = rest ? undefined : KEYS[key];
  return name === undefined ? what : say(name);
}

// A value as it was or is, if it is no text of a page or a person.
export function describeValue(text: string): string {
  return /^[“"]/.test(text) ? markQuoted(text) : sayTold(plainWords(text));
}
