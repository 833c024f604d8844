/** The code on paper: the editor draws only what is on the screen, so that all lines are set anew for printing. */
import {make} from "./dom";

/** Puts a plain listing of the editor's text beside it while the page is printed. */
export function setUpPaper(editor: HTMLElement, text: () => string): void {
  let listing: HTMLElement | null = null;
  addEventListener("beforeprint", () => {
    listing?.remove();
    const lines = text()
      .split("\n")
      .map(line => make("li", {}, make("code", {}, line || " ")));
    listing = make("ol", {class: "paper"}, ...lines);
    editor.after(listing);
  });
  addEventListener("afterprint", () => {
    listing?.remove();
    listing = null;
  });
}
