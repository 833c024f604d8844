/** What of the exercise page needs the editor: puts it in place of the form's text area and joins the parts around it.
 *
 * The page's first script fetches this once the page is painted; the words it gives back are what keys and buttons do.
 */

import {createEditor, createState, type Editor} from "../editor/editor";
import {showTrace} from "../editor/shapes";
import type {Chords} from "../page/keys";
import {breathe} from "../page/moments";
import {setUpPaper} from "../page/paper";
import {type PageData, parts} from "../page/parts";
import {markOld, setUpLineLinks} from "../page/report";
import {keep, recall} from "../page/storage";
import {setUpCustom} from "./custom";
import {createDrafts, type Drafts, opening} from "./drafts";
import {composed} from "./early";
import {setUpHints} from "./hints";
import {createJudge} from "./judge";
import {createLive} from "./live";
import {setUpShare} from "./share";
import {setUpSubject} from "./subject";

/** What the keys and the buttons beside the editor do. */
export type Work = Chords & {reset: () => void};

/** The choice of key map, remembered. */
function setUpKeyMap(editor: Editor): void {
  const choice = parts.keyMap();
  if (!choice) return;
  choice.value = recall("keymap") ?? "default";
  choice.addEventListener("change", () => {
    keep("keymap", choice.value);
    void editor.keys(choice.value);
  });
  if (choice.value !== "default") void editor.keys(choice.value);
}

/** Serves the page's forms, and makes the editor and everything that reads or writes its text. */
export async function setUpWork(data: PageData, area: HTMLTextAreaElement): Promise<Work> {
  setUpShare();
  setUpHints(data);
  await breathe();
  let drafts: Drafts | null = null;
  const stateOf = (text: string) =>
    createState(area, text, "/api/completions", () => {
      drafts?.changed();
      live.typed();
      markOld();
    });
  const early = stateOf(opening(data, area).text);
  await breathe();
  await composed(area);
  const open = opening(data, area); // something may have been typed meanwhile
  const editor = createEditor(area, early.doc.toString() === open.text ? early : stateOf(open.text));
  const judge = createJudge(data, editor, () => live.yield());
  const live = createLive(data, editor, () => !judge.busy());
  const keeping = createDrafts(data, editor, open);
  drafts = keeping;
  setUpSubject(
    () => void judge.look(),
    () => showTrace(editor.view, null),
  );
  setUpKeyMap(editor);
  setUpLineLinks(editor);
  setUpPaper(editor.view.dom, editor.text);
  setUpCustom(data, editor);
  judge.resume();
  live.now();
  return {
    run: () => void judge.run(),
    submit: () => void judge.submit(),
    save: () => void keeping.save(),
    reset: () => keeping.reset(),
  };
}
