/** Hints, the reference solution and follow-up answers, opened through the interface while the page stays. */
import {announce} from "../page/announce";
import {call, Refusal} from "../page/api";
import {all, find, make, sent, valueIn} from "../page/dom";
import {freshen} from "../page/freshen";
import {dropNote, noteOf, showNote} from "../page/notes";
import {address, type PageData} from "../page/parts";

/** Puts the focus on a heading that is no stop of the Tab key. */
function focusOn(heading: HTMLElement | null): void {
  if (!heading) return;
  heading.setAttribute("tabindex", "-1");
  heading.focus({preventScroll: true});
  heading.scrollIntoView({block: "nearest"});
}

/** Asks, and says what stands in the way where something does. */
async function ask<T>(path: string, body: object): Promise<T | null> {
  try {
    const {data} = await call<T>("POST", path, {body});
    dropNote("hints");
    return data;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showNote("hints", noteOf(error.trouble));
    return null;
  }
}

async function openHint(data: PageData, number: number): Promise<void> {
  if (!(await ask(address(data, "hints"), {number}))) return;
  await freshen();
  for (const offer of all(`.report form[data-hint="${number}"]`))
    offer.replaceWith(make("a", {class: "button", href: `#hint-${number}`}, `Hint ${number} is open`));
  announce(`Hint ${number} opened.`);
  focusOn(find(`.ladder > li:nth-child(${number}) h3`));
}

async function openSolution(data: PageData): Promise<void> {
  if (!(await ask(address(data, "solution"), {}))) return;
  await freshen();
  announce("Reference solution opened.");
  focusOn(find("#ways"));
}

type FollowUp = {message: string; html: string};

async function followUp(data: PageData, form: HTMLFormElement): Promise<void> {
  const number = Number(form.dataset.followUp),
    text = valueIn(form, "answer");
  const result = await ask<FollowUp>(address(data, "follow-ups"), {number, text, html: true});
  if (!result) return;
  const place = find("[data-outcome]", form) ?? form.appendChild(make("div", {class: "ui stack", "data-outcome": ""}));
  place.innerHTML = result.html;
  announce(result.message.replaceAll("`", ""));
}

/** Serves the forms that there are and will be. */
export function setUpHints(data: PageData): void {
  document.addEventListener("submit", event => {
    const hint = sent(event, "data-hint"),
      solution = sent(event, "data-solution"),
      question = sent(event, "data-follow-up");
    if (!hint && !solution && !question) return;
    event.preventDefault();
    if (hint) void openHint(data, Number(hint.dataset.hint));
    if (solution) void openSolution(data);
    if (question) void followUp(data, question);
  });
}
