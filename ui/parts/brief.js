function part(component) {
  const root = component.parentElement.querySelector(".root") ?? component.parentElement.appendChild(el("div", { class: "root" }));
  if (root.shows !== component.data.session) draw(root, component.data.first); // what is known already, until the stream is there
  root.shows = component.data.session;
  return mount(component, draw);
}

// The head of a session: how it stands, what it took, and what was asked.
function draw(root, view, context = null) {
  const { status, stands, graph, model, question } = view.session;
  const title = (context?.data ?? view).title || question;
  const said = JSON.stringify([status, stands, graph, model, title, question, view.spend]);
  if (said === root.said) return;
  root.said = said;
  const [kind, word] = STANDINGS[stands] ?? ["nothing", status];
  root.replaceChildren(
    el("div", { class: "row wrap" }, el("span", { class: `pill p-${kind}`, role: "status" }, sign(kind, 14), word), facts(view)),
    el("h2", {}, title),
    ...(title === question ? [] : [el("p", { class: "asked" }, question)]));
  if (context && status !== context.data.status && root.told !== status) {
    root.told = status;
    context.setTriggerValue("status", status);
  }
}

function facts({ session, spend }) {
  const pages = spend.pages?.used ?? 0;
  const dollars = spend.dollars?.used ?? 0;
  const parts = [session.graph, session.model, `${pages} page${pages === 1 ? "" : "s"}`, dollars ? `$${dollars.toFixed(3)}` : "$0", clock(spend.seconds?.used ?? 0)];
  return el("span", { class: "facts" }, parts.join(" · "));
}
