/** Copy buttons: `data-copy` holds the text, or `data-copy-from` names the element that does. */
import {announce} from "./announce";
import {find, make} from "./dom";

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

/** Shows for two seconds that it worked, in the button's own words. */
function confirm(pressed: HTMLElement, copied: boolean): void {
  const label = [...pressed.childNodes]
    .filter((node): node is Text => node instanceof Text && !!node.data.trim())
    .at(-1);
  announce(copied ? "Copied." : "The browser does not let this page copy. Select the text and copy it by hand.");
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
    const pressed = (event.target as Element).closest<HTMLElement>("[data-copy], [data-copy-from]");
    if (pressed) void copy(textOf(pressed)).then(copied => confirm(pressed, copied));
  });
}
