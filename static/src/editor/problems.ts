/** Problems at their place: a mark in the gutter, a wavy line under the characters, the sentence below the line.
 *
 * A problem that comes by itself, on the line somebody writes in, is only a small square in the gutter until they leave
 * that line: nothing moves under their hands.
 */
import {
  type EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
  type Text,
  type Transaction,
} from "@codemirror/state";
import {Decoration, type DecorationSet, EditorView, GutterMarker, gutter, WidgetType} from "@codemirror/view";
import {icon, make, sentence} from "../page/dom";

/** One problem; lines and columns count from 1, columns in characters. */
export type Problem = {
  kind: string;
  line: number | null;
  column?: number | null;
  end_column?: number | null;
  message: string;
  instead?: string;
  original?: string;
};

type Placed = {at: number; was: string; problem: Problem; held: boolean};

const setProblems = StateEffect.define<{found: Problem[]; quiet: boolean}>();

class Sentence extends WidgetType {
  constructor(readonly problem: Problem) {
    super();
  }
  override eq(other: Sentence) {
    const {message, instead, original} = this.problem;
    return (
      other.problem.message === message && other.problem.instead === instead && other.problem.original === original
    );
  }
  override toDOM(view: EditorView) {
    const {message, instead, original} = this.problem;
    const said = make(
      "p",
      {class: "problem"},
      make("b", {}, sentence(message)),
      instead ? sentence(` ${instead}`) : "",
    );
    const box = make("div", {class: "below"}, said); // the editor measures this box: no margin may stick out of it
    if (original) {
      const fold = make("details", {class: "original"}, make("summary", {}, "Python says"), make("p", {}, original));
      fold.addEventListener("toggle", () => view.requestMeasure());
      said.after(fold);
    }
    return box;
  }
  override ignoreEvent(event: Event) {
    return (event.target as Element).closest("details") !== null;
  }
}

class Mark extends GutterMarker {
  constructor(
    readonly kind: string,
    readonly held = false,
  ) {
    super();
  }
  override eq(other: Mark) {
    return other.kind === this.kind && other.held === this.held;
  }
  override toDOM() {
    if (this.held) return make("span", {class: "gutter-dot"});
    return make("span", {class: "gutter-mark"}, icon(this.kind === "policy" ? "stop" : "cross"));
  }
}

/** Whether somebody writes in the line that begins at `at`. */
function writing(at: number, {doc, selection}: EditorState): boolean {
  return doc.lineAt(selection.main.head).from === at;
}

function place(problems: Problem[], doc: Text, holds: (at: number) => boolean): Placed[] {
  return problems
    .flatMap(problem => {
      if (!problem.line) return [];
      const {from, text} = doc.line(Math.min(problem.line, doc.lines));
      return [{at: from, was: text, problem, held: holds(from)}];
    })
    .sort((a, b) => a.at - b.at);
}

function follow(placed: Placed[], {changes, newDoc}: Transaction): Placed[] {
  return placed
    .map(each => ({...each, at: changes.mapPos(each.at, 1)}))
    .filter(({at, was}) => newDoc.lineAt(at).from === at && newDoc.lineAt(at).text === was);
}

/** Where the wavy line runs: Python counts characters, the editor UTF-16 units. */
function stretch({at, was, problem}: Placed): [number, number] {
  const units = (column: number) => [...was].slice(0, Math.max(0, column - 1)).join("").length;
  const indent = /^\s*/.exec(was)![0].length;
  if (!problem.column) return [at + indent, at + was.length];
  const from = Math.min(units(problem.column), Math.max(0, was.length - 1));
  const to = problem.end_column && problem.end_column > problem.column ? units(problem.end_column) : from + 1;
  return [at + from, at + Math.min(to, was.length)];
}

function draw(placed: Placed[], doc: Text): DecorationSet {
  const open = placed.filter(({held}) => !held);
  return Decoration.set(
    open.flatMap(each => {
      const [from, to] = stretch(each);
      const widget = new Sentence(each.problem);
      const below = Decoration.widget({widget, block: true, side: 2}).range(doc.lineAt(each.at).to);
      return from < to ? [Decoration.mark({class: "squiggle"}).range(from, to), below] : [below];
    }),
    true,
  );
}

const field = StateField.define<Placed[]>({
  create: () => [],
  update(placed, transaction) {
    const {state, docChanged, effects} = transaction;
    if (docChanged) placed = follow(placed, transaction);
    else if (placed.some(({at, held}) => held && !writing(at, state)))
      placed = placed.map(each => ({...each, held: each.held && writing(each.at, state)}));
    for (const effect of effects)
      if (effect.is(setProblems)) {
        const {found, quiet} = effect.value;
        placed = place(found, state.doc, at => quiet && writing(at, state));
      }
    return placed;
  },
  provide: self =>
    EditorView.decorations.compute([self, "doc"], (state: EditorState) => draw(state.field(self), state.doc)),
});

const marks = gutter({
  class: "cm-problems",
  markers: ({state}) =>
    RangeSet.of(
      state.field(field).map(({at, problem, held}) => new Mark(problem.kind, held).range(at)),
      true,
    ),
  initialSpacer: () => new Mark("spacer"),
});

/** The extension that shows problems. */
export const problems: Extension = [field, marks];

/** Shows these problems in place of the ones before; `quiet` while somebody writes. */
export function showProblems(view: EditorView, found: Problem[], quiet: boolean): void {
  view.dispatch({effects: setProblems.of({found, quiet})});
}
