// What Streamlit calls for a component, and what our parts make of it.
import { el } from "./dom";
import { enterLanguage } from "./language";
import { fetchSession, followRun, openedQuote, toggleQuote } from "./run_stream";
import type { SiteNames } from "./format";
import type { RunView } from "./run_view";
import baseStyles from "./base.css" with { type: "text" };

export interface Component<D = unknown> {
  name: string;
  data: D;
  parentElement: HTMLElement | ShadowRoot;
  setStateValue: (name: string, value: unknown) => void;
  setTriggerValue: (name: string, value: unknown) => void;
}

export type Cleanup = () => void;
export type Part = (component: Component) => Cleanup;

type Draw<D> = (component: Component<D>) => Cleanup | undefined;
interface Place<D> { draw: Draw<D>; cleanup: Cleanup | undefined }

// A component drawn in one element. `create` is called once for each place on a page, the function
// that it returns on every change of the data. Streamlit may skip the cleanup of a call that a newer
// one overtook, so each call cleans up after the one before it.
export function definePart<D>(styles: readonly string[], create: (root: HTMLElement) => Draw<D>): Part {
  const places = new WeakMap<Node, Place<D>>();
  return inLanguage((component) => {
    const { parentElement } = component;
    let place = places.get(parentElement);
    if (!place) {
      adoptStyles(parentElement, [baseStyles, ...styles]);
      const root = parentElement.appendChild(el("div", { class: "root" }));
      place = { draw: create(root), cleanup: undefined };
      places.set(parentElement, place);
      markDrawn(parentElement);
    }
    const here = place;
    const cleanUp = () => {
      here.cleanup?.();
      here.cleanup = undefined;
    };
    cleanUp();
    here.cleanup = here.draw(component as Component<D>);
    return () => {
      if (!parentElement.isConnected) cleanUp();
    };
  });
}

// A part that is drawn once its texts are there, in the language that Python chose for the page.
export function inLanguage<D>(part: (component: Component<D>) => Cleanup): (component: Component<D>) => Cleanup {
  return (component) => {
    const wait = enterLanguage((component.data as { language?: string }).language ?? "");
    if (!wait) return part(component);
    let cleanUp: Cleanup | undefined;
    let isOver = false;
    void wait.then(() => { if (!isOver) cleanUp = part(component); });
    return () => {
      isOver = true;
      cleanUp?.();
    };
  };
}

// Tells the style sheet of the page, which may show something else until then.
function markDrawn(place: Node): void {
  const home = place.getRootNode();
  if (home instanceof ShadowRoot && home.host instanceof HTMLElement) home.host.dataset.drawn = "";
}

const sheets = new Map<string, CSSStyleSheet>();

// Style sheets are parsed once and shared by all shadow roots.
function adoptStyles(place: Node, styles: readonly string[]): void {
  const home = place.getRootNode();
  if (!(home instanceof ShadowRoot || home instanceof Document)) return;
  const wanted = styles.map((text) => {
    const sheet = sheets.get(text) ?? new CSSStyleSheet();
    if (!sheets.has(text)) sheet.replaceSync(text);
    sheets.set(text, sheet);
    return sheet;
  });
  home.adoptedStyleSheets = [...home.adoptedStyleSheets, ...wanted.filter((sheet) => !home.adoptedStyleSheets.includes(sheet))];
}

export interface RunData {
  session: string;
  token: string;
  sites: SiteNames;
  first?: RunView; // what the script knows, shown until the stream has begun
}

// What a part of a run may use while it draws.
export interface Run<D> {
  data: D;
  isLive: boolean; // false while `first` is shown
  isLost: boolean;
  openedQuote: string | null;
  toggleQuote: (id: string) => void;
  redraw: () => void;
  fetch: (path: string) => Promise<Response>;
  setState: (name: string, value: unknown) => void;
  setTrigger: (name: string, value: unknown) => void;
}

export type DrawRun<D> = (view: RunView, run: Run<D>) => void;

// A component that draws a run: on every change of its view, and whenever it asks for a redraw.
export function defineRunPart<D extends RunData = RunData>(styles: readonly string[], create: (root: HTMLElement) => DrawRun<D>): Part {
  return definePart<D>(styles, (root) => {
    let session = "";
    let view: RunView | undefined;
    let isLive = false;
    let isLost = false;
    let draw: DrawRun<D> = () => undefined;
    return ({ data, setStateValue, setTriggerValue }) => {
      if (session !== data.session) { // Streamlit may reuse the place for another session
        root.replaceChildren();
        [session, view, isLive, isLost] = [data.session, undefined, false, false];
        draw = create(root);
      }
      view ??= data.first;
      const redraw = () => {
        if (!view) return;
        draw(view, {
          data, isLive, isLost, redraw,
          openedQuote: openedQuote(data.session, data.token),
          toggleQuote: (id) => { toggleQuote(data.session, data.token, id); },
          fetch: (path) => fetchSession(data.session, data.token, path),
          setState: setStateValue, setTrigger: setTriggerValue,
        });
      };
      redraw();
      return followRun(data.session, data.token, (now, lost) => {
        [view, isLive, isLost] = [now, true, lost];
        root.classList.toggle("lost", lost);
        redraw();
      });
    };
  });
}
