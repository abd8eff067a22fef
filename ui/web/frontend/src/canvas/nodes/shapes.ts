// The icons of actions and families, and the signs of outcomes, as paths: for the canvas and for files.
export type Shape = { disc: true } | { ring: true } | { line: string } | { area: string };

const disc: Shape = { disc: true };
const ring: Shape = { ring: true };

// In a square of 16. A line on a disc has the colour of the ground.
export const SIGNS: Readonly<Record<string, readonly Shape[]>> = {
  found: [disc, { line: "m5.3 8.2 1.9 1.900 3.600-4" }],
  partial: [ring, { area: "M8 2.700a5.300 5.300 0 0 0 0 10.600z" }],
  nothing: [ring],
  failed: [disc, { line: "m5.800 5.800 4.400 4.400M10.200 5.800l-4.400 4.400" }],
  plus: [disc, { line: "M8 5v6M5 8h6" }],
  minus: [disc, { line: "M5 8h6" }],
  tilde: [disc, { line: "M4.800 8.800c1-1.800 2.200-1.800 3.200-.800s2.200 1 3.200-.800" }],
};

// Lines in a square of 20.
export const ICONS: Readonly<Record<string, string>> = {
  plus: "M10 4.500v11M4.500 10h11",
  minus: "M4.500 10h11",
  fit: "M4 7.500V4h3.500M12.500 4H16v3.500M16 12.500V16h-3.500M7.500 16H4v-3.500",
  layout: "M3.500 8h4v4h-4zM12.500 3.500h4v4h-4zM12.500 12.500h4v4h-4zM7.500 10h2.500M10 5.500h2.500M10 14.500h2.500M10 5.500v9",
  find: "m12.800 12.800 3.400 3.400M13.800 9a4.800 4.800 0 1 1-9.600 0 4.800 4.800 0 0 1 9.600 0z",
  keys: "M3 6.500h14v8H3zM6 9.500h.01M9 9.500h.01M12 9.500h.01M15 9.500h-.010M7 12.300h6",
  play: "M7 4.800v10.400l8-5.200z",
  pause: "M7.500 5v10M12.500 5v10",
  back: "m12.500 5-5.500 5 5.500 5M5.500 5v10",
  on: "m7.500 5 5.500 5-5.500 5M14.500 5v10",
  close: "m5.500 5.500 9 9M14.500 5.500l-9 9",
  fold: "M3.500 4.500h13v11h-13zM7.500 4.500v11M13.500 8l-2.500 2 2.500 2",
  unfold: "M3.500 4.500h13v11h-13zM7.500 4.500v11M11 8l2.500 2-2.500 2",
  grip: "M8 6h.01M12 6h.01M8 10h.01M12 10h.01M8 14h.01M12 14h.01",
  open: "M5 5h10v10H5zM8 10h4M10 8v4",
  shut: "M5 5h10v10H5zM8 10h4",
  prepare: "M4 5.500h12M4 10h8M4 14.500h5M14 12.500v4M12 14.500h4",
  memory: "M4 6c0-1.300 2.700-2.300 6-2.300s6 1 6 2.300-2.700 2.300-6 2.300S4 7.300 4 6zM4 6v8c0 1.300 2.700 2.300 6 2.300s6-1 6-2.300V6M4 10c0 1.300 2.700 2.300 6 2.300s6-1 6-2.300",
  walk: "M10 3.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM12.800 7.200l-1.600 4-4 1.600 1.600-4z",
  read: "M10 6c-1.500-1.200-3.500-1.500-6-1.500v10c2.500 0 4.500.300 6 1.500 1.500-1.200 3.500-1.500 6-1.500v-10c-2.500 0-4.500.300-6 1.500zM10 6v10",
  judge: "M10 3.500v13M6.500 16.500h7M4 6h12M4 6l-2 5.500h4zM16 6l-2 5.500h4z",
  answer: "M4 4.500h12v9H9.500L6 16.500v-3H4zM7 8h6M7 10.500h4",
  graph: "M3.500 8h4v4h-4zM12.500 3.500h4v4h-4zM12.500 12.500h4v4h-4zM7.500 10h2.500M10 5.500h2.500M10 14.500h2.500M10 5.500v9",
  link: "M3.500 10h4M12.500 10h4M7.500 10a2.500 2.500 0 1 0 5 0 2.500 2.500 0 1 0-5 0",
  after: "M3.500 6.500h5v7h-5zM11 10h6M14 7v6",
  halt: "M7 3.500h6l3.500 3.500v6L13 16.500H7L3.500 13V7zM8 8v4M12 8v4",
  pencil: "m5 15 .700-3.200 7.600-7.600 2.500 2.500-7.600 7.600zM11.500 6l2.500 2.500",
  twice: "M4 4h8.500v8.500H4zM7.500 15.500H16V7.500",
  copy: "M6 5H4.500v11.500h11V5H14M7.500 3.500h5v3h-5z",
  bin: "M4 6h12M8 6V4h4v2M5.500 6l.700 10.500h7.600L14.500 6M8.500 9v5M11.500 9v5",
  arms: "M3.500 10h4M7.500 10c2 0 2-4 4.500-4h4M7.500 10c2 0 2 4 4.500 4h4",
};
