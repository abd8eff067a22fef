// Writes the licences of the packages that a bundle holds, by its metafile.
import { existsSync, readFileSync, readdirSync } from "node:fs";

const { inputs } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const packages = new Set();
for (const input of Object.keys(inputs)) {
  const found = /^(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) packages.add(found[1]);
}
for (const folder of [...packages].sort()) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const file = files.find((each) => /^licen[cs]e/i.test(each));
  const text = file ? readFileSync(`${folder}/${file}`, "utf8").trim() : "";
  console.log(`${name} ${version} (${license})\n\n${text}\n\n----\n`);
}
