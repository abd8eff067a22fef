// Notes when the pointer moves, when a frame is out that shows the node there, and the frames after the drop.
(id) => {
  const within = (root) => {
    const found = root.querySelector(`.react-flow__node[data-id="${id}"]`);
    if (found) return found;
    for (const each of root.querySelectorAll("*")) {
      const inner = each.shadowRoot && within(each.shadowRoot);
      if (inner) return inner;
    }
    return null;
  };
  const node = within(document);
  const seen = (globalThis.dragged = { late: [], frames: [], after: [], lost: 0 });
  let moves = [], hold = null, last = 0, dropped = false;
  addEventListener("pointermove", (event) => {
    if (!event.buttons) return;
    hold ??= { x: event.clientX - node.getBoundingClientRect().left };
    moves.push({ x: event.clientX, at: event.timeStamp });
  }, true);
  addEventListener("pointerup", () => { dropped = true; }, true);
  const channel = new MessageChannel();
  let left = 0;
  channel.port1.onmessage = () => { // a task after the frame was drawn
    const now = performance.now();
    const there = moves.findLastIndex((move) => Math.abs(move.x - hold.x - left) < 12);
    for (const move of moves.splice(0, there + 1)) seen.late.push(now - move.at);
    seen.lost = moves.length;
  };
  const frame = (at) => {
    if (hold && last) (dropped ? seen.after : seen.frames).push(at - last);
    if (hold) last = at;
    left = node.getBoundingClientRect().left;
    if (moves.length) channel.port2.postMessage(0);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
