// The document of a run as /api/sessions/ID/live streams it; ui/server/view.py builds it.
export type Outcome = "now" | "found" | "partial" | "nothing" | "failed" | "asked" | "done" | "interrupted";
export type ArmSign = Outcome | "unvisited";

export interface SessionHead {
  id: string;
  question: string;
  sites: string[];
  searched: "" | "kept" | "both"; // where, if no site is named: pages read before instead of the web, or besides it
  providers: string[]; // that a search of the web asks, in order, until the run has ended
  meant: string;
  graph: string;
  model: string;
  status: string;
  stands: string;
  asked: string;
  created: number;
  forked?: { origin: string; step: number; hint: string };
  turn: number;
  pleas: number;
  error: string;
  notes: string[];
  open: string[];
}

export interface TableCell { text: string; cites: string[] }
export interface AnswerTable { columns: string[]; rows: TableCell[][] }
export interface Doubt { sentence: string; why: string }
export type Piece = [text: string, marked: boolean];
export interface QuoteBlock { kind: "text" | "heading" | "item" | "row" | "code"; cells: Piece[][] }
export interface LeadSentence { part: string; words: string; quote: string; columns: string[]; blocks: QuoteBlock[]; yes_no: boolean; undecided?: boolean; so_far?: boolean }
export interface FurtherQuote { quote: string; blocks: QuoteBlock[] }
export interface NearestQuote { why: string; title: string; url: string; blocks: QuoteBlock[] }
export interface LaidAnswer { before: string[]; leads: LeadSentence[]; after: string[]; more: FurtherQuote[] }
export interface Answer { text: string; worth: string; laid?: LaidAnswer; draft?: FurtherQuote[]; closest?: FurtherQuote[]; reason?: string; reading?: string; nearest?: NearestQuote; doubts?: Doubt[]; table?: AnswerTable }

export interface Citation { id: string; url: string; title: string; quote: string; section: string; round: number }

export interface Evidence {
  quote: string;
  blocks: QuoteBlock[];
  columns: string[];
  url: string;
  title: string;
  section: string;
  part: string;
  round: number;
  cited: number;
  score: number;
  dated: string;
  also: string[];
  agrees: string[];
  conflicts: string[];
}

export interface SubQuestion { quotes: number; open: boolean; doubtful: boolean; unlikely?: boolean; likely?: number; unjudged?: boolean } // how likely its answer is right, 0 to 1; a stopped run had not judged it

export interface Arm {
  url: string;
  title: string;
  site: string;
  score: number;
  alpha: number;
  beta: number;
  draws: number;
  prior: [number, number];
  round: number;
  outcome: string;
  sign: ArmSign;
  number: number;
}

export interface BrowserAction {
  round: number;
  what: string;
  outcome: "moved" | "failed";
  url?: string;
  why?: string;
  changed?: string;
}

export interface Visit { url: string; round: number }

export type SpendKind = "pages" | "calls" | "tokens" | "dollars" | "seconds";
export interface Used { used: number; limit?: number; fetched?: boolean; taken?: number } // whether all pages fetched count, or those opened; seconds of a fork's origin
export type LimitedKind = SpendKind | "rounds";
export type Spend = Record<SpendKind, Used> & { rounds?: Used }; // rounds where they have a limit

export interface TimelineRow { node: string; type: string; text: string; outcome: Outcome; seconds: number }
export interface TimelineEntry extends TimelineRow { title: string; url: string; taken: boolean; rows: Record<string, TimelineRow> }

export interface RunGraph {
  nodes: Record<string, { count: number; status?: string }>;
  edges: Record<string, number>;
  carried: Record<string, string>; // by edge, what the node before it had done
  waiting: string[]; // the nodes before which the run halted
}

export interface TurnCitation { id: string; url: string; title: string; quote: string; blob: string; start: number; end: number }
export interface Turn {
  number: number;
  question: string;
  meant?: string;
  status: string;
  stands: string;
  answer: string;
  read: number;
  laid?: LaidAnswer;
  closest?: FurtherQuote[];
  parts?: Record<string, SubQuestion>;
  citations: TurnCitation[];
  timeline: Record<string, TimelineEntry>;
}

export interface RunView {
  session: SessionHead;
  answer: Answer;
  citations: Record<string, Citation>;
  evidence: Record<string, Evidence>;
  parts: Record<string, SubQuestion>;
  pages: number; // known ones
  read: number; // those that were opened or quoted
  arms: Record<string, Arm>;
  actions: Record<string, BrowserAction>;
  visited: Record<string, Visit>;
  spend: Spend;
  timeline: Record<string, TimelineEntry>;
  graph: RunGraph;
  names: Record<string, string>; // of the steps, by node
  turns: Record<string, Turn>;
}
