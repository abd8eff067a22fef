// The graph as it stands here, and how it is kept in step with the one that Python holds.
import { useSyncExternalStore } from "react";
import { Mail } from "./mail";
import { sameParts } from "./same";
import { END, START } from "./types";
import type { Data, Place, Send, Spec } from "./types";

// Each edit raises the revision by one, here and there. A document is taken from Python only where
// its revision is above the one reached here, so that an answer to an older edit undoes no newer one.
export class Store {
  data: Data;
  spec: Spec;
  revision: number;
  private id = Math.random().toString(36).slice(2, 12);
  private number = 0;
  private send: Send;
  private mail: Mail;
  private listeners = new Set<() => void>();
  private version = 0;
  private sentSelections: string[] = [];
  private toldSelection = "";
  private held = false;
  private unsaid: string[] | null = null;
  places: Record<string, Place> = {}; // where nodes stand on the canvas
  selection: string[] | null = null; // what Python wants selected and was not told from here

  constructor(data: Data, send: Send) {
    this.data = data;
    this.spec = data.spec;
    this.revision = data.revision;
    this.send = send;
    this.mail = new Mail(this.id, (name, value) => this.send.setStateValue(name, value));
    if (data.heard) this.mail.heard(data.heard);
    this.selection = data.selected;
    this.toldSelection = JSON.stringify(data.selected);
  }

  offer(data: Data, send: Send): void {
    this.send = send;
    const before = this.data;
    this.data = sameParts(before, data);
    if (data.revision > this.revision) {
      this.spec = this.data.spec;
      this.revision = data.revision;
    }
    if (data.heard) this.mail.heard(data.heard);
    this.hear(data.selected);
    if (this.data !== before || this.selection) this.tell();
  }

  get sent(): Send {
    return this.send;
  }

  get agreed(): boolean {
    return this.data.revision >= this.revision;
  }

  edit(spec: Spec): void {
    if (this.data.readonly || spec === this.spec) return;
    spec = this.placed(spec);
    const base = this.revision;
    this.revision = base + 1;
    this.number += 1;
    this.spec = spec;
    this.mail.put("edit", { canvas: this.id, base, number: this.number, spec });
    this.tell();
  }

  // The first edit of a graph that had no places gives one to each of its nodes.
  private placed(spec: Spec): Spec {
    const names = Object.keys(spec.nodes);
    if (names.some((name) => spec.positions[name])) return spec;
    const kept = [START, ...names, END].filter((name) => this.places[name]);
    return { ...spec, positions: Object.fromEntries(kept.map((name) => [name, this.places[name]!])) };
  }

  fire(name: string, value: unknown = true): void {
    if (this.data.heard) this.mail.put(name, value);
    else this.send.setTriggerValue(name, value);
  }

  close(): void {
    this.mail.stop();
  }

  // While something is dragged nothing is told, so that no answer comes in between.
  hold(): void {
    this.held = true;
  }

  release(): void {
    this.held = false;
    if (this.unsaid) this.select(this.unsaid);
  }

  select(names: string[]): void {
    this.unsaid = this.held ? names : null;
    if (this.held) return;
    const said = JSON.stringify(names);
    if (said === (this.sentSelections.at(-1) ?? this.toldSelection)) return;
    this.sentSelections.push(said);
    this.fire("selected", names);
  }

  private hear(selected: string[]): void {
    const said = JSON.stringify(selected);
    if (said === this.toldSelection) return;
    this.toldSelection = said;
    const at = this.sentSelections.lastIndexOf(said);
    if (at >= 0) this.sentSelections.splice(0, at + 1);
    else {
      this.sentSelections = [];
      this.selection = selected;
    }
  }

  private tell(): void {
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
