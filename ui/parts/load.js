// One text for all components: a browser takes long to make an address of each text that it is sent.
const { parts } = await import(`${location.origin}ADDRESS`);
export default (component) => parts[component.name.replace("forager_", "")](component);
