/** The three-way theme switch: kept in a cookie, so that the server sends the page in its colours at once. */
import {all} from "./dom";

const year = 365 * 24 * 3600;

/** Keeps a small preference where the server can read it with the next page. */
export function remember(name: string, value: string | null): void {
  document.cookie = `${name}=${value ?? ""}; path=/; max-age=${value ? year : 0}; samesite=lax`;
}

/** Listens to the switch; the colours themselves follow by the style sheet's `:has(:checked)`. */
export function setUpTheme(): void {
  for (const choice of all<HTMLInputElement>("input[name=theme]"))
    choice.addEventListener("change", () => {
      if (choice.value === "system") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = choice.value;
      remember("theme", choice.value === "system" ? null : choice.value);
    });
}
