/** Own input: arguments as Python source, run through the learner's code and the reference, shown side by side. */

import type {Editor} from "../editor/editor";
import {announce} from "../page/announce";
import {call, Refusal} from "../page/api";
import {find, make, sent, valueIn} from "../page/dom";
import {dropNote, noteOf, showNote} from "../page/notes";
import {address, type PageData} from "../page/parts";
import type {Report} from "../page/report";

async function run(data: PageData, editor: Editor, form: HTMLFormElement): Promise<void> {
  const args = valueIn(form, "arguments");
  const place = find("[data-outcome]", form) ?? form.appendChild(make("div", {class: "stack", "data-outcome": ""}));
  place.setAttribute("aria-busy", "true");
  try {
    const body = {source: editor.text(), arguments: args, html: true};
    const {data: report} = await call<Report>("POST", address(data, "runs"), {body});
    dropNote("custom");
    place.innerHTML = report.html;
    for (const said of place.querySelectorAll("[role=status]")) said.remove();
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
    void run(data, editor, form);
  });
}
