/** Which part of the page one is in: the tabs over the statement, and the row of four on a phone. */
import {all, find} from "./dom";

/** Whether a pane, or the window, can be scrolled no further. */
function atEnd(root: HTMLElement | null): boolean {
  const {scrollTop, clientHeight, scrollHeight} = root ?? document.documentElement;
  return scrollHeight > clientHeight && scrollTop + clientHeight >= scrollHeight - 2;
}

/** Marks the link whose target is in view; `root` is the pane that scrolls, null the window. */
function mark(links: HTMLAnchorElement[], root: HTMLElement | null): void {
  const targets = links.flatMap(link => {
    const target = find(link.hash);
    return target ? [{link, target}] : [];
  });
  if (targets.length < 2) return;
  const top = root ? root.getBoundingClientRect().top : 0;
  const reached = targets.filter(
    ({target}) => target.checkVisibility() && (atEnd(root) || target.getBoundingClientRect().top - top < 140),
  );
  const asked = atEnd(root) ? reached.find(({link}) => link.hash === location.hash) : null; // it may lie below the top
  const here = (asked ?? reached.at(-1) ?? targets[0])!.link;
  for (const {link} of targets) {
    if (link === here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** Follows the scrolling, at most once a frame. */
function follow(selector: string, scroller: HTMLElement | null): void {
  let due = false;
  const update = () => {
    due = false;
    mark(
      all<HTMLAnchorElement>(selector).filter(link => link.hash && link.pathname === location.pathname),
      scroller,
    );
  };
  const later = () => {
    if (!due) requestAnimationFrame(update);
    due = true;
  };
  (scroller ?? window).addEventListener("scroll", later, {passive: true});
  document.addEventListener("freshened", later); // the links themselves are new, and their targets
  later(); // with the next paint: measuring before it would lay the page out for nothing
}

/** Sets both rows up. */
export function setUpJumps(): void {
  follow(".jump a", null);
  follow(".pane-tabs a", find("#statement"));
}
