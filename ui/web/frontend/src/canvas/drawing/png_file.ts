// A drawing as a PNG file: the browser paints it, and a chunk with the graph is put in.
import type { Picture } from "./graph_svg";

const SHARP = 2; // pixels for one of the drawing
const MOST = 16_000; // pixels of a side that browsers paint
const AREA = 120_000_000;
const FONT = "/app/static/plex-sans-var.woff2";
const END = 12; // bytes of the chunk at the end of every file

// How many pixels are painted for one of the drawing; a large graph is painted smaller.
export function sharpness({ width, height }: Pick<Picture, "width" | "height">): number {
  return Math.min(SHARP, MOST / Math.max(width, height), Math.sqrt(AREA / (width * height)));
}

// The file with a chunk before its end.
export function withChunk(png: Uint8Array, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(png.length + chunk.length);
  whole.set(png.subarray(0, png.length - END));
  whole.set(chunk, png.length - END);
  whole.set(png.subarray(png.length - END), png.length - END + chunk.length);
  return whole;
}

// The font of the page: a picture loads none. Without it, one of the system is taken.
async function fontStyle(): Promise<string> {
  const reply = await fetch(FONT).catch(() => null);
  if (!reply?.ok) return "";
  const letters = Array.from(new Uint8Array(await reply.arrayBuffer()), (byte) => String.fromCharCode(byte));
  return `<style>@font-face{font-family:"Plex Sans";font-weight:100 700;src:url(data:font/woff2;base64,${btoa(letters.join(""))})}</style>`;
}

export async function paintPng(picture: Picture): Promise<Uint8Array> {
  const style = await fontStyle();
  const svg = picture.svg.replace("<title>", () => `${style}<title>`);
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const scale = sharpness(picture);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.ceil(picture.width * scale), Math.ceil(picture.height * scale)];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => { canvas.toBlob(resolve, "image/png"); });
    if (!blob) throw new Error("The browser painted no picture.");
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(address);
  }
}
