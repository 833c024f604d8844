/** The form of an assignment: the sentence that learners will read follows what is typed. */
import {find} from "./dom";

const pause = 300;

interface Read {
  sentence: string;
  notes: string[];
  changes: string;
}

async function show(form: HTMLFormElement, url: string): Promise<void> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.set(name, value);
  const response = await fetch(url, {method: "POST", body, credentials: "same-origin"}).catch(() => null);
  if (!response?.ok) return;
  const read = (await response.json()) as Read;
  const sentence = find("[data-sentence]");
  if (sentence && read.sentence) sentence.textContent = read.sentence; // with something off, the last good one stays
  const notes = find("[data-notes]");
  notes?.replaceChildren(
    ...read.notes.map(words =>
      Object.assign(document.createElement("p"), {className: "note still", textContent: words}),
    ),
  );
  const changes = find("[data-changes]");
  if (changes) changes.textContent = read.changes;
}

export function setUpAssignment(): void {
  const form = find<HTMLFormElement>("form[data-assignment]");
  if (!form) return;
  let timer = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void show(form, form.dataset.assignment ?? ""), pause);
  });
}
