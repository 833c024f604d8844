/** Hints, the reference solution and follow-up answers, opened through the interface while the page stays. */
import {announce} from "../page/announce";
import {answered, call, Refusal} from "../page/api";
import {all, button, find, icon, make, sent, valueIn} from "../page/dom";
import {freshen} from "../page/freshen";
import {dropNote, noteOf, showNote} from "../page/notes";
import {address, type PageData} from "../page/parts";

/** Puts the focus on a heading that is no stop of the Tab key, and its text where one reads: in the upper third. */
function focusOn(heading: HTMLElement | null): void {
  if (!heading) return;
  heading.setAttribute("tabindex", "-1");
  heading.focus({preventScroll: true});
  heading.scrollIntoView({block: "start"}); // the style sheet leaves room above it
}

/** Asks, and says what stands in the way where something does; `again` asks once more, where that may help. */
async function ask<T>(path: string, body: object, again: () => void): Promise<T | null> {
  try {
    const {data} = await call<T>("POST", path, {body});
    dropNote("hints");
    return data;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const {kind} = error.trouble;
    const passing = kind === "too_many" || kind === "full" || kind === "ours";
    showNote("hints", noteOf(error.trouble, passing ? [button("Try again", again)] : []));
    if (kind === "offline" || kind === "slow") document.addEventListener(answered, again, {once: true}); // it is back
    return null;
  }
}

/** The words of a button that opens a hint, where hint `fits` is about what the report says (0: none is). */
export function offerOf(number: number, fits: number, of: number, cost = ""): string {
  const price = cost && `, −${cost}`;
  if (number === fits) return `Open hint ${number}: it’s about this${price}`;
  return (fits > number ? `Open hint ${number} (hint ${fits} is about this)` : `Open hint ${number} of ${of}`) + price;
}

/** What the report offers once a hint is open: the next one, or the way back to the one that is about this. */
function offerNext(form: HTMLFormElement, opened: number): void {
  const fits = Number(form.dataset.fits),
    of = Number(form.dataset.of);
  if (opened === fits || opened >= of) {
    const words = opened === fits ? `Read hint ${opened}: it’s about this` : `Read hint ${opened}`;
    form.replaceWith(make("a", {class: "button", href: `#hint-${opened}`}, icon("bulb"), words));
    return;
  }
  const press = find<HTMLButtonElement>("button", form)!;
  form.dataset.hint = press.value = String(opened + 1);
  press.replaceChildren(icon("bulb"), offerOf(opened + 1, fits, of, form.dataset.cost));
}

async function openHint(data: PageData, number: number): Promise<void> {
  if (!(await ask(address(data, "hints"), {number}, () => void openHint(data, number)))) return;
  await freshen();
  for (const form of all<HTMLFormElement>(`.report form[data-hint="${number}"]`)) offerNext(form, number);
  announce(`Hint ${number} opened.`);
  focusOn(find(`.ladder > li:nth-child(${number}) h3`));
}

async function openSolution(data: PageData): Promise<void> {
  if (!(await ask(address(data, "solution"), {}, () => void openSolution(data)))) return;
  await freshen();
  announce("Reference solution opened.");
  focusOn(find("#ways"));
}

type FollowUp = {message: string; html: string};

async function followUp(data: PageData, form: HTMLFormElement): Promise<void> {
  const number = Number(form.dataset.followUp),
    text = valueIn(form, "answer");
  const body = {number, text, html: true};
  const result = await ask<FollowUp>(address(data, "follow-ups"), body, () => void followUp(data, form));
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
