/** What is typed before the editor is there: kept on this device at once, as all that is typed after it. */
import type {PageData, RemoteDraft} from "../page/parts";
import {randomName} from "../page/storage";
import {put} from "./texts";

/** The name under which this page keeps its text, before the editor and with it. */
export const ownName = randomName();

let at = 0; // when the text was last changed
let composing = false; // a word is being put together by an input method

/** The server's draft that the page came with, where the form began with it. */
export function grownFrom(data: PageData, area: HTMLTextAreaElement): RemoteDraft | null {
  const {opened} = data.drafts;
  return opened?.source === area.defaultValue ? opened : null;
}

/** When something was last typed before the editor came; now, where that was before any script. */
export function typedAt(): number {
  return at || Date.now();
}

/** Keeps every change of the form's text area. */
export function setUpEarly(data: PageData, area: HTMLTextAreaElement): void {
  const version = grownFrom(data, area)?.version ?? null,
    {learner} = data;
  area.addEventListener("input", () => {
    at = Date.now();
    put(data.slug, {id: ownName, source: area.value, at, version, sent: false, learner});
  });
  area.addEventListener("compositionstart", () => {
    composing = true;
  });
  for (const end of ["compositionend", "blur"])
    area.addEventListener(end, () => {
      composing = false;
    });
}

/** When no word is half put together: one that is would be torn in two. */
export function composed(area: HTMLTextAreaElement): Promise<void> {
  if (!composing) return Promise.resolve();
  return new Promise(done => {
    for (const end of ["compositionend", "blur"]) area.addEventListener(end, () => done(), {once: true});
  });
}
