// Bundles the front end (`node build.mjs dist`), or bundles its tests and runs them (`node build.mjs test`).
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const BANNER = "Built by scripts/frontend from ui/web/frontend/src; the packages in it: LICENCES.txt.";
const OUT = "bundle";

async function bundlePages() {
  const { metafile } = await build({
    entryPoints: { canvas: "src/canvas/main.tsx", code: "src/code/main.ts", parts: "src/parts.ts" },
    outdir: OUT, bundle: true, splitting: true, chunkNames: "shared", format: "esm", target: "es2022",
    jsx: "automatic", minify: true, charset: "utf8", legalComments: "none", logLevel: "warning", metafile: true,
    define: { "process.env.NODE_ENV": '"production"' },
    banner: { js: `// ${BANNER}`, css: `/* ${BANNER} */` },
  });
  const elk = await bundleElk();
  writeFileSync(`${OUT}/LICENCES.txt`, licencesOf({ ...metafile.inputs, ...elk.inputs }));
}

// A worker of its own, loaded where a graph is drawn: it is larger than all the rest.
async function bundleElk() {
  const { metafile } = await build({
    entryPoints: { elk: "node_modules/elkjs/lib/elk-worker.min.js" },
    outdir: OUT, bundle: true, format: "iife", target: "es2022", minify: true, charset: "utf8",
    legalComments: "none", logLevel: "warning", metafile: true, banner: { js: `// ${BANNER}` },
  });
  return metafile;
}

// The licences of the packages that the bundles hold.
function licencesOf(inputs) {
  const folders = Object.keys(inputs).flatMap((input) => /^(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []);
  return [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    const text = file ? readFileSync(`${folder}/${file}`, "utf8").trim() : "";
    return `${name} ${version} (${license})\n\n${text}\n\n----\n\n`;
  }).join("");
}

async function runTests() {
  const files = readdirSync("tests", { recursive: true }).filter((name) => /\.test\.tsx?$/.test(name));
  await build({
    entryPoints: files.map((name) => `tests/${name}`),
    outdir: OUT, outbase: "tests", outExtension: { ".js": ".mjs" }, bundle: true, packages: "external",
    platform: "node", format: "esm", target: "node20", jsx: "automatic", logLevel: "warning", sourcemap: "inline",
  });
  const built = files.map((name) => `${OUT}/${name.replace(/\.tsx?$/, ".mjs")}`);
  const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...built], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT);
await (process.argv[2] === "test" ? runTests() : bundlePages());
