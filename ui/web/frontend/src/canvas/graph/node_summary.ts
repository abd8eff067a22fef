// Sums up a node in a few words, by its parameters.
import { GRAPH } from "./types";
import type { NodeSpec, NodeType, Spec } from "./types";
import { textWidth } from "../drawing/svg_text";
import { formatNumber, later, say, sayCount } from "../../shared/language";

// Parameters that bound how much a node does.
const BOUNDS = new Map<string, (n: number) => string>(Object.entries({
  citations: (n: number) => sayCount(n, "{n} citation", "{n} citations"),
  contexts: (n: number) => sayCount(n, "{n} context", "{n} contexts"),
  entries: (n: number) => sayCount(n, "{n} entry", "{n} entries"),
  finds: (n: number) => sayCount(n, "{n} find", "{n} finds"),
  pages: (n: number) => sayCount(n, "{n} page", "{n} pages"),
  passages: (n: number) => sayCount(n, "{n} passage", "{n} passages"),
  results: (n: number) => sayCount(n, "{n} result", "{n} results"),
  rounds: (n: number) => sayCount(n, "{n} round", "{n} rounds"),
  rows: (n: number) => sayCount(n, "{n} row", "{n} rows"),
  snippets: (n: number) => sayCount(n, "{n} snippet", "{n} snippets"),
  steps: (n: number) => sayCount(n, "{n} step", "{n} steps"),
}));

export const BETWEEN = " · "; // facts

export interface Fact {
  text: string;
  short?: string; // where there is no room for its unit
  param?: string; // a number that can be changed in its place
  bound?: boolean;
  title?: string;
}

// For its box: the type, the bounds as such, then the rest.
// A value that comes from a parameter of the graph is shown as it is, not as its name.
export function nodeFacts(node: NodeSpec, given: Spec["parameters"] = {}): Fact[] {
  if (node.type === GRAPH) return [{ text: summarizeNode(node) }];
  const own = Object.entries(node.params ?? {});
  const params = own.map(([name, value]) => [name, given[referred(value)]?.default ?? value] as const);
  const bounds = params.filter(([name, value]) => isBound(name, value));
  const rest = params.filter(([name, value]) => !isBound(name, value));
  const fact = (param: string, value: unknown, text: string): Fact => {
    const from = referred(node.params?.[param]);
    if (from in given) return { text, title: say("From the parameter {name} of the method", { name: `$${from}` }) };
    return typeof value === "number" ? { text, param } : { text };
  };
  return [
    { text: node.type },
    ...bounds.map(([name, value]) => ({ ...fact(name, value, `≤ ${said(name, value)}`), short: `≤ ${formatNumber(Number(value))}`, bound: true })),
    ...rest.map(([name, value]) => fact(name, value, said(name, value).replaceAll("_", " "))),
  ];
}

// Those that stand whole in a line: bounds first, then the type, then the rest; in their order.
export function fittingFacts(facts: readonly Fact[], size: number, room: number): Fact[] {
  const wanted = [...facts.filter(({ bound }) => bound), ...facts.filter(({ bound }) => !bound)];
  const kept = new Set<Fact>();
  for (const fact of wanted) {
    if (textWidth([...kept, fact].map(({ text }) => text).join(BETWEEN), size) <= room) kept.add(fact);
  }
  return facts.filter((fact) => kept.has(fact));
}

export function withParam(spec: Spec, name: string, param: string, value: number): Spec {
  const node = spec.nodes[name];
  if (!node || node.params?.[param] === value) return spec;
  return { ...spec, nodes: { ...spec.nodes, [name]: { ...node, params: { ...node.params, [param]: value } } } };
}

const referred = (value: unknown) => (typeof value === "string" ? /^\$([a-z][a-z0-9_]*)$/.exec(value)?.[1] ?? "" : "");

const isBound = (name: string, value: unknown) => BOUNDS.has(name) && typeof value === "number" && value > 0;

export function summarizeNode(node: NodeSpec): string {
  if (node.type === GRAPH) {
    const inner = (node.params?.spec as { nodes?: object } | undefined)?.nodes;
    return inner ? sayCount(Object.keys(inner).length, "method, {n} node", "method, {n} nodes") : say("method");
  }
  const parts = Object.entries(node.params ?? {}).map(([name, value]) => said(name, value));
  return [node.type, ...parts].filter(Boolean).join(", ");
}

function said(name: string, value: unknown): string {
  if (value === true) return name;
  if (value === false) return say("no {name}", { name });
  if (typeof value === "number") return BOUNDS.get(name)?.(value) ?? (name.endsWith("s") ? `${value} ${value === 1 ? singular(name) : name}` : `${name} ${value}`);
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join("; ") || name;
  return typeof value === "string" ? value : name;
}

const singular = (name: string) => name.replace(/ies$/, "y").replace(/s$/, "");

// The sections of the palette, in the order in which a question meets them.
const FAMILIES: Record<string, string> = {
  prepare: later("Prepare"), memory: later("Remember"), walk: later("Walk"), read: later("Read"), judge: later("Judge"), answer: later("Answer"),
};

export function families(types: NodeType[]): [string, NodeType[]][] {
  const found = new Map<string, NodeType[]>();
  for (const name of Object.values(FAMILIES)) found.set(say(name), []);
  for (const type of types) {
    const name = type.own ? say("Your own") : say(FAMILIES[type.family] ?? capital(type.family));
    found.set(name, [...(found.get(name) ?? []), type]);
  }
  return [...found.entries()].filter(([, list]) => list.length > 0);
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
