/** What the exercise page says of itself, and where its parts are: every selector of its script stands here. */
import {find} from "./dom";

/** The object that the page carries as JSON. */
export type PageData = {
  slug: string;
  title: string;
  digest: string;
  starter: string;
  /** A name for the learner that says nothing of who it is; another one after a session ended. */
  learner: string;
  /** The server's clock when it sent the page, in milliseconds since 1970. */
  now: number;
  drafts: {opened: RemoteDraft | null; others: RemoteDraft[]};
};

/** A text that the server keeps; `version` changes with every save. */
export type RemoteDraft = {source: string; version: string; device: string; saved_at: string; name: string};

export const parts = {
  area: () => find<HTMLTextAreaElement>("#code textarea[name=source]"),
  run: () => find<HTMLButtonElement>("[data-run]"),
  submit: () => find<HTMLButtonElement>("[data-submit]"),
  reset: () => find<HTMLButtonElement>("[data-reset]"),
  keep: () => find<HTMLButtonElement>("[data-keep]"),
  later: () => find<HTMLTemplateElement>("template[data-later]"),
  saved: () => find("[data-saved]"),
  live: () => find<HTMLInputElement>("[data-live]"),
  liveLine: () => find("[data-live-line]"),
  shapesFrom: () => find<HTMLSelectElement>("[data-shapes]"),
  keyMap: () => find<HTMLSelectElement>("[data-keymap]"),
  otherDrafts: () => find<HTMLSelectElement>("[data-drafts]"),
  results: () => find("#results")!,
  statement: () => find("#statement"),
};

/** Reads the page's data; null where this is no exercise page. */
export function pageData(): PageData | null {
  const text = find("#page-data")?.textContent;
  return text ? (JSON.parse(text) as PageData) : null;
}

/** The address of one of the exercise's own interfaces. */
export function address(data: PageData, rest: string): string {
  return `/api/exercises/${encodeURIComponent(data.slug)}/${rest}`;
}

/** Under 48 rem the panes stand one below the other. */
export function stacked(): boolean {
  return matchMedia("(width < 48rem)").matches;
}
