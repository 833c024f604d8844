/** An exercise in a frame on another site's page: links lead out of the frame, and it says where work is not kept. */
import {find} from "./dom";

/** No other page of ours may stand in that frame, so what is not on this page opens in a tab of its own. */
function leadOut(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  if (link && !(link.hash && link.pathname === location.pathname)) link.target = "_blank";
}

/** Whether a cookie comes back only a second request can tell. */
async function tellWhetherKept(): Promise<void> {
  const asked = await fetch(`${location.pathname}/kept`).catch(() => null);
  if (!asked?.ok) return;
  const {kept} = (await asked.json()) as {kept: boolean};
  const note = find("[data-not-kept]");
  if (note) note.hidden = kept;
}

export function setUpEmbed(): void {
  if (!document.body.classList.contains("embedded")) return;
  document.addEventListener("click", leadOut, {capture: true});
  void tellWhetherKept();
}
