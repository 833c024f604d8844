/** The page's few keys: run, submit, save, next pane, the sheet. No other key is taken.
 *
 * They are heard before the editor, so that they are the same in every key map, and while focus is elsewhere.
 */
import {announce} from "./announce";
import {all, find} from "./dom";

export type Chords = {run: () => void; submit: () => void; save: () => void};

const mac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Writes the keys as this keyboard has them. */
function nameKeys(): void {
  if (!mac) return;
  for (const key of all("kbd")) key.textContent = key.textContent!.replace("Ctrl Shift", "⌘ ⇧").replace("Ctrl", "⌘");
  for (const button of all("[aria-keyshortcuts]"))
    button.setAttribute("aria-keyshortcuts", button.getAttribute("aria-keyshortcuts")!.replace("Control", "Meta"));
}

/** What F6 moves between, in reading order; the editor's own text box rather than the box around it. */
function panes(): HTMLElement[] {
  return [find("#statement"), find("#code .cm-content, #code textarea:not([hidden])"), find("#results")].filter(
    (pane): pane is HTMLElement => pane !== null,
  );
}

function nextPane(back: boolean): void {
  const stops = panes();
  const within = (pane: HTMLElement) => (pane.closest("#code") ?? pane).contains(document.activeElement);
  const here = stops.findIndex(within);
  const next = stops[here < 0 ? 0 : (here + (back ? stops.length - 1 : 1)) % stops.length];
  next?.focus();
}

function writing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
}

/** A key that went down, with what was held. */
type Chord = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** The chord's meaning, or null where it is none of ours. */
export function meaning(event: Chord): keyof Chords | null {
  const mod = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (!mod || event.altKey) return null;
  if (event.key === "Enter") return event.shiftKey ? "submit" : "run";
  return event.key.toLowerCase() === "s" && !event.shiftKey ? "save" : null;
}

/** Another form has the focus (own input, a follow-up): there Mod-Enter sends that one. */
function otherForm(event: KeyboardEvent): HTMLFormElement | null {
  const form = event.target instanceof Element ? event.target.closest("form") : null;
  return form && !form.querySelector(".editor") && form.querySelector("textarea, input:not([type=hidden])")
    ? form
    : null;
}

function pressed(event: KeyboardEvent, chords: Chords): boolean {
  const chord = meaning(event);
  if (chord) {
    const form = chord === "run" ? otherForm(event) : null;
    if (form) form.requestSubmit();
    else if (!event.repeat) chords[chord]();
    return true;
  }
  if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return false;
  nextPane(event.shiftKey);
  return true;
}

/** Opens or closes the sheet of keys, and gives the focus back where it was. */
export function setUpKeySheet(): void {
  const sheet = find<HTMLDialogElement>("dialog#keys");
  if (!sheet) return;
  let before: HTMLElement | null = null;
  const close = () => {
    sheet.close();
    before?.focus();
  };
  const toggle = () => {
    if (sheet.open) return close();
    before = document.activeElement as HTMLElement | null;
    sheet.show();
    sheet.focus();
    announce("Keys.");
  };
  for (const opener of all("[data-keys]")) opener.addEventListener("click", toggle);
  for (const closer of all("[data-close]", sheet)) closer.addEventListener("click", close);
  sheet.addEventListener("keydown", event => {
    if (event.key === "Escape") close();
  });
  document.addEventListener("keydown", event => {
    if (event.key !== "?" || event.ctrlKey || event.altKey || event.metaKey || writing(event.target)) return;
    event.preventDefault();
    toggle();
  });
}

/** Listens for the workbench's chords. */
export function setUpKeys(chords: Chords): void {
  nameKeys();
  document.addEventListener(
    "keydown",
    event => {
      if (!pressed(event, chords)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    {capture: true},
  );
}
