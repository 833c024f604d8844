/** Small words for the DOM: find, make, icon, sentence. */

/** The first element that fits, or null. */
export function find<T extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): T | null {
  return root.querySelector<T>(selector);
}

/** All elements that fit, in document order. */
export function all<T extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): T[] {
  return [...root.querySelectorAll<T>(selector)];
}

/** Makes an element; texts among the children stay texts. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** One of the page's drawings (the symbols at the top of its body), for eyes only. */
export function icon(name: string, kind = "icon"): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#i-${name}`);
  svg.setAttribute("class", kind);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

/** A button of the small kind. */
export function button(label: string, press: () => void): HTMLButtonElement {
  const made = make("button", {class: "button small", type: "button"}, label);
  made.addEventListener("click", press);
  return made;
}

/** Text with `code` between backticks, as our sentences are written. */
export function sentence(text: string): DocumentFragment {
  const fragment = new DocumentFragment();
  for (const [i, part] of text.split("`").entries()) fragment.append(i % 2 ? make("code", {}, part) : part);
  return fragment;
}

/** Gives a text to be kept as a file. */
export function download(text: string, name = "solution.py"): void {
  const link = make("a", {href: URL.createObjectURL(new Blob([text], {type: "text/x-python"})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The hour and minute of a moment, on this device's clock. */
export function clock(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB", {hour: "2-digit", minute: "2-digit"});
}

/** The form with this data attribute that a press or Enter sends. Its button may belong to another form, the one that
 *  carries the code without a script, so the place of the button counts. */
export function sent(event: SubmitEvent, attribute: string): HTMLFormElement | null {
  const {submitter} = event;
  // Enter in a field presses the first button of the form it belongs to, which says nothing: there the field counts.
  const from = submitter?.matches("[data-keep]") ? document.activeElement : submitter;
  return (from ?? (event.target as HTMLElement)).closest<HTMLFormElement>(`form[${attribute}]`);
}

/** A field's value by its place inside a form, whichever form it belongs to. */
export function valueIn(form: HTMLFormElement, name: string): string {
  return find<HTMLInputElement | HTMLTextAreaElement>(`[name^="${name}"]`, form)?.value ?? "";
}
