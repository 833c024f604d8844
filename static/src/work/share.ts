/** A link to a read-only copy of one submission: off until it is asked for, gone when it is taken back. */
import {announce} from "../page/announce";
import {call, Refusal} from "../page/api";
import {button, make, sent} from "../page/dom";
import {noteOf, showNote} from "../page/notes";

async function share(form: HTMLFormElement): Promise<void> {
  const id = form.dataset.share!;
  try {
    const {data} = await call<{url: string}>("POST", `/api/submissions/${id}/share`, {body: {}});
    const url = new URL(data.url, location.href).href;
    const link = make("input", {
      class: "mono",
      readonly: "",
      value: url,
      size: String(Math.min(url.length + 2, 64)),
      "aria-label": "Link to the read-only copy",
    });
    const copier = make("button", {class: "button small", type: "button", "data-copy": url}, "Copy link");
    showNote("share", {
      kind: "still",
      icon: "share",
      fact: "Anybody with this link can read this submission.",
      rest: "Nothing else of yours is shown.",
      buttons: [link, copier, button("Take it back", () => void revoke(id))],
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showNote("share", noteOf(error.trouble));
  }
}

async function revoke(id: string): Promise<void> {
  try {
    await call("DELETE", `/api/submissions/${id}/share`);
    showNote("share", {kind: "still", icon: "check", fact: "The link no longer works."});
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    showNote("share", noteOf(error.trouble));
  }
  announce("The link no longer works.");
}

/** Serves the share buttons there are and will be. */
export function setUpShare(): void {
  document.addEventListener("submit", event => {
    const form = sent(event, "data-share");
    if (!form) return;
    event.preventDefault();
    void share(form);
  });
}
