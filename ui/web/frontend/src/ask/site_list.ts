// The sites that a person types or pastes.
const SEPARATORS = /[\s,;]+/;
const HOST = /^(?:\[[\da-f:.]+\]|[a-z\d_-]+(?:\.[a-z\d_-]+)*\.?)$/i;

// The sites in a text, in which blanks, commas and semicolons part them.
export function splitSites(text: string): string[] {
  return text.split(SEPARATORS).filter(Boolean);
}

// Whether a piece of text can be a site: an address, a host, or a server of one's own, as the server reads it.
export function isSite(text: string): boolean {
  const address = text.includes("://") ? text : `https://${text}`;
  const { protocol, hostname } = URL.canParse(address) ? new URL(address) : { protocol: "", hostname: "" };
  if (protocol !== "http:" && protocol !== "https:") return false;
  if (!HOST.test(hostname)) return false;
  return text.includes("://") || hostname === "localhost" || /[.:]/.test(hostname);
}

// The sites with those of a text added, each once, and what of the text is no site.
export function addSites(sites: readonly string[], text: string): { sites: string[]; refused: string[] } {
  const named = splitSites(text);
  return { sites: [...new Set([...sites, ...named.filter(isSite)])], refused: named.filter((each) => !isSite(each)) };
}
