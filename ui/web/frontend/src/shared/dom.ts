// Elements made of text nodes only: nothing from a page or a model is ever parsed as HTML.
export type Child = Node | string | number | false | null | undefined | readonly Child[];
export type Handlers = { [E in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[E]) => void };
export interface Properties {
  on?: Handlers;
  [attribute: string]: string | number | boolean | Handlers | undefined;
}

const SVG = "http://www.w3.org/2000/svg";

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), properties, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill<E extends Element>(node: E, { on, ...attributes }: Properties, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || typeof value === "object") continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [name, handler] of Object.entries(on ?? {})) node.addEventListener(name, handler as EventListener);
  node.append(...nodesOf(children));
  return node;
}

export function nodesOf(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child): (Node | string)[] => {
    if (child === undefined || child === null || child === false || child === "") return [];
    if (typeof child === "number") return [String(child)];
    return typeof child === "string" || child instanceof Node ? [child] : nodesOf(child);
  });
}

// Only web addresses become links.
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

export function link(url: string, properties: Properties, ...children: Child[]): HTMLElement {
  return isWebAddress(url)
    ? el("a", { href: url, target: "_blank", rel: "noopener noreferrer", ...properties }, ...children)
    : el("span", properties, ...children);
}

export function find<E extends Element>(root: ParentNode, selector: string, kind: new () => E): E | null {
  const found = root.querySelector(selector);
  return found instanceof kind ? found : null;
}

const drawnData = new WeakMap<Element, string>();

// Updates the children of a list by key: an item is redrawn only if its data changed.
export function updateList<T>(parent: Element, entries: readonly (readonly [string, T])[], make: (data: T, key: string) => HTMLElement): void {
  const old = new Map([...parent.children].map((child) => [child instanceof HTMLElement ? child.dataset.key : "", child]));
  let last: Element | null = null;
  for (const [key, data] of entries) {
    const text = JSON.stringify(data);
    let node = old.get(key);
    if (!node || drawnData.get(node) !== text) {
      const fresh = make(data, key);
      fresh.dataset.key = key;
      drawnData.set(fresh, text);
      node?.replaceWith(fresh);
      node = fresh;
    }
    old.delete(key);
    const place: ChildNode | null = last ? last.nextSibling : parent.firstChild;
    if (place !== node) parent.insertBefore(node, place);
    last = node;
  }
  for (const gone of old.values()) gone.remove();
}

// Remembers data, and says whether it differs from the last time.
export function createChangeCheck(): (data: unknown) => boolean {
  let last: string | undefined;
  return (data) => {
    const text = JSON.stringify(data);
    if (text === last) return false;
    last = text;
    return true;
  };
}
