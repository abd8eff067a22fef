// Draws an edge without a mouse: choose a route, then a target.
import { useEffect, useRef, useState } from "react";
import { useAct } from "./canvas_context";
import { focusNode } from "./focus";
import { unopened } from "../graph/links";
import { connected, fanned, openRoutes, targets } from "../graph/spec";
import { say } from "../../shared/language";

export interface From { source: string; route: string | undefined }

export function ConnectForm({ from, close }: { from: From; close: () => void }) {
  const act = useAct();
  const { spec } = act.store;
  const routes = openRoutes(spec, from.source, act.types);
  const [route, setRoute] = useState(from.route ?? routes[0] ?? "");
  const open = targets(spec, act.types, from.source, route);
  const [target, setTarget] = useState("");
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);
  const leave = () => {
    close();
    focusNode(act.root.current, from.source);
  };
  const draw = () => {
    if (!target) return;
    act.store.edit(act.store.placed(connected(spec, { source: from.source, route, target, fan: fanned(spec, target) })));
    act.announce(say("{source} leads to {target}.", { source: `${from.source}${route && `.${route}`}`, target }));
    leave();
  };
  if (!routes.length) return <Told text={unopened(spec, act.types, from.source)} close={leave} />;
  return (
    <form className="bar connect nopan" role="dialog" aria-label={say("Connect {source}", { source: from.source })}
      onSubmit={(event) => { event.preventDefault(); draw(); }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape") leave();
        if (event.key === "Enter" && event.target instanceof HTMLSelectElement) {
          event.preventDefault();
          draw();
        }
      }}>
      <b className="clip">{from.source}</b>
      {routes.some(Boolean) && (
        <label>{say("route")}<select ref={from.route ? undefined : first} aria-label={say("Route")} value={route} onChange={(event) => setRoute(event.target.value)}>
          {routes.map((each) => <option key={each}>{each}</option>)}
        </select></label>
      )}
      <label>{say("leads to")}<select ref={from.route !== undefined || !routes.some(Boolean) ? first : undefined} aria-label={say("Target")} value={target} onChange={(event) => setTarget(event.target.value)}>
        <option value="">…</option>
        {open.map((each) => <option key={each}>{each}</option>)}
      </select></label>
      <button type="submit" className="btn primary" disabled={!target}>{say("Connect")}</button>
      <button type="button" className="btn plain" onClick={leave}>{say("Cancel")}</button>
    </form>
  );
}

function Told({ text, close }: { text: string; close: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div className="bar connect" role="dialog" aria-label={say("Connect")} onKeyDown={(event) => { if (event.key === "Escape") { event.stopPropagation(); close(); } }}>
      <span>{text}</span><button ref={button} type="button" className="btn" onClick={close}>{say("OK")}</button>
    </div>
  );
}
