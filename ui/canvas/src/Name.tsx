// The name of a node or a group, and where it is written anew.
import { useEffect, useRef, useState } from "react";
import { useAct } from "./act";
import { focusNode } from "./focus";
import { misnamed, nameOf, renamed } from "./rename";
import { FOLD } from "./scene";

export function Name({ id, naming }: { id: string; naming: boolean }) {
  const act = useAct();
  if (naming) return <Naming id={id} />;
  return <span className="clip" onDoubleClick={() => act.rename(id)}>{nameOf(id)}</span>;
}

function Naming({ id }: { id: string }) {
  const { store, ...act } = useAct();
  const [name, setName] = useState(nameOf(id));
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const wrong = misnamed(store.spec, id, name);
  const leave = (to: string) => {
    act.rename(null);
    focusNode(act.root.current, to);
  };
  const take = () => {
    if (wrong) return act.say(wrong);
    if (name === nameOf(id)) return leave(id);
    const fresh = id.startsWith(FOLD) ? FOLD + name : name;
    store.edit(renamed(store.spec, id, name, store.places));
    act.choose([fresh]);
    act.say(`${nameOf(id)} is named ${name}.`);
    leave(fresh);
  };
  return (
    <>
      <input ref={input} className="naming nodrag nopan" aria-label={`Name of ${nameOf(id)}`} aria-invalid={wrong !== ""} value={name}
        maxLength={60} spellCheck={false} autoComplete="off" onChange={(event) => setName(event.target.value)} onBlur={() => act.rename(null)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter") take();
          if (event.key === "Escape") leave(id);
        }} />
      {wrong && <span className="wrong" role="alert">{wrong}</span>}
    </>
  );
}
