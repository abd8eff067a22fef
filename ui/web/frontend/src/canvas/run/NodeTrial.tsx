// A node of the draft, run alone on the input that it had in the run, beside what the run recorded.
import { useState } from "react";
import { facts, Told } from "./Inspector";
import type { Work } from "./Inspector";
import type { DraftRun, Spec } from "../graph/types";
import { postSession } from "../../shared/run_stream";
import { say, sayTold } from "../../shared/language";

interface Trial { tried: Work; recorded: Work }
interface Refusal { error: string; mend: string }
interface Given { run: DraftRun; node: string; at: number | undefined; spec: Spec; again: (() => void) | null }

export function NodeTrial({ run, node, at, spec, again }: Given) {
  const [trial, setTrial] = useState<Trial | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  const tryIt = async () => {
    setBusy(true);
    setFault("");
    const place = node.split("/").map(encodeURIComponent).join("/");
    const reply = await postSession(run.session, run.token, `try/${place}`, { graph: spec, ...(at === undefined ? {} : { at }) }).catch(() => null);
    const found = await reply?.json().catch(() => null) as Trial | Refusal | null;
    setBusy(false);
    if (found && "tried" in found) setTrial(found);
    else setFault(found ? `${sayTold(found.error)} ${sayTold(found.mend)}` : say("The server could not be reached. Try again."));
  };
  return (
    <>
      <div className="deeds">
        <button type="button" className="btn" disabled={busy} title={say("On this very input, with its parameters and prompts as drawn; the run stays as it is")} onClick={() => void tryIt()}>{busy ? say("Running…") : say("Run this node alone")}</button>
        {again && <button type="button" className="btn" title={say("In a new session, with the method as drawn")} onClick={again}>{say("Run again from here")}</button>}
      </div>
      {fault && <p role="alert" className="message">{fault}</p>}
      {trial && (
        <div className="trial">
          <Side title={say("Alone, as drawn now")} work={trial.tried} />
          <Side title={say("As recorded")} work={trial.recorded} />
        </div>
      )}
    </>
  );
}

function Side({ title, work }: { title: string; work: Work }) {
  return <section aria-label={title}><h5>{title}</h5><p>{facts(work)}</p><Told work={work} onInput={false} /></section>;
}
