// What the name of a route says about the outcome, for its sign and colour.
export type Outcome = "found" | "partial" | "nothing" | "failed" | "pass" | "plain";

const SAID: Record<string, Outcome> = {
  found: "found", sufficient: "found", done: "found", moved: "found", adequate: "found", yes: "found", passed: "found",
  insufficient: "partial", partial: "partial", unclear: "partial",
  nothing: "nothing", none: "nothing", exhausted: "nothing", stop: "nothing", empty: "nothing", no: "nothing",
  failed: "failed", error: "failed", infeasible: "failed", refused: "failed",
  next: "plain", end: "plain", "": "plain",
};

// Routes that only pass on have no sign: a class for them.
export function bareClass(kind: Outcome): string {
  return kind === "pass" || kind === "plain" ? " bare" : "";
}

export function routeOutcome(route: string, spent = ""): Outcome {
  return SAID[route] ?? (spent && route === spent ? "nothing" : "pass");
}
