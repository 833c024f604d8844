/** The exercise page before its editor: small, so that the page is painted and answers before the editor comes.
 *
 * Until then, and where the editor never comes, the page works by its forms.
 */

import {setUpEarly} from "../work/early";
import type {Work} from "../work/workbench";
import {setUpDivider} from "./divider";
import {setUpJumps} from "./jump";
import {setUpKeys} from "./keys";
import {breathe, painted} from "./moments";
import {type PageData, pageData, parts} from "./parts";

/** Fetches all of the editor's files side by side: the page names them, and what each must hash to. */
function fetchAhead(): void {
  const later = parts.later();
  if (later) document.head.append(later.content.cloneNode(true));
}

/** The editor and what works with it, in steps between which the browser answers keys. */
async function work(data: PageData, area: HTMLTextAreaElement): Promise<Work> {
  await painted();
  fetchAhead();
  for (const step of [
    () => import("../editor/steps/engine"),
    () => import("../editor/steps/language"),
    () => import("../editor/steps/commands"),
  ]) {
    await step();
    await breathe();
  }
  return (await import("../work/workbench")).setUpWork(data, area);
}

/** What is pressed before the editor is there happens when it is, and the report shows that it will; where the editor
 *  cannot come, the form is sent. */
function setUpActions(coming: Promise<Work>): void {
  const buttons = {run: parts.run(), submit: parts.submit(), save: parts.keep(), reset: parts.reset()};
  let state: "coming" | "here" | "failed" = "coming";
  coming.then(
    () => {
      state = "here";
    },
    error => {
      state = "failed";
      throw error;
    },
  );
  const act = (name: keyof Work) => {
    if (state === "coming" && (name === "run" || name === "submit")) parts.results().setAttribute("aria-busy", "true");
    void coming.then(
      work => work[name](),
      () => buttons[name]?.click(),
    );
  };
  for (const name of ["run", "submit", "reset"] as const)
    buttons[name]?.addEventListener("click", event => {
      if (state === "failed") return;
      event.preventDefault();
      act(name);
    });
  setUpKeys({run: () => act("run"), submit: () => act("submit"), save: () => act("save")});
}

/** Sets up what there is of an exercise page. */
export function setUpExercise(): void {
  const data = pageData(),
    area = parts.area();
  setUpDivider();
  setUpJumps();
  if (!data || !area) return;
  setUpEarly(data, area);
  setUpActions(work(data, area));
}
