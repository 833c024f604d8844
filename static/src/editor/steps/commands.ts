/** What the editor's keys do, by itself, so that it is run in a step of its own. */
export {autocompletion} from "@codemirror/autocomplete";
export {history} from "@codemirror/commands";
export {search} from "@codemirror/search";
