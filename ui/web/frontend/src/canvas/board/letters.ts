// How large letters are drawn in a view from far away, so that they can be read on the screen.
import { textWidth } from "../drawing/svg_text";

export const FAR = 0.92; // below this zoom, boxes show their names and a bound alone, in large letters
const TIGHT = 0.42; // below it a box has no room for an icon above its name
const FARTHER = 0.3; // below it routes are told apart by their colour
const FARTHEST = 0.22; // below it nothing has a name
const LEAST = 10; // pixels on the screen
const NAME = 15.5; // as large is the name of a node, where its box has room
const ROOM = 150; // in a box, for its name and its bound
const STEPS = 50;

// A zoom in steps, so that not every move of the wheel draws all anew; from near by it is always the same.
export function farZoom(zoom: number): number {
  return zoom < FAR ? Math.max(1, Math.floor(zoom * STEPS)) / STEPS : 1;
}

// The size in the drawing that is ten pixels on the screen.
export function leastLetters(zoom: number): number {
  return Math.max(11.5, Math.ceil((10 * LEAST) / zoom) / 10);
}

// The size of the names of nodes.
export function nameLetters(zoom: number): number {
  return Math.max(leastLetters(zoom), Math.min(25, NAME / zoom));
}

// The largest size in which a text has room in a box.
export const fittingLetters = (text: string): number => Math.floor((10 * ROOM) / textWidth(text, 1)) / 10;

export function farClass(zoom: number): string {
  return [zoom < FAR && " far", zoom < TIGHT && " tight", zoom < FARTHER && " farther", zoom < FARTHEST && " farthest"].filter(Boolean).join("");
}
