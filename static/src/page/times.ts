/** Every moment on the page, on this device's clock: the server sends UTC, which is also what is read without a script. */
import {all} from "./dom";

function localise(): void {
  for (const time of all<HTMLTimeElement>("time[datetime]:not([title])")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    time.title = time.textContent ?? "";
    const day = at.toLocaleDateString("en-GB", {day: "numeric", month: "short"});
    time.textContent = `${day}, ${at.toLocaleTimeString("en-GB", {hour: "2-digit", minute: "2-digit"})}`;
  }
}

/** Shows moments in local time, those that come later with a report or a fresh part of the page as well. */
export function setUpTimes(): void {
  localise();
  const observer = new MutationObserver(localise);
  for (const part of all("main, #results, #statement")) observer.observe(part, {childList: true});
  for (const part of all("[data-fresh]"))
    if (part.parentElement) observer.observe(part.parentElement, {childList: true});
}
