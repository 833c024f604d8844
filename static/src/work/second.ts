/** A second look at what was accepted: asked for a few times after the verdict, shown where it saw something. */

import {announce} from "../page/announce";
import {call, Refusal} from "../page/api";
import {find} from "../page/dom";
import {parts} from "../page/parts";

interface SecondLook {
  state: "none" | "right" | "off";
  html: string;
}

const AFTER_MS = [400, 1500, 4000];

function place(): HTMLElement | null {
  return find("[data-second-look]", parts.results());
}

async function ask(at: HTMLElement): Promise<SecondLook["state"]> {
  const {secondLook: id, token = ""} = at.dataset;
  const query = new URLSearchParams({html: "true", ...(token && {read_token: token})});
  const {data} = await call<SecondLook>("GET", `/api/submissions/${id}/second-look?${query}`);
  if (data.state === "off" && place() === at) {
    at.innerHTML = data.html;
    announce(find("b", at)?.textContent ?? "");
  }
  return data.state;
}

/** Looks for the second look at the accepted submission that is shown, if one is. */
export async function lookAgain(): Promise<void> {
  const at = place();
  if (!at || at.children.length) return;
  for (const pause of AFTER_MS) {
    await new Promise(resolve => setTimeout(resolve, pause));
    if (place() !== at) return;
    try {
      if ((await ask(at)) !== "none") return;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return;
    }
  }
}
