/** The editor's engine by itself, so that it is run in a step of its own. */
export {EditorView} from "@codemirror/view";
