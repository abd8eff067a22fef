// Where a run of the draft pauses: before a node, after it, or both.
import type { Breakpoint, Spec } from "./types";

const ORDER: (Breakpoint | undefined)[] = [undefined, "before", "after", "both"];

export function breakpointAt(spec: Spec, name: string): Breakpoint | undefined {
  return spec.breakpoints?.[name];
}

export function withBreakpoint(spec: Spec, name: string, on: Breakpoint | undefined): Spec {
  if (!(name in spec.nodes)) return spec;
  const others = Object.entries(spec.breakpoints ?? {}).filter(([path]) => path !== name);
  return { ...spec, breakpoints: Object.fromEntries(on ? [...others, [name, on]] : others) };
}

// None, before, after, both, and none again.
export function nextBreakpoint(spec: Spec, name: string): Breakpoint | undefined {
  return ORDER[(ORDER.indexOf(breakpointAt(spec, name)) + 1) % ORDER.length];
}

// With a node renamed or, without a new name, removed; also those of the graph inside it.
export function movedBreakpoints(spec: Spec, fresh: (name: string) => string | null): Pick<Spec, "breakpoints"> {
  if (!spec.breakpoints) return {};
  const kept = Object.entries(spec.breakpoints).flatMap(([path, on]) => {
    const [outer = "", ...inner] = path.split("/");
    const now = fresh(outer);
    return now === null ? [] : [[[now, ...inner].join("/"), on] as const];
  });
  return { breakpoints: Object.fromEntries(kept) };
}
