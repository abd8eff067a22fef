function part(component) {
  const stop = mount(component, draw);
  const timer = setInterval(() => tick(component.parentElement.querySelector(".root")), 1000);
  return () => { clearInterval(timer); stop(); };
}

const ASKED = { pause: "Pausing after this step", stop: "Stopping after this step" };

// The pill, the clock, and word to the page when its buttons have to change.
function draw(root, view, context) {
  const { status, asked, turn, pleas } = view.session;
  root.going = status === "running";
  root.seconds = view.spend.seconds.used;
  if (root.secondsSeen !== root.seconds) root.since = performance.now() - 1000 * begunBefore(view);
  root.secondsSeen = root.seconds;
  const [kind, word] = STANDINGS[view.session.stands] ?? ["nothing", status];
  const lost = root.classList.contains("lost");
  const node = root.going ? (ASKED[asked] ?? (atWork(view)?.node ?? "")) : "";
  const text = lost ? "Connection lost, trying again" : ASKED[asked] && root.going ? node : [word, node].filter(Boolean).join(" · ");
  const said = `${kind} ${text}`;
  if (root.said !== said) {
    root.said = said;
    root.replaceChildren(el("div", { class: "line" },
      el("span", { class: `pill p-${kind}`, role: "status" }, sign(kind, 14), text), el("time", { title: "Time of work" })));
  }
  counts(view);
  tick(root);
  if (view === context.data.first) return;
  const state = `${status} ${asked} ${turn} ${pleas}`;
  if (state === context.data.state) root.reported = state;
  else if (root.reported !== state) {
    root.reported = state;
    context.setTriggerValue("state", state);
  }
}

function atWork(view) {
  return Object.values(view.timeline ?? {}).flatMap((entry) => [entry, ...Object.values(entry.rows ?? {})]).filter((row) => row.outcome === "now").at(-1);
}

// For how many seconds the present node has been at work, of which the spend does not tell yet.
function begunBefore(view) {
  const row = atWork(view);
  return row && view.session.turn === 1 ? Math.max(0, Date.now() / 1000 - view.session.created - row.seconds) : 0;
}

// How many there are of each, for the tabs' labels (in look: counter by custom property).
function counts(view) {
  const said = { pages: view.pages, evidence: Object.keys(view.evidence ?? {}).length, arms: Object.keys(view.arms ?? {}).length };
  for (const [name, count] of Object.entries(said)) document.documentElement.style.setProperty(`--n-${name}`, count ? `"${Number(count)}"` : '""');
  const dollars = Number(view.spend.dollars?.used ?? 0);
  document.documentElement.style.setProperty("--n-spend", dollars ? `"$${dollars.toFixed(3)}"` : '""');
}

function tick(root) {
  const time = root?.querySelector("time");
  if (!time) return;
  const more = root.going && !root.classList.contains("lost") ? (performance.now() - root.since) / 1000 : 0;
  time.textContent = clock(root.seconds + more);
}
