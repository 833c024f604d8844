/** The board of a class: asks whether it changed, held open by the server for ten seconds, and then brings it up to date. */
import {find} from "./dom";
import {freshen} from "./freshen";

const again = 10_000;

async function changed(url: string, since: string): Promise<string> {
  const response = await fetch(`${url}?since=${encodeURIComponent(since)}`, {credentials: "same-origin"});
  if (!response.ok) throw new Error(String(response.status));
  const told = (await response.json()) as {stamp: string};
  return told.stamp;
}

async function watch(board: HTMLElement): Promise<void> {
  let stamp = board.dataset.stamp ?? "";
  const url = board.dataset.board ?? "";
  for (;;) {
    const lost = find("[data-lost]");
    try {
      const now = await changed(url, stamp);
      if (now !== stamp && !(await freshen())) throw new Error("the page did not come");
      stamp = now;
      if (lost) lost.hidden = true;
    } catch {
      if (lost) lost.hidden = false;
      await new Promise(resolve => setTimeout(resolve, again));
    }
  }
}

export function setUpBoard(): void {
  const board = find<HTMLElement>("[data-board]");
  if (board) void watch(board);
}
