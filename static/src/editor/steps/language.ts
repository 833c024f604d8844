/** Python and the reading of it by themselves, so that they are run in a step of their own. */
export {python} from "@codemirror/lang-python";
