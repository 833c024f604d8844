/** What of the exercise page needs the editor: puts it in place of the form's text area and joins the parts around it.
 *
 * The page's first script fetches this once the page is painted; the words it gives back are what keys and buttons do.
 */
import {createDrafts, type Drafts, opening} from "./drafts";
import {setUpCustom} from "./custom";
import {createEditor, type Editor} from "./editor";
import {setUpHints} from "./hints";
import {createJudge} from "./judge";
import type {Chords} from "./keys";
import {createLive} from "./live";
import {type PageData, parts} from "./page";
import {markOld, setUpLineLinks} from "./report";
import {setUpShare} from "./share";
import {keep, recall} from "./storage";

/** What the keys and the buttons beside the editor do. */
export type Work = Chords & {reset: () => void};

/** The choice of key map, remembered. */
function setUpKeyMap(editor: Editor): void {
  const choice = parts.keyMap();
  if (!choice) return;
  choice.value = recall("keymap") ?? "default";
  choice.addEventListener("change", () => { keep("keymap", choice.value); void editor.keys(choice.value); });
  if (choice.value !== "default") void editor.keys(choice.value);
}

/** Serves the forms of the page that the interface answers while the page stays. */
export function setUpForms(data: PageData): void {
  setUpShare();
  setUpHints(data);
}

/** Makes the editor and everything that reads or writes its text. */
export function setUpWork(data: PageData, area: HTMLTextAreaElement): Work {
  const open = opening(data, area);
  let drafts: Drafts | null = null;
  const editor = createEditor(area, open.text, "/api/completions", () => {
    drafts?.changed();
    live.typed();
    markOld();
  });
  const judge = createJudge(data, editor, () => live.yield());
  const live = createLive(data, editor, () => !judge.busy());
  const keeping = drafts = createDrafts(data, editor, open);
  setUpKeyMap(editor);
  setUpLineLinks(editor);
  setUpCustom(data, editor);
  judge.resume();
  live.now();
  return {
    run: () => void judge.run(), submit: () => void judge.submit(), save: () => void keeping.save(),
    reset: () => keeping.reset(),
  };
}
