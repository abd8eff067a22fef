// Waits for what canvas.js hands over, and draws with it.
export default function (component) {
  const held = (globalThis.foragerCanvas ??= {});
  held.ready ??= new Promise((done) => { held.done = done; });
  return held.ready.then((mount) => mount(component));
}
