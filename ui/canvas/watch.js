// Waits for what canvas.js hands over, and draws a run with it, as its stream tells it.
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const held = (globalThis.foragerCanvas ??= {});
  held.ready ??= new Promise((done) => { held.done = done; });
  const stream = { follow, call };
  return held.ready.then((mount) => mount({ data, parentElement, setStateValue, setTriggerValue, stream }));
}
