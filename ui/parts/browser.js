function part(component) {
  return mount(component, draw);
}

function draw(root, view, context) {
  const actions = Object.entries(view.actions ?? {}), pleas = view.session.pleas ?? 0;
  asked(root, context, "screenshot", [actions.length, pleas, view.session.turn], (shot) => {
    root.shot = shot;
    root.redraw();
  });
  whenChanged(root, "browser", [actions, root.shot, view.session.status], () => {
    if (!actions.length && !root.shot?.image) return root.replaceChildren(el("p", { class: "note" }, "No browser was needed so far: pages were read without one."));
    const list = root.querySelector("ol") ?? el("ol", { class: "acts", "aria-label": "Actions in the browser, newest first" });
    keyed(list, [...actions].reverse(), row);
    root.replaceChildren(heading("In the browser", plural(actions.length, "action")), picture(root.shot), list,
      twin(root, "Actions in the browser", ["Visit", "What", "Outcome", "Led to", "Why it failed", "Changed"],
        () => actions.map(([, act]) => [act.round, act.what, act.outcome, act.url, act.why, act.changed])));
  });
}

function picture(shot) {
  if (!shot?.image) return el("p", { class: "note" }, "No picture was kept.");
  const when = new Date(shot.time * 1000).toLocaleTimeString("en-GB");
  return el("figure", {}, el("img", { src: `data:${shot.kind};base64,${shot.image}`, alt: `The page: ${shot.what}` }),
    el("figcaption", {}, el("b", {}, shot.what), ` · ${when} · `, link(shot.url, { class: "mono" }, shot.url)));
}

function row(act, key) {
  const kind = act.outcome === "failed" ? "failed" : "done";
  return el("li", {}, sign(kind, 15), el("div", { class: "grow" },
    el("div", { class: "what" }, act.what, act.changed ? el("span", { class: "changed" }, "changed something") : null),
    act.url && link(act.url, { class: "mono led clip", title: act.url }, act.url),
    (act.why || act.changed) && el("p", {}, act.why || act.changed)), el("span", { class: "micro faint" }, `visit ${act.round}`));
}
