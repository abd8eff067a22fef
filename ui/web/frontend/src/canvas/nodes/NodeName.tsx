// The name of a node or a group, and a field to change it.
import { useEffect, useRef, useState } from "react";
import type { CSSProperties } from "react";
import { useAct } from "../board/canvas_context";
import { fittingLetters } from "../board/letters";
import { focusNode } from "../board/focus";
import { misnamed, nameOf, renamed, shownName } from "../graph/rename";
import { FOLD } from "../layout/scene";
import { say } from "../../shared/language";

export function NodeName({ id, naming }: { id: string; naming: boolean }) {
  const act = useAct();
  if (naming) return <NameInput id={id} />;
  const shown = shownName(act.store.data, nameOf(id));
  return <span className={shown === nameOf(id) ? "clip name" : "clip name of-step"} style={{ "--fit": `${fittingLetters(shown)}px` } as CSSProperties} onDoubleClick={() => act.rename(id)}>{shown}</span>;
}

function NameInput({ id }: { id: string }) {
  const act = useAct();
  const { store } = act;
  const [name, setName] = useState(nameOf(id));
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const wrong = misnamed(store.spec, id, name);
  const leave = (to: string) => {
    act.rename(null);
    focusNode(act.root.current, to);
  };
  const take = (): void => {
    if (wrong) return act.announce(wrong);
    if (name === nameOf(id)) return leave(id);
    const fresh = id.startsWith(FOLD) ? FOLD + name : name;
    store.edit(renamed(store.spec, id, name, store.places));
    act.choose([fresh]);
    act.announce(say("{node} is named {name}.", { node: nameOf(id), name }));
    leave(fresh);
  };
  return (
    <>
      <input ref={input} className="naming nodrag nopan" aria-label={say("Name of {node}", { node: nameOf(id) })} aria-invalid={wrong !== ""} value={name}
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
