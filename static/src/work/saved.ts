/** What the page says of where the text is kept: only what is so. */
import {clock} from "../page/dom";

/** `sent`: the server has this text. `here`: this device has it. `trying`: it is under way to the server. */
export type Keeping = {sent: boolean; here: boolean; trying: boolean; cookies: boolean; at: number};

/** Whether the text is lost when the page is closed now. */
export function unsaved({sent, here, cookies}: Keeping): boolean {
  return !here && !(sent && cookies);
}

/** The words beside the file's name. */
export function savedWords(keeping: Keeping): string {
  const {sent, here, trying, cookies, at} = keeping;
  if (!cookies && !here) return "Not saved: this browser keeps nothing";
  if (sent && cookies) return `Saved ${clock(at)}`;
  if (here) return cookies && trying ? `Saved ${clock(at)}` : `Saved on this device ${clock(at)}`;
  return trying ? "Saving" : "Not saved: this device keeps nothing";
}
