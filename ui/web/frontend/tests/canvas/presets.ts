// The graphs that are shipped, and elk as it runs without a browser.
import { readdirSync, readFileSync } from "node:fs";
import ELK from "elkjs/lib/elk.bundled.js";
import { parse } from "yaml";
import type { Spec } from "../../src/canvas/graph/types";
import type { Engine } from "../../src/canvas/layout/elk_layout";

const FOLDER = "../graphs/presets"; // from where scripts/frontend runs the tests

export const PRESETS: Spec[] = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml")).map((name) => ({
  positions: {}, ...(parse(readFileSync(`${FOLDER}/${name}`, "utf8")) as Omit<Spec, "positions">),
}));

export const elk: Engine = new ELK();
