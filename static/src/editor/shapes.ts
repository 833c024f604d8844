/** The shape trace: at the right edge of each line, what it assigned when it last ran.
 *
 * While somebody types, the notes of lines that are still the same are dotted; a line that changed loses its own.
 * The notes are for eyes only: the report holds the same facts as a table.
 */
import {
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Text,
  type Transaction,
} from "@codemirror/state";
import {Decoration, type DecorationSet, EditorView, WidgetType} from "@codemirror/view";
import {icon, make} from "../page/dom";

/** One assigned name, as the report has it. */
export type Assigned = {name: string; type_name: string; shape: number[] | null; dtype: string | null; text: string};
/** One traced line; `state` says how it stands against the reference's stage of the same name. */
export type TracedLine = {
  line: number;
  passes: number;
  first: Assigned[];
  last: Assigned[];
  state?: "equal" | "differs" | null;
};
export type Trace = {case: string; lines: TracedLine[]; first_difference?: number | null};

type Note = {at: number; was: string; line: TracedLine; first: boolean; mistakes: number[]};
type Notes = {notes: Note[]; stale: boolean};

/** What is shown: a trace, and the lines of mistakes that go by number, in the order of their numbers. */
type Shown = {trace: Trace | null; numbered: (number | null)[]};

const setTrace = StateEffect.define<Shown>();
const longest = 44;

function shape(sizes: number[]): string {
  return sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(", ")})`;
}

function value(assigned: Assigned): string {
  if (!assigned.shape) return assigned.text || assigned.type_name;
  return shape(assigned.shape) + (assigned.dtype && assigned.dtype !== "float64" ? ` ${assigned.dtype}` : "");
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** Names and values of one pass: "q, k, v" and "(8, 4, 8)" where they agree, else the values alone. */
function pass(assigned: Assigned[]): {names: string; values: string} {
  const values = assigned.map(value);
  if (assigned.length > 1 && assigned[0]?.shape && new Set(values).size === 1)
    return {names: assigned.map(each => each.name).join(", "), values: values[0] ?? ""};
  return {names: "", values: values.join(", ")};
}

/** The words of a note: plain strings, and bold ones in a list of one. */
export function words(line: TracedLine): (string | [string])[] {
  const first = pass(line.first),
    last = pass(line.last);
  if (!first.values) return line.passes > 1 ? [`${line.passes} passes`] : [];
  const names = first.names ? [cut(first.names)] : [];
  if (line.passes < 2) return [...names, [cut(first.values)]];
  return first.values === last.values
    ? [...names, [cut(first.values)], "each"]
    : [...names, [cut(first.values)], "…", [cut(last.values)]];
}

class ShapeNote extends WidgetType {
  constructor(
    readonly line: TracedLine,
    readonly stale: boolean,
    readonly mistakes: number[],
  ) {
    super();
  }
  override eq(other: ShapeNote) {
    const same = other.stale === this.stale && other.mistakes.join() === this.mistakes.join();
    return same && JSON.stringify(other.line) === JSON.stringify(this.line);
  }
  override toDOM() {
    const note = make("span", {class: this.stale ? "trace stale" : "trace", "aria-hidden": "true"});
    for (const mistake of this.mistakes) note.append(make("span", {class: "nth"}, `${mistake}`), " ");
    for (const word of words(this.line)) note.append(typeof word === "string" ? word : make("b", {}, word[0]), " ");
    if (this.line.state === "equal") note.append(make("span", {class: "ok"}, icon("check")));
    if (this.line.state === "differs") note.append(make("span", {class: "no"}, icon("cross")));
    return note;
  }
  override ignoreEvent() {
    return false;
  }
}

function place({trace, numbered}: Shown, doc: Text): Notes {
  const bare = numbered.flatMap(line => (line ? [{line, passes: 0, first: [], last: []}] : []));
  const traced = (trace?.lines ?? []).toReversed(); // a line called twice: the first
  const once = new Map<number, TracedLine>([...bare, ...traced].map(line => [line.line, line]));
  const mistakes = (line: number) => numbered.flatMap((at, index) => (at === line ? [index + 1] : []));
  const notes = [...once.values()]
    .filter(line => line.line >= 1 && line.line <= doc.lines)
    .filter(line => words(line).length > 0 || numbered.includes(line.line))
    .sort((a, b) => a.line - b.line)
    .map(line => {
      const {from, text} = doc.line(line.line);
      const first = trace?.first_difference === line.line;
      return {at: from, was: text, line, first, mistakes: mistakes(line.line)};
    });
  return {notes, stale: false};
}

function follow({notes}: Notes, transaction: Transaction): Notes {
  const doc = transaction.newDoc;
  const moved = notes.map(note => ({...note, at: transaction.changes.mapPos(note.at, 1)}));
  const same = ({at, was}: Note) => doc.lineAt(at).from === at && doc.lineAt(at).text === was;
  return {stale: true, notes: moved.filter(same)};
}

function draw({notes, stale}: Notes, doc: Text): DecorationSet {
  return Decoration.set(
    notes.flatMap(note => {
      const widget = Decoration.widget({widget: new ShapeNote(note.line, stale, note.mistakes), side: 1}).range(
        doc.lineAt(note.at).to,
      );
      const kind = note.first && !stale ? "noted first-off" : "noted";
      return [Decoration.line({class: kind}).range(note.at), widget];
    }),
    true,
  );
}

const field = StateField.define<Notes>({
  create: () => ({notes: [], stale: false}),
  update(notes, transaction) {
    if (transaction.docChanged) notes = follow(notes, transaction);
    for (const effect of transaction.effects) if (effect.is(setTrace)) notes = place(effect.value, transaction.newDoc);
    return notes;
  },
  provide: self =>
    EditorView.decorations.compute([self, "doc"], (state: EditorState) => draw(state.field(self), state.doc)),
});

/** The extension that draws the notes. */
export const shapes: Extension = field;

/** Shows the notes of a trace of the text as it now is; null takes them away. `numbered` are lines of mistakes. */
export function showTrace(view: EditorView, trace: Trace | null, numbered: (number | null)[] = []): void {
  view.dispatch({effects: setTrace.of({trace, numbered})});
}
