// What Python sends and takes; ui/web/components/canvas.py says how both keep in step.
export interface NodeSpec { type: string; description?: string; params?: Record<string, unknown>; [more: string]: unknown }
export type Place = [number, number];

export const COLOURS = ["yellow", "green", "blue", "grey"] as const;
export interface Note { text: string; colour: (typeof COLOURS)[number]; place: [number, number, number, number] } // left, top, width, height
export type Breakpoint = "before" | "after" | "both";

export interface Spec {
  name: string;
  description: string;
  nodes: Record<string, NodeSpec>;
  edges: string[];
  parameters?: Record<string, { default: unknown }>;
  positions: Record<string, Place>;
  folds?: Record<string, string[]>;
  notes?: Record<string, Note>;
  breakpoints?: Record<string, Breakpoint>; // by the path of a node
}

export interface NodeType {
  name: string;
  family: string;
  summary: string;
  routes: string[];
  node_routes?: Record<string, string[]>; // by node, where its parameters decide
  enough?: string; // the route of a judge on which what was found suffices
  node_enough?: Record<string, string>;
  reads: string[];
  needs?: string[]; // what must have been written before it runs
  writes: string[];
  followed?: Record<string, Record<string, number>>; // by route, how often a type follows in the presets; `end` is one, too
  spent: string;
  own: boolean;
}

export interface Finding {
  severity: "error" | "warning";
  at: string;
  message: string;
  mend: string;
  also: string[]; // the other places of the same cause
  fix: { label: string } | null;
  alternatives?: { label: string }[]; // if the fix is one of several
}

export type Sign = "+" | "-" | "~";

// The last message that Python received from each canvas.
export interface Acknowledged { inbox: string; reached: Record<string, number> }

// A run of the draft: the graph inside which the drawing is, and the whole graph where that is another one.
export interface DraftRun { session: string; token: string; within: string; whole: Spec | null }

export interface Data {
  revision: number;
  spec: Spec;
  types: NodeType[];
  findings: Finding[];
  readonly: boolean;
  diff: Record<string, Sign> | null;
  selected: string[];
  watch: { session: string; token: string; names: Record<string, string> } | null; // what the steps of nodes are called
  run?: DraftRun | null;
  height: number;
  acknowledged?: Acknowledged; // missing if Python receives nothing
}

export interface Send {
  setStateValue: (name: string, value: unknown) => void;
  setTriggerValue: (name: string, value: unknown) => void;
}

export const START = "start";
export const END = "end";
export const GRAPH = "graph";
