/** Brings parts of the page up to date with what the server would send now: hints, submissions, tabs, tries left. */
import {all, find} from "./dom";

/** Elements with this attribute are replaced by their namesakes of a freshly sent page. */
const fresh = "data-fresh";

/** Replaces every `data-fresh` part, unless somebody is in it. Offline, the page stays as it is. */
export async function freshen(): Promise<boolean> {
  const asking = {headers: {accept: "text/html"}, credentials: "same-origin"} as const;
  const response = await fetch(location.pathname + location.search, asking).catch(() => null);
  if (!response?.ok) return false;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const old of all(`[${fresh}]`)) {
    const now = find(`[${fresh}="${old.getAttribute(fresh)}"]`, page);
    if (!now || now.outerHTML === old.outerHTML) continue;
    const inside = old.contains(document.activeElement) && old !== document.activeElement;
    if (!inside || old.hasAttribute("data-fresh-always")) old.replaceWith(document.adoptNode(now));
  }
  return true;
}
