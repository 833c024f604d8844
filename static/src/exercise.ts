/** The workbench: puts the editor in place of the form's text area and joins its parts.
 *
 * Without this script the same page works by its forms; with it, the forms are answered here.
 */
import {createDrafts, type Drafts, opening} from "./drafts";
import {setUpCustom} from "./custom";
import {setUpDivider} from "./divider";
import {createEditor, type Editor} from "./editor";
import {setUpHints} from "./hints";
import {createJudge} from "./judge";
import {setUpJumps} from "./jump";
import {setUpKeys} from "./keys";
import {createLive} from "./live";
import {type PageData, pageData, parts} from "./page";
import {markOld, setUpLineLinks} from "./report";
import {setUpShare} from "./share";
import {keep, recall} from "./storage";

/** The choice of key map, remembered. */
function setUpKeyMap(editor: Editor): void {
  const choice = parts.keyMap();
  if (!choice) return;
  choice.value = recall("keymap") ?? "default";
  choice.addEventListener("change", () => { keep("keymap", choice.value); void editor.keys(choice.value); });
  if (choice.value !== "default") void editor.keys(choice.value);
}

/** What of the page needs an editor. */
function setUpWork(data: PageData, area: HTMLTextAreaElement): void {
  const open = opening(data, area);
  let drafts: Drafts | null = null;
  const editor = createEditor(area, open.text, "/api/completions", () => {
    drafts?.changed();
    live.typed();
    markOld();
  });
  const judge = createJudge(data, editor, () => live.yield());
  const live = createLive(data, editor, () => !judge.busy());
  drafts = createDrafts(data, editor, open);

  const chosen = (event: Event, act: () => void) => { event.preventDefault(); act(); };
  parts.run()?.addEventListener("click", event => chosen(event, () => void judge.run()));
  parts.submit()?.addEventListener("click", event => chosen(event, () => void judge.submit()));
  parts.reset()?.addEventListener("click", event => chosen(event, () => drafts.reset()));
  setUpKeys({run: () => void judge.run(), submit: () => void judge.submit(), save: () => void drafts.save()});
  setUpKeyMap(editor);
  setUpLineLinks(editor);
  setUpCustom(data, editor);
  judge.resume();
  live.now();
}

/** Lets the browser paint and answer keys between two steps of the start. */
function breathe(): Promise<void> {
  return new Promise(done => setTimeout(done));
}

const data = pageData(), area = parts.area();
setUpDivider();
setUpJumps();
setUpShare();
if (data && area) {
  setUpHints(data);
  await breathe();
  setUpWork(data, area);
}
