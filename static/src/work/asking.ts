/** What a class has Submit ask first, above the buttons: before the first late try, and before the last one. */
import {announce} from "../page/announce";
import type {Trouble} from "../page/api";
import {find, make} from "../page/dom";
import {parts} from "../page/parts";

/** Asks, and waits for the answer: true to submit all the same. Escape says no; a newer job takes the question away. */
export function saysYes({title, detail, yes}: Trouble, signal: AbortSignal): Promise<boolean> {
  for (const before of document.querySelectorAll("[data-asked]")) before.remove();
  const actions = find(".actions")!;
  const submit = parts.submit();
  const main = (is: boolean) => {
    submit?.classList.toggle("main", is); // one filled button at a time
    submit?.toggleAttribute("aria-disabled", !is);
    if (!is) submit?.setAttribute("aria-disabled", "true");
  };
  return new Promise((done, stop) => {
    const close = () => {
      asks.remove();
      main(true);
    };
    const answer = (said: boolean) => {
      close();
      submit?.focus();
      done(said);
    };
    const sure = make("button", {class: "button main", type: "button"}, yes ?? "Submit");
    const no = make("button", {class: "button", type: "button"}, "Not now");
    sure.addEventListener("click", () => answer(true));
    no.addEventListener("click", () => answer(false));
    const words = make("p", {id: "asked"}, make("b", {}, title), ` ${detail}`);
    const named = {class: "asks", role: "group", "aria-labelledby": "asked", "data-asked": ""};
    const asks = make("div", named, words, make("div", {class: "row"}, sure, no));
    asks.addEventListener("keydown", event => {
      if (event.key === "Escape") answer(false);
    });
    signal.addEventListener("abort", () => {
      close();
      stop(signal.reason as Error);
    });
    main(false);
    actions.prepend(asks);
    sure.focus();
    announce(`${title} ${detail}`);
  });
}
