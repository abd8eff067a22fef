// Hands the canvas over to the components that mount it; this text is sent to a browser once.
import "./canvas.css";
import "./run.css";
import { createRoot } from "react-dom/client";
import type { Root } from "react-dom/client";
import { Canvas } from "./Canvas";
import { Store } from "./store";
import type { Data, Send } from "./types";
import { Watch } from "./Run";
import type { Stream } from "./Run";

type Component = Send & { data: Data; parentElement: ParentNode; stream?: Stream };
type Mounted = { root: Root; store: Store };

const mounted = new WeakMap<ParentNode, Mounted>();

function mount({ data, parentElement, setStateValue, setTriggerValue, stream }: Component): () => void {
  const send = { setStateValue, setTriggerValue };
  let here = mounted.get(parentElement);
  if (here) here.store.offer(data, send);
  else {
    const place = parentElement.appendChild(document.createElement("div"));
    place.className = "place";
    here = { root: createRoot(place), store: new Store(data, send) };
    mounted.set(parentElement, here);
    here.root.render(stream ? <Watch store={here.store} stream={stream} /> : <Canvas store={here.store} />);
  }
  const { root, store } = here;
  return () => {
    if (parentElement.isConnected) return; // a newer call has overtaken this one, and goes on with it
    mounted.delete(parentElement);
    store.close();
    root.unmount();
  };
}

type Held = { ready?: Promise<typeof mount>; done?: (mount: unknown) => void };

export default function hand(): void {
  const held = ((globalThis as { foragerCanvas?: Held }).foragerCanvas ??= {});
  held.done?.(mount);
  held.ready ??= Promise.resolve(mount);
}
