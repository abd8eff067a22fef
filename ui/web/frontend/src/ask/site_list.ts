// The sites that a person types or pastes.
const SEPARATORS = /[\s,;]+/;

// The sites in a text, in which blanks, commas and semicolons part them.
export function splitSites(text: string): string[] {
  return text.split(SEPARATORS).filter(Boolean);
}

// The sites with those of a text added; each once.
export function addSites(sites: readonly string[], text: string): string[] {
  return [...new Set([...sites, ...splitSites(text)])];
}
