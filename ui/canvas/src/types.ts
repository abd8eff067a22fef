// What Python sends and takes; the contract stands in ui/canvas/__init__.py.
export type NodeSpec = { type: string; params?: Record<string, unknown>; [more: string]: unknown };
export type Place = [number, number];

export type Spec = {
  name: string;
  description: string;
  nodes: Record<string, NodeSpec>;
  edges: string[];
  positions: Record<string, Place>;
  folds?: Record<string, string[]>;
};

export type NodeType = {
  name: string;
  family: string;
  summary: string;
  routes: string[];
  reads: string[];
  writes: string[];
  spent: string;
  own: boolean;
};

export type Finding = {
  severity: "error" | "warning";
  at: string;
  message: string;
  mend: string;
  fix: { label: string } | null;
};

export type Sign = "+" | "-" | "~";

// How far Python took what each canvas said; no `heard` where it listens to none.
export type Heard = { ear: string; reached: Record<string, number> };

export type Data = {
  revision: number;
  spec: Spec;
  types: NodeType[];
  findings: Finding[];
  readonly: boolean;
  diff: Record<string, Sign> | null;
  selected: string[];
  watch: { session: string; token: string } | null;
  height: number;
  heard?: Heard;
};

export type Send = {
  setStateValue: (name: string, value: unknown) => void;
  setTriggerValue: (name: string, value: unknown) => void;
};

export const START = "start";
export const END = "end";
export const GRAPH = "graph";
