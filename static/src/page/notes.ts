/** Notes between the editor and the report: a bold fact, what holds, then buttons. One a subject. */
import {announce} from "./announce";
import type {Trouble} from "./api";
import {find, icon, make, sentence} from "./dom";

export type Note = {
  kind?: "still" | "off";
  icon: string;
  fact: string;
  rest?: string;
  buttons?: HTMLElement[];
  /** Not to be said aloud: it repeats what was. */
  quiet?: boolean;
};

const shown = new Map<string, HTMLElement>();

function shelf(): HTMLElement {
  const made = find(".notes") ?? make("div", {class: "notes"});
  if (!made.isConnected) (find("#results") ?? find("main"))!.before(made);
  return made;
}

/** Shows a note in place of the one before on the same subject. */
export function showNote(subject: string, note: Note): HTMLElement {
  const body = make(
    "div",
    {},
    make("p", {}, make("b", {}, sentence(note.fact)), note.rest ? sentence(` ${note.rest}`) : ""),
  );
  if (note.buttons?.length) body.append(make("div", {class: "row"}, ...note.buttons));
  const element = make(
    "div",
    {class: `note ${note.kind ?? ""}`.trim(), "data-subject": subject},
    icon(note.icon),
    body,
  );
  const before = shown.get(subject);
  if (before?.isConnected) before.replaceWith(element);
  else shelf().append(element);
  shown.set(subject, element);
  if (!note.quiet) announce(`${note.fact} ${note.rest ?? ""}`.replaceAll("`", "").trim());
  return element;
}

/** Takes a note away, if it is there. */
export function dropNote(subject: string): void {
  shown.get(subject)?.remove();
  shown.delete(subject);
}

const looks: Record<Trouble["kind"], [string, Note["kind"]]> = {
  offline: ["wifi", "still"],
  slow: ["clock", "still"],
  full: ["clock", "still"],
  too_many: ["stop", "still"],
  too_long: ["alert", "off"],
  refused: ["alert", "off"],
  ours: ["alert", "still"],
  old_page: ["refresh", "still"],
  not_yet: ["lock", "still"],
  ask: ["alert", "still"],
};

/** A refusal as a note; our own faults carry the id that the log knows them by. */
export function noteOf(trouble: Trouble, buttons: HTMLElement[] = [], quiet = false): Note {
  const [drawing, kind] = looks[trouble.kind];
  const rest = trouble.id ? `${trouble.detail} Its id is \`${trouble.id}\`.` : trouble.detail;
  return {icon: drawing, fact: trouble.title, rest, buttons, quiet, ...(kind && {kind})};
}
