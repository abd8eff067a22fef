// Watches whether the server answers. While it does not, a message says so and what would be sent to it is off;
// once it is back, the script runs again, which gives the parts of the page a token of the present server.
// The navigation says how many sessions run; that changes without a run of the script, too.
import { definePart } from "./component";
import { el, nodesOf } from "./dom";
import type { Child } from "./dom";
import { STREAM_LOST } from "./run_stream";
import { formatNumber, markLanguage, say } from "./language";

interface ConnectionData {
  server: number; // differs after a restart
  drawn: number; // differs after each run of the script
  token: string; // by which the server knows whose sessions to count
  running: number; // sessions of this reader
}
interface Health { running?: number } // left out for a token that is not known
type Stage = "there" | "lost" | "returning" | "stuck";

const POLL_MS = 3000;
const RETRY_MS = 1000;
const STUCK_MS = 20_000; // a script that has not run by then is not let in: its login ended with the server
const SHOWN_MS = 8000;
const ANSWER_MS = 5000;
const CONTROLS = [
  "[data-testid=stHeader]", "[data-testid=stPopover]", "[role=tablist]", "[class*=st-key-sites-]",
  "[data-testid=stElementContainer]:has(button, input, textarea, select, a)",
].join(",");

export const connection = definePart<ConnectionData>([], (root) => {
  const banner = el("div", { id: "forager-connection", role: "status", hidden: true });
  const stopped = new AbortController();
  let stage: Stage = "there";
  let server = 0;
  let drawn = 0;
  let token = "";
  let asked = 0; // when the script was asked to run again
  let runScript: () => void = () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (...words: Child[]): void => {
    document.body.append(banner);
    banner.hidden = words.length === 0;
    banner.replaceChildren(...nodesOf(words));
  };
  const enter = (next: Stage): void => {
    if (stage === next) return;
    stage = next;
    switchControls(next === "there");
    if (next === "lost") show(el("b", {}, say("Forager does not answer.")), " ", say("It was stopped, or the connection is lost. This page connects again by itself."));
    if (next === "returning") show(el("b", {}, say("Forager is back.")), " ", say("Connecting…"));
    if (next === "stuck") show(el("b", {}, say("Forager is back, but this tab is not let in.")), " ", say("Reload it, and log in again if asked."), " ", reloadButton());
  };
  const check = async (): Promise<void> => {
    clearTimeout(timer);
    if (!root.isConnected) { // the page has another one
      stopped.abort();
      banner.remove();
      return;
    }
    const health = await readHealth(token);
    const answers = health !== null;
    if (health?.running !== undefined) tellRunning(health.running);
    if (!answers) enter("lost");
    else if (stage === "lost") { enter("returning"); asked = Date.now(); }
    if (answers && stage === "returning") {
      runScript();
      if (Date.now() - asked > STUCK_MS) enter("stuck");
    }
    timer = setTimeout(() => { void check(); }, stage === "there" || stage === "stuck" ? POLL_MS : RETRY_MS);
  };
  const checkNow = (): void => { void check(); };
  document.addEventListener("visibilitychange", checkNow, { signal: stopped.signal });
  window.addEventListener(STREAM_LOST, checkNow, { signal: stopped.signal });
  timer = setTimeout(checkNow, POLL_MS);

  return ({ data, setTriggerValue }) => {
    markLanguage();
    runScript = () => { setTriggerValue("back", Date.now()); };
    if (drawn && data.drawn !== drawn && stage !== "there") {
      enter("there");
      show(el("b", {}, data.server === server ? say("Connected again.") : say("Forager was restarted.")),
        " ", data.server === server ? "" : say("A run that was under way is interrupted; resume it to continue."));
      setTimeout(() => { if (stage === "there") show(); }, SHOWN_MS);
    }
    if (data.drawn !== drawn) tellRunning(data.running);
    ({ server, drawn, token } = data);
    return undefined;
  };
});

async function readHealth(token: string): Promise<Health | null> {
  try {
    const answer = await fetch("/api/health", { headers: { authorization: `Bearer ${token}` }, cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
    return answer.ok ? await answer.json() as Health : null;
  } catch {
    return null;
  }
}

// For page.css, which draws it over the corner of the navigation's entry: nothing moves when it changes.
function tellRunning(running: number): void {
  const { style } = document.documentElement;
  if (!running) style.removeProperty("--running");
  else style.setProperty("--running", `"${formatNumber(running)}" / "${say("{n} running", { n: running })}"`);
}

function switchControls(on: boolean): void {
  const all = on ? document.querySelectorAll("[data-forager-off]") : document.querySelectorAll(CONTROLS);
  for (const control of all) {
    control.toggleAttribute("inert", !on);
    control.toggleAttribute("data-forager-off", !on);
  }
  document.documentElement.toggleAttribute("data-forager-lost", !on);
}

function reloadButton(): HTMLElement {
  return el("button", { on: { click: () => { location.reload(); } } }, say("Reload"));
}
