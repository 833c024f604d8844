/** Brings parts of the page up to date with what the server would send now: hints, submissions, tabs, tries left. */
import {all, find} from "./dom";

/** Elements with this attribute are replaced by their namesakes of a freshly sent page. */
const fresh = "data-fresh";

/** Whether somebody is typing in a part. */
function writing(part: HTMLElement): boolean {
  return part.contains(document.activeElement) && document.activeElement!.matches("input, textarea");
}

/** What was typed into fields of the old part, and not sent, goes into the new one. */
function carry(old: HTMLElement, now: HTMLElement): void {
  for (const field of all<HTMLInputElement | HTMLTextAreaElement>("input[name], textarea[name]", old)) {
    const after = find<HTMLInputElement | HTMLTextAreaElement>(`#${CSS.escape(field.id)}`, now);
    if (after && field.value !== field.defaultValue) after.value = field.value;
  }
}

/** Puts the focus, and how far its tables were scrolled, where they were in the part before. */
function settle(old: HTMLElement, now: HTMLElement, focused: Element | null, scrolled: [number, number][]): void {
  for (const [n, each] of all(".scroll", now).entries()) [each.scrollLeft, each.scrollTop] = scrolled[n] ?? [0, 0];
  if (!focused || !old.contains(focused)) return;
  const name = (each: Element) => `${each.getAttribute("href")}|${each.getAttribute("value")}|${each.textContent}`;
  const twins = all(focused.tagName, now);
  const twin = focused.id ? find(`#${CSS.escape(focused.id)}`, now) : twins.find(each => name(each) === name(focused));
  (twin ?? twins.find(each => each.getAttribute("href") === focused.getAttribute("href")))?.focus({
    preventScroll: true,
  });
}

let asked = 0; // how often the page was asked for
let shown = 0; // which of them is on the page

/** Replaces every `data-fresh` part, unless somebody is in it. Offline, the page stays as it is. */
export async function freshen(): Promise<boolean> {
  const mine = ++asked;
  const asking = {headers: {accept: "text/html"}, credentials: "same-origin"} as const;
  const response = await fetch(location.pathname + location.search, asking).catch(() => null);
  if (!response?.ok) return false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (mine < shown) return true; // one that was asked for later came first
  shown = mine;
  for (const old of all(`[${fresh}]`)) {
    const now = find(`[${fresh}="${old.getAttribute(fresh)}"]`, page);
    if (!now || now.outerHTML === old.outerHTML) continue;
    if (writing(old)) continue;
    carry(old, now);
    const focused = document.activeElement;
    const scrolled = all(".scroll", old).map((each): [number, number] => [each.scrollLeft, each.scrollTop]);
    const twin = document.adoptNode(now);
    old.replaceWith(twin);
    settle(old, twin, focused, scrolled);
  }
  document.dispatchEvent(new Event("freshened"));
  return true;
}
