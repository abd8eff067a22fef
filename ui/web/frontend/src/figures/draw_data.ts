// The draws of a run: what each arm was given in each round, and what came of those that were drawn.
import type { Arm } from "../shared/run_view";

export interface Draw { round: number; samples: Record<string, number>; arms: number[]; outcomes: string[]; strategy: string }

const OUTCOMES: Partial<Record<string, string>> = { adequate: "found", partial: "partial", feasible: "nothing", infeasible: "nothing" };

// What the arm was given in each round, and whether it was drawn then.
export function drawsOfArm(arm: number, draws: readonly Draw[]): [value: number, won: boolean][] {
  return draws.flatMap(({ samples, arms }) => {
    const value = samples[arm];
    return value === undefined ? [] : [[value, arms.includes(arm)]];
  });
}

// The outcome of a round for one of its arms; the arm's own where nobody judged it then.
export function outcomeOfDraw({ round, arms: drawn, outcomes }: Draw, number: number, arms: ReadonlyMap<number, Arm>): string {
  const judged = OUTCOMES[outcomes[drawn.indexOf(number)] ?? ""];
  const arm = arms.get(number);
  return judged ?? (arm?.round === round ? arm.sign : "nothing");
}
