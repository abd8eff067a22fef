// Notifications of the browser: that a run waits for its user, or came to its end, while the tab is not looked at.
import type { RunView } from "../shared/run_view";
import { describeStatus } from "../shared/signs";

const ACTIVE = new Set(["running", "waiting"]);

// What a change of the status is worth telling: that it waits or has ended by itself; nothing otherwise.
export function newsOf(before: string, view: RunView): string {
  const { status, stands } = view.session;
  const waits = status === "waiting";
  const ended = !ACTIVE.has(status) && status !== "paused" && status !== "interrupted";
  return before !== status && ACTIVE.has(before) && (waits || ended) ? describeStatus(stands)[1] : "";
}

export function notify(words: string, view: RunView): void {
  if (!canNotify() || Notification.permission !== "granted" || isLookedAt()) return;
  const { id, question } = view.session;
  const told = new Notification(words, { body: question, tag: `forager-${id}` }); // of several tabs one tells it
  told.onclick = () => { window.focus(); told.close(); };
}

// Whether the browser would ask its user, who has not decided yet.
export function mayAsk(): boolean {
  return canNotify() && Notification.permission === "default";
}

export async function askPermission(): Promise<void> {
  await Notification.requestPermission();
}

function canNotify(): boolean {
  return "Notification" in window && window.isSecureContext;
}

function isLookedAt(): boolean {
  return document.visibilityState === "visible" && document.hasFocus();
}
