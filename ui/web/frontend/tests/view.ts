// A view of a run in which nothing has happened, for tests to fill in.
import type { Arm, Evidence, RunView, TimelineEntry } from "../src/shared/run_view";

export function emptyView(change: Partial<RunView> = {}): RunView {
  const used = { used: 0 };
  return {
    session: {
      id: "ona", question: "Who lit it?", sites: [], searched: "", providers: [], meant: "", graph: "forager", model: "offline", status: "running", stands: "running",
      asked: "", created: 0, turn: 1, pleas: 0, error: "", notes: [], open: [],
    },
    answer: { text: "", worth: "" }, citations: {}, evidence: {}, parts: {}, pages: 0, read: 0, arms: {}, actions: {}, visited: {},
    spend: { pages: used, calls: used, tokens: used, dollars: used, seconds: used },
    timeline: {}, graph: { nodes: {}, edges: {}, carried: {}, waiting: [] }, names: { act: "Open", survey: "Find pages" }, turns: {}, ...change,
  };
}

export function entry(change: Partial<TimelineEntry>): TimelineEntry {
  return { node: "survey", type: "surveyor", text: "", outcome: "done", seconds: 0, title: "Find pages", url: "", taken: false, rows: {}, ...change };
}

export function evidence(change: Partial<Evidence>): Evidence {
  return { quote: "q", blocks: [], columns: [], url: "http://a.test/", title: "A", section: "", part: "", round: 1, cited: 0, score: 1, dated: "", also: [], agrees: [], conflicts: [], ...change };
}

export function arm(change: Partial<Arm>): Arm {
  return { url: "http://a.test/", title: "A", site: "http://a.test/", score: 1, alpha: 2, beta: 1, draws: 0, prior: [2, 1], round: 0, outcome: "", sign: "unvisited", number: 1, ...change };
}
