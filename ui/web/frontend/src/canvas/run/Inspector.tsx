// What a node did: its input, its output, and what a model was asked and replied.
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { Icon } from "../nodes/Icons";
import type { Ask } from "./useRun";
import { formatNumber, say, sayCount, sayTold } from "../../shared/language";

interface Change { sign: string; what: string; before: string; after: string }
interface Asked { task: string; sent: { role: string; text: string }[]; said: string[]; reply: string; model: string }
export interface Work {
  node: string; type: string; number: number; count: number; status: string; route: string; seconds: number | null; calls: number; tokens: number; step: number; message: string;
  input: { key: string; text: string }[]; output: Change[]; asked: Asked[]; how: string;
}

interface Given {
  node: string; title?: string; graph: boolean; count: number; stands: string; at: number | undefined; past: boolean; ask: Ask; close: () => void;
  children?: (work: Work) => ReactNode; // what can be done with it
}

export function Inspector({ node, title, graph, count, stands, at, past, ask, close, children }: Given) {
  const work = useWork(ask, node, at, `${count} ${stands}`, graph || past || count === 0);
  return (
    <section className="inspector" aria-label={say("Node {node}", { node: title ?? node })} onKeyDown={(event) => { if (event.key === "Escape") close(); }}>
      <header>
        <h4>{title ?? node}</h4>
        {work && <span>{facts(work)}</span>}
        <button type="button" className="btn plain" aria-label={say("Close")} title={say("Close")} onClick={close}><Icon name="close" /></button>
      </header>
      {graph && <p>{sayCount(count, "A method inside this one, which ran once. Open it to see its nodes.", "A method inside this one, which ran {n} times. Open it to see its nodes.")}</p>}
      {!graph && (count === 0 || past) && <p>{past ? say("It has not run until here.") : say("It has not run.")}</p>}
      {work && children?.(work)}
      {work && <Told work={work} />}
    </section>
  );
}

export function Told({ work, onInput = true }: { work: Work; onInput?: boolean }) {
  return (
    <div className="parts">
      {onInput && (
        <Part title={say("Input")}>
          {work.input.length === 0 && <p>{say("The state before it is not known.")}</p>}
          <dl>{work.input.map(({ key, text }) => <div key={key}><dt>{key}</dt><dd><Long text={text} /></dd></div>)}</dl>
        </Part>
      )}
      <Part title={say("Prompt and reply")}>
        {work.how && <p>{sayTold(work.how)}</p>}
        {work.asked.map((asked, index) => <Exchange key={index} asked={asked} />)}
      </Part>
      <Part title={say("Output")}>
        {work.message && <p className="message">{sayTold(work.message)}</p>}
        {work.output.length === 0 && <p>{work.status === "done" ? say("It changed nothing in the state.") : say("Nothing is written yet.")}</p>}
        <ul>{work.output.map((change, index) => <li key={index}><b aria-hidden="true">{change.sign}</b> {change.what} {[change.before, change.after].filter(Boolean).join(" → ")}</li>)}</ul>
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return <section className="part" aria-label={title} tabIndex={0}><h5>{title}</h5>{children}</section>;
}

function Exchange({ asked }: { asked: Asked }) {
  return (
    <div className="exchange">
      <p><b>{asked.task}</b>{" · "}{asked.model || say("its built-in rule answered; no prompt was sent")}</p>
      {asked.sent.map(({ role, text }, index) => (
        <details key={index}><summary>{role === "assistant" ? say("Earlier reply") : say("Prompt: {role}", { role })}</summary><pre tabIndex={0}>{text}</pre></details>
      ))}
      {asked.said.map((text, index) => <details key={`said-${index}`} open={index === asked.said.length - 1}><summary>{say("Reply")}</summary><pre tabIndex={0}>{text}</pre></details>)}
      {asked.reply && asked.said.length === 0 && <details open><summary>{say("Reply")}</summary><pre tabIndex={0}>{asked.reply}</pre></details>}
    </div>
  );
}

const SHORT = 160;

function Long({ text }: { text: string }) {
  if (text.length <= SHORT && !text.includes("\n")) return <>{text}</>;
  return <details><summary>{text.slice(0, SHORT).replace(/\s+/g, " ")}…</summary><pre tabIndex={0}>{text}</pre></details>;
}

export function facts(work: Work): string {
  const number = work.count > 1 ? say("{number} of {count}", { number: work.number, count: work.count }) : "";
  const took = work.seconds === null ? "" : say("{seconds} s", { seconds: formatNumber(work.seconds, work.seconds < 10 ? 1 : 0) });
  const tokens = work.calls ? say("{tokens} tokens", { tokens: formatNumber(work.tokens) }) : "";
  return [work.type, number, took, tokens, work.route && `→ ${work.route}`].filter(Boolean).join(" · ");
}

function useWork(ask: Ask, node: string, at: number | undefined, when: string, none: boolean): Work | null {
  const [work, setWork] = useState<Work | null>(null);
  useEffect(() => {
    if (none) return setWork(null);
    let wanted = true;
    const place = node.split("/").map(encodeURIComponent).join("/");
    const timer = setTimeout(() => void ask<Work>(`nodes/${place}${at === undefined ? "" : `?at=${at}`}`).then((found) => { if (wanted && found) setWork(found); }), 120);
    return () => { wanted = false; clearTimeout(timer); };
  }, [ask, node, at, when, none]);
  return work;
}
