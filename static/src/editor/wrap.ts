/** A wrapped line goes on one step further in than it began, so that indentation stays readable on a phone. */
import {RangeSetBuilder} from "@codemirror/state";
import {Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate} from "@codemirror/view";

const step = 4;
const deepest = 24;

function indented(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const {from, to} of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      const depth = Math.min(/^ */.exec(line.text)![0].length, deepest) + step;
      const style = `padding-inline-start:${depth}ch;text-indent:-${depth}ch`;
      builder.add(line.from, line.from, Decoration.line({attributes: {style}}));
      at = line.to + 1;
    }
  }
  return builder.finish();
}

class Indents {
  decorations: DecorationSet;
  constructor(view: EditorView) {
    this.decorations = indented(view);
  }
  update(update: ViewUpdate) {
    if (update.docChanged || update.viewportChanged) this.decorations = indented(update.view);
  }
}

/** Wrapping with a hanging indent. */
export const wrapping = [
  EditorView.lineWrapping,
  ViewPlugin.fromClass(Indents, {decorations: plugin => plugin.decorations}),
];
