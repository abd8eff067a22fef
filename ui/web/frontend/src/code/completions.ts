// Completes the text of a graph: keys, node types, their parameters and values, and edges.
import type { Completion, CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete";

interface ParamSchema { about: string; choices: string[] }
interface TypeSchema { about: string; routes: string[]; params: Record<string, ParamSchema> }
export interface GraphSchema { keys: Record<string, string>; types: Record<string, TypeSchema> }

const NODE = /^ {2,}([a-z]\w*): *\{? *type: *([\w-]+)/gm;
const NODE_OPEN = /^ {2}([a-z]\w*): *$/;
const BLOCK_TYPE = /^ {4,}type: *([\w-]+)/;

// The type of each node that the text describes, on one line or in a block.
export function nodeTypes(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", type = ""] of text.matchAll(NODE)) found.set(name, type);
  let open = "";
  for (const line of text.split("\n")) {
    open = NODE_OPEN.exec(line)?.[1] ?? (/^ {4}/.test(line) ? open : "");
    const type = BLOCK_TYPE.exec(line)?.[1];
    if (open && type) found.set(open, type);
  }
  return found;
}

// What may stand at the end of `before`, and where the word that it replaces begins.
export function completionsAt(before: string, after: string, schema: GraphSchema): { from: number; options: Completion[] } | null {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const word = /[\w.-]*$/.exec(line)?.[0] ?? "";
  const from = before.length - word.length;
  const lead = line.slice(0, line.length - word.length);
  const nodes = nodeTypes(`${before}${after}`);
  const give = (options: Completion[]) => (options.length ? { from, options } : null);
  if (/^$/.test(lead)) return give(Object.entries(schema.keys).map(([label, info]) => ({ label, type: "keyword", apply: `${label}: `, info })));
  if (/^ *- $/.test(lead)) return give(routesOf(nodes, schema));
  if (/(?:->|=>) *$/.test(lead)) return give([...nodes.keys(), "end"].map((label) => ({ label, type: "variable" })));
  if (/\btype: *$/.test(lead)) return give(Object.entries(schema.types).map(([label, { about }]) => ({ label, type: "type", info: about })));
  const params = paramsAt(before, line, nodes, schema);
  if (!params) return null;
  const value = /([\w-]+): *$/.exec(lead)?.[1];
  if (value) return give((params[value]?.choices ?? []).map((label) => ({ label, type: "enum" })));
  return /[{,] *$|^ +$/.test(lead)
    ? give(Object.entries(params).map(([label, { about, choices }]) => ({ label, type: "property", apply: `${label}: `, detail: choices.join(", "), info: about })))
    : null;
}

function routesOf(nodes: Map<string, string>, schema: GraphSchema): Completion[] {
  const routes = [...nodes].flatMap(([name, type]) => (schema.types[type]?.routes ?? []).map((route) => `${name}.${route}`));
  return ["start", ...routes].map((label) => ({ label, type: "variable", apply: `${label} -> ` }));
}

// The parameters of the node whose params the place is in.
function paramsAt(before: string, line: string, nodes: Map<string, string>, schema: GraphSchema): Record<string, ParamSchema> | null {
  const inline = /^ {2,}([a-z]\w*):.*\bparams: *\{[^}]*$/.exec(line)?.[1];
  const node = inline ?? blockNode(before);
  return (node && schema.types[nodes.get(node) ?? ""]?.params) || null;
}

// The node of the block `params:` that the last line stands in.
function blockNode(before: string): string | undefined {
  const lines = before.split("\n");
  const depth = (text: string) => /^ */.exec(text)?.[0].length ?? 0;
  let least = depth(lines.at(-1) ?? "");
  let inParams = false;
  for (const each of lines.slice(0, -1).reverse()) {
    if (!each.trim() || depth(each) >= least) continue;
    least = depth(each);
    if (!inParams) {
      if (!/^ +params: *$/.test(each)) return undefined;
      inParams = true;
    } else if (least === 2) return /^ {2}([a-z]\w*):/.exec(each)?.[1];
  }
  return undefined;
}

export function graphCompletions(schema: GraphSchema): CompletionSource {
  return (context: CompletionContext): CompletionResult | null => {
    const { doc } = context.state;
    const found = completionsAt(doc.sliceString(0, context.pos), doc.sliceString(context.pos), schema);
    if (!found || (!context.explicit && found.from === context.pos && !/[{,:>-] *$/.test(doc.sliceString(0, context.pos)))) return null;
    return { ...found, validFor: /^[\w.-]*$/ };
  };
}
