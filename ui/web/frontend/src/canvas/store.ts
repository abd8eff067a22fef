// The graph as it is here, kept in step with the one that Python holds.
import { useSyncExternalStore } from "react";
import { Outbox } from "./outbox";
import { pick } from "./graph/spec";
import { isPlaced } from "./layout/node_places";
import { reuseEqualParts } from "./graph/shared_structure";
import { END, START } from "./graph/types";
import type { Data, Place, Send, Spec } from "./graph/types";

// Each edit raises the revision by one, on both sides. A document is taken from Python only if
// its revision is above the one reached here, so that an answer to an older edit does not undo a newer one.
export class Store {
  data: Data;
  spec: Spec;
  revision: number;
  private id = Math.random().toString(36).slice(2, 12);
  private number = 0;
  private send: Send;
  private outbox: Outbox;
  private listeners = new Set<() => void>();
  private version = 0;
  private sentSelections: string[] = [];
  private knownSelection = "";
  private held = false;
  private unsentSelection: string[] | null = null;
  places: Record<string, Place> = {}; // the positions on the canvas
  selection: string[] | null = null; // what Python wants selected and did not learn from here

  constructor(data: Data, send: Send) {
    this.data = data;
    this.spec = data.spec;
    this.revision = data.revision;
    this.send = send;
    this.outbox = new Outbox(this.id, (name, value) => this.send.setStateValue(name, value));
    if (data.acknowledged) this.outbox.acknowledge(data.acknowledged);
    this.selection = data.selected;
    this.knownSelection = JSON.stringify(data.selected);
  }

  offer(data: Data, send: Send): void {
    this.send = send;
    const before = this.data;
    this.data = reuseEqualParts(before, data);
    if (data.revision > this.revision) {
      this.spec = this.data.spec;
      this.revision = data.revision;
    }
    if (data.acknowledged) this.outbox.acknowledge(data.acknowledged);
    this.receiveSelection(data.selected);
    if (this.data !== before || this.selection) this.notify();
  }

  get sent(): Send {
    return this.send;
  }

  get agreed(): boolean {
    return this.data.revision >= this.revision;
  }

  edit(spec: Spec): void {
    if (spec !== this.spec) this.put(spec);
  }

  // Without positions a graph is laid out on its own.
  layOut(spec: Spec = this.spec): void {
    this.put({ ...spec, positions: {} });
  }

  private put(spec: Spec): void {
    if (this.data.readonly) return;
    const base = this.revision;
    this.revision = base + 1;
    this.number += 1;
    this.spec = spec;
    this.outbox.put("edit", { canvas: this.id, base, number: this.number, spec });
    this.notify();
  }

  // With the places on the canvas for a graph that has none: a node that is connected by hand stays where it is.
  placed(spec: Spec): Spec {
    return isPlaced(spec) ? spec : { ...spec, positions: pick(this.places, [START, ...Object.keys(spec.nodes), END]) };
  }

  fire(name: string, value: unknown = true): void {
    if (this.data.acknowledged) this.outbox.put(name, value);
    else this.send.setTriggerValue(name, value);
  }

  close(): void {
    this.outbox.stop();
  }

  // While something is dragged, no selection is sent, so that no answer comes in between.
  hold(): void {
    this.held = true;
  }

  release(): void {
    this.held = false;
    if (this.unsentSelection) this.select(this.unsentSelection);
  }

  select(names: string[]): void {
    this.unsentSelection = this.held ? names : null;
    if (this.held) return;
    const text = JSON.stringify(names);
    if (text === (this.sentSelections.at(-1) ?? this.knownSelection)) return;
    this.sentSelections.push(text);
    this.fire("selected", names);
  }

  private receiveSelection(selected: string[]): void {
    const text = JSON.stringify(selected);
    if (text === this.knownSelection) return;
    this.knownSelection = text;
    const at = this.sentSelections.lastIndexOf(text);
    if (at >= 0) this.sentSelections.splice(0, at + 1);
    else {
      this.sentSelections = [];
      this.selection = selected;
    }
  }

  private notify(): void {
    this.version += 1;
    for (const listener of this.listeners) listener();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  snapshot = (): number => this.version;
}

export function useStore(store: Store): Store {
  useSyncExternalStore(store.subscribe, store.snapshot);
  return store;
}
