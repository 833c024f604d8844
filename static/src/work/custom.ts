/** Own input: arguments as Python source, run through the learner's code and the reference, shown side by side. */

import type {Editor} from "../editor/editor";
import {announce} from "../page/announce";
import {call, Refusal} from "../page/api";
import {find, make, sent, valueIn} from "../page/dom";
import {dropNote, noteOf, showNote} from "../page/notes";
import {address, type PageData} from "../page/parts";
import type {Report} from "../page/report";

/** Random inputs are numbered below this; a number always gives the same input. */
const MOST_NUMBER = 1e9;

/** What the pressed button asks for: the typed arguments, a random input, or the smallest one that goes wrong. */
function asked(form: HTMLFormElement, button: string): Record<string, unknown> {
  if (button === "smallest") return {smallest: true};
  if (button === "draw") return {draw: Math.floor(Math.random() * MOST_NUMBER)};
  return {arguments: valueIn(form, "arguments")};
}

/** Puts a random input's arguments where they can be edited and run again. */
function prefill(form: HTMLFormElement, place: HTMLElement): void {
  const field = find<HTMLTextAreaElement>("[name=arguments]", form.ownerDocument.body);
  const code = find("[data-copy]", place)?.dataset.copy;
  if (field && code) field.value = code;
}

async function run(data: PageData, editor: Editor, form: HTMLFormElement, button: string): Promise<void> {
  const place = find("[data-outcome]", form) ?? form.appendChild(make("div", {class: "stack", "data-outcome": ""}));
  place.setAttribute("aria-busy", "true");
  try {
    const body = {source: editor.text(), ...asked(form, button), html: true};
    const {data: report} = await call<Report>("POST", address(data, "runs"), {body});
    dropNote("custom");
    place.innerHTML = report.html;
    for (const said of place.querySelectorAll("[role=status]")) said.remove();
    if (button !== "custom") prefill(form, place);
    announce(report.tests[0]?.message || report.message);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.trouble.kind === "refused") {
      place.replaceChildren(make("p", {class: "ui"}, error.trouble.title));
      announce(error.trouble.title);
    } else showNote("custom", noteOf(error.trouble));
  } finally {
    place.removeAttribute("aria-busy");
  }
}

/** Serves the form of own input, wherever the report puts it. */
export function setUpCustom(data: PageData, editor: Editor): void {
  document.addEventListener("submit", event => {
    const form = sent(event, "data-custom");
    if (!form) return;
    event.preventDefault();
    void run(data, editor, form, (event.submitter as HTMLButtonElement | null)?.name ?? "custom");
  });
}
