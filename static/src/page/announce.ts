/** The one polite live region: one sentence an event, for those who hear the page. */
import {find, make} from "./dom";

let region: HTMLElement | null = null;
let due = 0;

/** The region stands outside the report, so that a new report never takes it away. */
function listener(): HTMLElement {
  region ??= find("#announcer") ?? document.body.appendChild(make("p", {id: "announcer", class: "vh", role: "status"}));
  return region;
}

/** Says one sentence; of several in the same moment the last one counts. */
export function announce(text: string): void {
  const target = listener();
  target.textContent = ""; // or the same sentence twice is heard once
  clearTimeout(due);
  due = window.setTimeout(() => {
    target.textContent = text;
  }, 60);
}

/** Puts the region in place, empty: one that comes with its text is not heard. */
export function listen(): void {
  listener();
}
