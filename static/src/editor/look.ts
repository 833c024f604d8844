/** How the editor looks: its colours are the page's custom properties, so one theme serves light and dark. */
import {HighlightStyle, syntaxHighlighting} from "@codemirror/language";
import type {Extension} from "@codemirror/state";
import {EditorView} from "@codemirror/view";
import {tags as t} from "@lezer/highlight";

const code = HighlightStyle.define([
  {
    tag: [t.keyword, t.controlKeyword, t.definitionKeyword, t.moduleKeyword, t.operatorKeyword],
    color: "var(--hl-keyword)",
    fontWeight: "600",
  },
  {tag: [t.function(t.definition(t.variableName)), t.definition(t.className)], color: "var(--hl-name)"},
  {tag: [t.string, t.special(t.string), t.docString], color: "var(--hl-string)"},
  {tag: [t.number, t.bool, t.null], color: "var(--hl-number)"},
  {tag: [t.comment], color: "var(--hl-comment)"},
]);

const wash = (colour: string, share: number) => `color-mix(in oklab, var(--${colour}) ${share}%, transparent)`;

// CodeMirror's own rules stand outside all layers, so what competes with them is said here, not in static/css.
const theme = EditorView.theme({
  "&": {color: "var(--ink)", fontSize: "inherit", minHeight: "0", flex: "1 1 auto"},
  "&.cm-focused": {outline: "2px solid var(--accent)", outlineOffset: "-2px"},
  ".cm-scroller": {fontFamily: "var(--mono)", lineHeight: "1.55", overflow: "auto"},
  ".cm-content": {padding: "var(--s2) 0", caretColor: "var(--ink)"},
  ".cm-gutters .cm-gutter": {flex: "none"},
  ".cm-line": {padding: "0 var(--s4) 0 0"},
  ".cm-line.noted": {display: "flow-root"}, // a note that finds no room beside the code stays within its line
  ".cm-gutters": {background: "transparent", color: "var(--ink-3)", border: "0"},
  ".cm-problems": {width: "1.5rem"},
  ".cm-problems .cm-gutterElement": {
    display: "grid",
    justifyContent: "end",
    alignContent: "start",
    paddingTop: ".18em",
  },
  ".cm-lineNumbers": {width: "1.5rem"},
  ".cm-lineNumbers .cm-gutterElement": {padding: "0", minWidth: "0"},
  ".cm-foldGutter": {width: ".75rem"},
  ".cm-foldGutter .cm-gutterElement": {cursor: "pointer", color: "var(--ink-3)", padding: "0"},
  ".cm-foldGutter .icon": {width: ".7rem", height: "1.55em"},
  ".fold": {display: "block"},
  ".fold.open .icon": {rotate: "90deg"},
  ".cm-activeLine, .cm-activeLineGutter": {backgroundColor: "transparent"},
  "&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter": {backgroundColor: wash("accent", 7)},
  "&.cm-focused .cm-activeLineGutter": {color: "var(--ink)"},
  ".cm-cursor, .cm-dropCursor": {borderLeftColor: "var(--ink)", borderLeftWidth: "1.5px"},
  ".cm-fat-cursor": {background: "var(--accent) !important", color: "var(--paper) !important"},
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: wash("accent", 26),
  },
  ".cm-selectionMatch": {backgroundColor: wash("accent", 14)},
  "&.cm-focused .cm-matchingBracket": {backgroundColor: wash("accent", 22), outline: "1px solid var(--accent)"},
  "&.cm-focused .cm-nonmatchingBracket": {backgroundColor: wash("off", 18)},
  ".cm-foldPlaceholder": {
    background: "var(--sunk)",
    border: "1px solid var(--hair)",
    color: "var(--ink-3)",
    padding: "0 .4em",
  },
  ".cm-panels": {background: "var(--sunk)", color: "var(--ink)", borderColor: "var(--hair)"},
  ".cm-panel.cm-search": {fontFamily: "var(--sans)", fontSize: "var(--fine)"},
  ".cm-panel.cm-search label": {fontSize: "inherit"},
  ".cm-textfield, .cm-button": {
    background: "var(--surface)",
    border: "1px solid var(--edge)",
    borderRadius: "var(--r1)",
    fontSize: "inherit",
    color: "inherit",
  },
  ".cm-searchMatch": {backgroundColor: wash("heat-high", 45)},
  ".cm-searchMatch-selected": {backgroundColor: wash("heat-high", 90)},
  ".cm-tooltip": {
    background: "var(--surface)",
    border: "1px solid var(--edge)",
    borderRadius: "var(--r2)",
    color: "var(--ink)",
  },
  ".cm-tooltip-autocomplete > ul": {fontFamily: "var(--mono)", fontSize: "var(--fine)", maxHeight: "14em"},
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {background: "var(--fill)", color: "var(--fill-ink)"},
  ".cm-completionDetail": {fontStyle: "normal", opacity: ".85"},
  ".cm-completionInfo code": {background: "none", padding: "0", overflowWrap: "anywhere"},
  ".cm-completionInfo": {
    font: "var(--w) var(--fine)/1.45 var(--sans)",
    maxWidth: "22rem",
    padding: "var(--s2) var(--s3)",
  },
});

/** Theme and code colours. */
export const look: Extension = [theme, syntaxHighlighting(code)];
