// Mounts the canvas: a graph to edit, or one with a run on it.
import "./board/canvas.css";
import "./run/run.css";
import { createRoot } from "react-dom/client";
import type { Root } from "react-dom/client";
import { inLanguage } from "../shared/component";
import type { Cleanup, Component } from "../shared/component";
import type { Data } from "./graph/types";
import { EditorCanvas } from "./run/EditorCanvas";
import { RunCanvas } from "./run/RunCanvas";
import { Store } from "./store";

export { graph_pictures } from "../editor/graph_pictures"; // they are laid out as graphs are here
export { template_cards } from "../editor/template_cards";

interface Mounted { root: Root; store: Store }

const mounted = new WeakMap<Node, Mounted>();

export const mount = inLanguage(({ data, parentElement, setStateValue, setTriggerValue }: Component<Data>): Cleanup => {
  const send = { setStateValue, setTriggerValue };
  let here = mounted.get(parentElement);
  if (here) here.store.offer(data, send);
  else {
    const place = parentElement.appendChild(document.createElement("div"));
    place.className = "place";
    here = { root: createRoot(place), store: new Store(data, send) };
    mounted.set(parentElement, here);
    here.root.render(data.watch ? <RunCanvas store={here.store} session={data.watch.session} token={data.watch.token} /> : <EditorCanvas store={here.store} />);
  }
  const { root, store } = here;
  return () => {
    if (parentElement.isConnected) return; // a newer call has overtaken this one, and continues with it
    mounted.delete(parentElement);
    store.close();
    root.unmount();
  };
});
