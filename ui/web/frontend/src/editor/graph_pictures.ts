// Buttons that save the graph as a picture: as the canvas draws it, with the graph inside, so that it can be imported.
import { drawGraph } from "../canvas/drawing/graph_svg";
import type { Picture } from "../canvas/drawing/graph_svg";
import { paintPng, withChunk } from "../canvas/drawing/png_file";
import { layoutOf } from "../canvas/layout/layout_cache";
import { isPlaced } from "../canvas/layout/node_places";
import { inRows, inRowsOf } from "../canvas/layout/rows";
import { drawnOf } from "../canvas/layout/scene";
import type { NodeType, Spec } from "../canvas/graph/types";
import { definePart } from "../shared/component";
import { el } from "../shared/dom";
import { say } from "../shared/language";
import styles from "./graph_pictures.css" with { type: "text" };

const PAGE = { width: 712, height: 532 }; // that of the board in a window of 1280×800, so that it is the drawing seen there

// `metadata` and `chunk` hold the graph: an element of SVG, and a chunk of PNG in base64.
interface PicturesData { name: string; spec: Spec; types: NodeType[]; metadata: string; chunk: string; formats: { name: "SVG" | "PNG"; use: string }[] }

export const graph_pictures = definePart<PicturesData>([styles], (root) => ({ data }) => {
  const told = el("p", { role: "status" });
  const save = async (format: "SVG" | "PNG") => {
    told.textContent = "";
    try {
      saveFile(`${data.name}.${format.toLowerCase()}`, await fileOf(data, format));
    } catch {
      told.textContent = say("The browser could not draw the picture.");
    }
  };
  root.replaceChildren(el("div", { class: "formats" }, data.formats.map(({ name, use }) => el("button", { type: "button", title: use, on: { click: () => void save(name) } }, name))), told);
  return undefined;
});

async function fileOf({ spec, types, metadata, chunk }: PicturesData, format: "SVG" | "PNG"): Promise<Blob> {
  const drawn = drawnOf(spec, new Set());
  const row = await layoutOf(JSON.stringify(drawn));
  const layout = isPlaced(spec) ? inRowsOf(row, drawn, spec.positions) : inRows(row, drawn, PAGE);
  const picture: Picture = drawGraph(spec, new Map(types.map((type) => [type.name, type])), layout, format === "SVG" ? metadata : "");
  if (format === "SVG") return new Blob([picture.svg], { type: "image/svg+xml" });
  const packed = Uint8Array.from(atob(chunk), (letter) => letter.charCodeAt(0));
  return new Blob([withChunk(await paintPng(picture), packed)], { type: "image/png" });
}

function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // a browser may read it later
}
