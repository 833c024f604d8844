/** Copy buttons: `data-copy` holds the text, `data-copy-from` names the element that does, and `data-copy-at` the address
 * that gives it: fetched when its row is opened, so that a press copies at once (some browsers let nobody copy later). */
import {announce} from "./announce";
import {all, find, make} from "./dom";

/** For plain http, where browsers offer no clipboard: select a text that nobody sees and copy that. */
function copyBySelection(text: string): boolean {
  const area = make("textarea", {class: "vh", readonly: "", "aria-hidden": "true"});
  const focused = document.activeElement as HTMLElement | null;
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return copied;
}

/** Puts a text on the clipboard; false where the browser lets nobody. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text); // missing on plain http
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function textOf(pressed: HTMLElement): string {
  const {copy: own, copyFrom} = pressed.dataset;
  return own ?? (copyFrom ? find(copyFrom)?.textContent : null) ?? "";
}

/** Gives a button the text that stands at its address; the browser keeps it for the next report. */
async function fetched(pressed: HTMLElement): Promise<void> {
  if (pressed.dataset.copy !== undefined || !pressed.dataset.copyAt) return;
  const answer = await fetch(pressed.dataset.copyAt, {credentials: "same-origin"});
  if (answer.ok) pressed.dataset.copy = await answer.text();
}

async function copyFrom(pressed: HTMLElement): Promise<boolean> {
  await fetched(pressed).catch(() => {}); // offline: then there is nothing to copy
  const text = textOf(pressed);
  return text !== "" && copy(text);
}

/** Shows for two seconds that it worked, in the button's own words. */
function confirm(pressed: HTMLElement, copied: boolean): void {
  const label = [...pressed.childNodes]
    .filter((node): node is Text => node instanceof Text && !!node.data.trim())
    .at(-1);
  announce(copied ? "Copied." : "This browser won’t let the page copy. Select the text and copy it by hand.");
  if (!label || pressed.dataset.busy) return;
  const before = label.data;
  pressed.dataset.busy = "1";
  label.data = copied ? "Copied" : "Not copied";
  setTimeout(() => {
    label.data = before;
    delete pressed.dataset.busy;
  }, 2000);
}

/** Serves every copy button there is or will be. */
export function setUpCopy(): void {
  document.addEventListener("click", event => {
    const pressed = (event.target as Element).closest<HTMLElement>("[data-copy], [data-copy-from], [data-copy-at]");
    if (pressed) void copyFrom(pressed).then(copied => confirm(pressed, copied));
  });
  const fetchAhead = (event: Event) => {
    const row = event.target;
    if (!(row instanceof HTMLDetailsElement) || !row.open) return;
    for (const one of all("[data-copy-at]", row)) void fetched(one).catch(() => {});
  };
  document.addEventListener("toggle", fetchAhead, true); // it does not bubble
}
