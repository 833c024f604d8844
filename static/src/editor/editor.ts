/** The editor: CodeMirror in place of the form's text area, which goes on holding what the form would send. */
import {autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap} from "@codemirror/autocomplete";
import {defaultKeymap, history, historyKeymap, indentLess, indentMore, isolateHistory} from "@codemirror/commands";
import {python} from "@codemirror/lang-python";
import {bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit} from "@codemirror/language";
import {highlightSelectionMatches, search, searchKeymap} from "@codemirror/search";
import {Compartment, EditorState, type Extension, Prec} from "@codemirror/state";
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from "@codemirror/view";
import {icon, make} from "../page/dom";
import {sources} from "./completions";
import {look} from "./look";
import {problems} from "./problems";
import {shapes} from "./shapes";
import {wrapping} from "./wrap";

export type Editor = {
  view: EditorView;
  text: () => string;
  /** Puts another text in as one step that Mod-Z takes back. */
  replace: (text: string) => void;
  /** Changes how keys work; the code for it is fetched when first chosen. */
  keys: (name: string) => Promise<void>;
  goTo: (line: number, column?: number) => void;
};

const width = 4;
const keys = new Compartment();

/** Tabs in pasted text become spaces up to the next stop, as an editor of Python would show them. */
export function withoutTabs(text: string): string {
  return text.replace(/^.*\t.*$/gm, line => {
    let out = "";
    for (const character of line) out += character === "\t" ? " ".repeat(width - (out.length % width)) : character;
    return out;
  });
}

/** Tab: the selected lines one step in, or spaces up to the next stop. */
function indent(view: EditorView): boolean {
  if (view.state.selection.ranges.some(range => !range.empty)) return indentMore(view);
  view.dispatch(
    view.state.changeByRange(range => {
      const {from} = view.state.doc.lineAt(range.head);
      const insert = " ".repeat(width - ((range.head - from) % width));
      return {changes: {from: range.head, insert}, range: range.map(view.state.changes({from: range.head, insert}), 1)};
    }),
    {scrollIntoView: true, userEvent: "input"},
  );
  return true;
}

function foldMark(open: boolean): HTMLElement {
  return make("span", {class: open ? "fold open" : "fold"}, icon("chev"));
}

/** Whether the learner wants nothing to move. */
function still(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function extensions(completions: string): Extension[] {
  return [
    keys.of([]),
    Prec.high(keymap.of([{key: "Tab", run: indent, shift: indentLess}])),
    problems,
    lineNumbers(),
    highlightActiveLineGutter(),
    foldGutter({markerDOM: foldMark}),
    shapes,
    highlightSpecialChars(),
    history(),
    drawSelection({cursorBlinkRate: still() ? 0 : 1200}),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    rectangularSelection(),
    crosshairCursor(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({top: true}),
    autocompletion({override: sources(completions), icons: false}),
    python(),
    indentUnit.of(" ".repeat(width)),
    EditorState.tabSize.of(width),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
    ]),
    EditorView.clipboardInputFilter.of(withoutTabs),
    EditorView.contentAttributes.of({"aria-label": "Your solution", "aria-describedby": "editor-help", tabindex: "0"}),
    wrapping,
    look,
  ];
}

async function keyMap(name: string): Promise<Extension> {
  if (name === "vim") return (await import("@replit/codemirror-vim")).vim();
  if (name === "emacs") return (await import("@replit/codemirror-emacs")).emacs();
  return [];
}

/** The nonce under which the page's policy lets the editor add its styles. */
function nonce(): string {
  return document.querySelector<HTMLElement>("[nonce]")?.nonce ?? "";
}

/** The editor's state before it stands on the page; `changed` hears every change of the text from then on. */
export function createState(
  area: HTMLTextAreaElement,
  text: string,
  completions: string,
  changed: () => void,
): EditorState {
  const heard = EditorView.updateListener.of(update => {
    if (!update.docChanged) return;
    area.value = update.state.doc.toString();
    changed();
  });
  return EditorState.create({
    doc: text,
    extensions: [EditorView.cspNonce.of(nonce()), ...extensions(completions), heard],
  });
}

/** Puts the editor where the text area is; who is writing there goes on at the same place. */
export function createEditor(area: HTMLTextAreaElement, state: EditorState): Editor {
  const view = new EditorView({state}),
    writing = document.activeElement === area;
  const ends = [area.selectionStart, area.selectionEnd],
    backward = area.selectionDirection === "backward";
  area.value = state.doc.toString();
  area.after(view.dom);
  if (writing) {
    const [anchor, head] = (backward ? ends.reverse() : ends).map(at => Math.min(at, state.doc.length));
    view.focus();
    view.dispatch({selection: {anchor: anchor!, head}, scrollIntoView: true});
  }
  area.hidden = true;
  return {
    view,
    text: () => view.state.doc.toString(),
    replace: next =>
      view.dispatch({
        changes: {from: 0, to: view.state.doc.length, insert: next},
        selection: {anchor: 0},
        userEvent: "input.replace",
        annotations: isolateHistory.of("full"),
      }),
    keys: async name => view.dispatch({effects: keys.reconfigure(await keyMap(name))}),
    goTo(line, column = 1) {
      const {from, to} = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
      view.dispatch({selection: {anchor: Math.min(from + column - 1, to)}, scrollIntoView: true});
      view.focus();
    },
  };
}
