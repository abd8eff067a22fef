// The sites of a question as chips. What is typed becomes one at Enter, at a comma or blank, and where the
// field is left; what is pasted becomes as many as it names.
import { definePart } from "../shared/component";
import type { Component } from "../shared/component";
import { el, find } from "../shared/dom";
import { icon } from "../shared/icons";
import { addSites, splitSites } from "./site_list";
import { later, say } from "../shared/language";
import styles from "./site_chips.css" with { type: "text" };

interface SiteChipsData { sites: string[]; names: Readonly<Record<string, string>>; focus: string }
type SetState = Component["setStateValue"];

const EMPTY = later("e.g. docs.example.org, wiki.example.org (leave empty to search the web)");
const EMPTY_NARROW = later("e.g. docs.example.org (empty: the web)");
const NARROW = matchMedia("(max-width: 760px)");
const NO_SITE = later("“{text}” is not a site. Write a host or an address, e.g. docs.example.org or https://docs.example.org/guide.");
const MORE = later("Add another site");
const WAIT_FRAMES = 180;
const SETTLE_MS = 300; // a click that leaves the field ends before anything moves

export const site_chips = definePart<SiteChipsData>([styles], (root) => {
  let sites: readonly string[] | null = null;
  let names: Readonly<Record<string, string>> = {};
  let setState: SetState = () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let settle: (() => void) | undefined;
  let reported = "";
  const field = el("input", { "aria-label": say("Sites"), type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false", enterkeyhint: "done" });
  const list = root.appendChild(el("div", { class: "chips", role: "group", "aria-label": say("Chosen sites"), on: { click: (event) => { if (event.target === list) field.focus(); } } }, field));

  document.documentElement.style.setProperty("--word-sites", JSON.stringify(say("Sites"))); // before the field, for ask.css
  const wrong = root.appendChild(el("p", { class: "wrong", role: "alert", hidden: true }));
  const draw = (): void => {
    clearTimeout(timer);
    for (const old of list.querySelectorAll(".chip")) old.remove();
    field.before(...(sites ?? []).map((site) => chip(site, names[site] ?? shortAddress(site), () => { change((sites ?? []).filter((other) => other !== site)); draw(); field.focus(); })));
    field.placeholder = sites?.length ? say(MORE) : say(NARROW.matches ? EMPTY_NARROW : EMPTY);
  };
  // What is no site stays in the field; it is told to the script, so that no run starts without it.
  const change = (now: readonly string[], refused: readonly string[] = splitSites(field.value)): void => {
    sites = now;
    wrong.hidden = refused.length === 0;
    wrong.textContent = refused.length > 0 ? say(NO_SITE, { text: refused.join(" ") }) : "";
    const told = [...now, ...refused];
    if (told.join() === reported) return;
    reported = told.join();
    setState("sites", told);
  };
  const take = (text: string): void => {
    const { sites: now, refused } = addSites(sites ?? [], text);
    field.value = refused.join(" ");
    change(now, refused);
  };

  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (["Enter", ",", ";", " "].includes(event.key)) {
      take(field.value);
      draw();
      if (!event.ctrlKey && !event.metaKey && (event.key === "Enter" || !field.value)) event.preventDefault();
    } else if (event.key === "Backspace" && !field.value && sites?.length) {
      change(sites.slice(0, -1));
      draw();
    }
  });
  field.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (splitSites(text).length < 2) return;
    event.preventDefault();
    take(`${field.value} ${text}`);
    draw();
  });
  field.addEventListener("blur", () => {
    if (!field.value.trim()) return;
    const { sites: now, refused } = addSites(sites ?? [], field.value);
    change(now, refused);
    settle = () => { field.value = refused.join(" "); draw(); settle = undefined; };
    timer = setTimeout(settle, SETTLE_MS);
  });
  field.addEventListener("focus", () => settle?.());
  field.addEventListener("input", () => {
    wrong.hidden = true;
    if (!field.value.trim()) change(sites ?? [], []);
  });

  return ({ data, setStateValue }) => {
    setState = setStateValue;
    if (sites) return undefined;
    names = data.names;
    reported = data.sites.join();
    take(data.sites.join(" "));
    draw();
    focusFirst(data.focus);
    return undefined;
  };
});

function shortAddress(site: string): string {
  return site.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

function chip(site: string, name: string, remove: () => void): HTMLElement {
  return el("span", { class: "chip" }, icon("globe"), el("span", { class: "clip", title: site }, name),
    el("button", { "aria-label": say("Remove {site}", { site: name }), on: { click: remove } }, icon("close")));
}

// The field with this key takes the focus once it is there, unless something else has it than the button that asked
// for the form.
function focusFirst(key: string, framesLeft = WAIT_FRAMES): void {
  const active = document.activeElement;
  if (active !== document.body && !active?.closest(".st-key-new, .st-key-home")) return;
  const field = find(document, `.st-key-${key} textarea`, HTMLElement);
  if (field) field.focus();
  else if (framesLeft > 0) requestAnimationFrame(() => { focusFirst(key, framesLeft - 1); });
}
