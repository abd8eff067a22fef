// What the parts of the canvas can do to it.
import { createContext, useContext } from "react";
import type { RefObject } from "react";
import type { Anchor } from "./useFit";
import type { Linking } from "./linking";
import type { Splice } from "./useSplice";
import type { Types } from "../graph/spec";
import type { Store } from "../store";
import type { Place } from "../graph/types";

export interface Act {
  store: Store;
  types: Types;
  connectFrom: (source: string, route?: string) => void;
  root: RefObject<HTMLDivElement | null>;
  labels: HTMLElement | null; // where the names of edges are drawn
  announce: (text: string, at?: Place) => void; // at a place of the board too, where one is given
  linking: Linking;
  splice: Splice;
  carried: RefObject<string>; // the type that is dragged from the palette
  anchor: RefObject<Anchor | null>; // what the next layout shows
  addNote: (at?: Place) => void;
  pull: (source: string, route: string) => void; // opens the menu of what a route can lead on to
  rename: (id: string | null) => void; // what is written anew: a node, a group, or nothing
  toggleFold: (fold: string) => void;
  choose: (nodes: string[], edges?: string[]) => void;
}

const Context = createContext<Act | null>(null);
export const ActProvider = Context.Provider;

export function useAct(): Act {
  const act = useContext(Context);
  if (!act) throw new Error("outside of the canvas");
  return act;
}
