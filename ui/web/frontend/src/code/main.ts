// A text with line numbers, search and completion; findings stand in its gutter.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { getSearchQuery, highlightSelectionMatches, openSearchPanel, search, searchKeymap, searchPanelOpen, setSearchQuery } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { definePart } from "../shared/component";
import { say } from "../shared/language";
import { graphCompletions } from "./completions";
import type { GraphSchema } from "./completions";
import { diagnosticsOf } from "./findings";
import type { LineFinding } from "./findings";
import { phrases } from "./phrases";
import { HIGHLIGHTING, THEME } from "./theme";
import styles from "./code.css" with { type: "text" };

interface CodeData {
  text: string;
  label: string;
  height: number; // px
  kind: "yaml" | "prompt";
  schema?: GraphSchema;
  findings?: LineFinding[];
  readonly?: boolean;
  focused?: boolean; // the cursor stands at the end at first
}

interface Left { label: string; lines: number; at: number; top: number; focused: boolean; view: EditorView }

let left: Left | undefined; // where the text was that was sent last: the copy of a preset has another editor

export const mount = definePart<CodeData>([styles], (root) => {
  let view: EditorView | undefined;
  let given = ""; // the last text that Python gave, or was given
  let label = "";
  let tell: (text: string) => void = () => undefined;
  const send = (): boolean => {
    const text = view?.state.doc.toString() ?? given;
    if (text !== given) {
      left = view && { label, lines: view.state.doc.lines, at: view.state.selection.main.head, top: view.scrollDOM.scrollTop, focused: view.hasFocus, view };
      tell(given = text);
    }
    return true;
  };
  return ({ data, setTriggerValue }) => {
    label = data.label;
    tell = (text) => { setTriggerValue("text", text); };
    if (!view) {
      view = new EditorView({ state: stateOf(data, send), parent: root, root: rootOf(root) });
      given = data.text;
      const { dom } = view;
      dom.addEventListener("focusout", ({ relatedTarget: now }) => { if (!(now instanceof Node && dom.contains(now))) send(); });
      if (left?.label === label && left.lines === view.state.doc.lines) goBack(view, left);
      else if (data.focused) requestAnimationFrame(() => { focusEnd(view); });
    } else if (data.text !== given) {
      given = data.text;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: data.text } });
    }
    view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state.doc, data.findings ?? [])));
    root.style.setProperty("--height", `${data.height}px`);
    root.classList.toggle("prompt", data.kind === "prompt");
    return undefined;
  };
});

function goBack(view: EditorView, { at, top, focused, view: before }: Left): void {
  view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) } });
  if (searchPanelOpen(before.state)) { // opened or typed in since the text was sent
    openSearchPanel(view);
    view.dispatch({ effects: setSearchQuery.of(getSearchQuery(before.state)) });
  }
  requestAnimationFrame(() => {
    view.scrollDOM.scrollTop = top;
    if (focused) view.contentDOM.focus({ preventScroll: true });
  });
}

// The text is read from its beginning; what is typed goes to its end, which comes into view then.
function focusEnd(view: EditorView | undefined): void {
  view?.dispatch({ selection: { anchor: view.state.doc.length } });
  view?.contentDOM.focus({ preventScroll: true });
  view?.scrollDOM.scrollTo({ top: 0 });
}

function rootOf(place: HTMLElement): ShadowRoot | Document {
  const home = place.getRootNode();
  return home instanceof ShadowRoot ? home : document;
}

function stateOf(data: CodeData, send: () => boolean): EditorState {
  const own: Extension[] = data.kind === "yaml"
    ? [yaml(), lineNumbers(), foldGutter(), lintGutter(), highlightActiveLineGutter(), bracketMatching(), closeBrackets(), indentOnInput(),
      autocompletion({ override: data.schema ? [graphCompletions(data.schema)] : [] })]
    : [EditorView.lineWrapping, lineNumbers(), highlightActiveLineGutter()];
  return EditorState.create({
    doc: data.text,
    extensions: [
      ...own, history(), drawSelection(), highlightActiveLine(), highlightSpecialChars(), highlightSelectionMatches(), search({ top: true }),
      EditorState.phrases.of(phrases()), placeholder(say("Empty")), THEME, syntaxHighlighting(HIGHLIGHTING),
      EditorState.readOnly.of(Boolean(data.readonly)), EditorView.contentAttributes.of({ "aria-label": data.label }),
      keymap.of([
        { key: "Mod-Enter", run: send, preventDefault: true },
        { key: "Mod-s", run: () => send(), preventDefault: true },
        ...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...defaultKeymap,
      ]),
    ],
  });
}
