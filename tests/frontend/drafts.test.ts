import {beforeEach, expect, test} from "vitest";
import type {PageData, RemoteDraft} from "../../static/src/page/parts";
import {forget, keysOf} from "../../static/src/page/storage";
import {opening} from "../../static/src/work/drafts";
import {type Local, put} from "../../static/src/work/texts";

const starter = "def f(x):\n    ...\n",
  noon = Date.parse("2026-03-01T12:00:00Z"),
  minute = 60_000;

function remote(source: string, device: string, minutes: number): RemoteDraft {
  return {source, device, version: `v-${device}`, saved_at: new Date(noon + minutes * minute).toISOString(), name: ""};
}

function page(...drafts: RemoteDraft[]): PageData {
  const [opened = null, ...others] = drafts;
  const fixed = {slug: "softmax", title: "Softmax", digest: "d", learner: "anna", now: Date.now()};
  return {...fixed, starter, drafts: {opened, others}};
}

function area(value: string, defaultValue = value, reopened?: string): HTMLTextAreaElement {
  return {value, defaultValue, dataset: {reopened}} as unknown as HTMLTextAreaElement;
}

function here(source: string, id: string, minutes: number, rest: Partial<Local> = {}): void {
  put("softmax", {id, source, at: noon + minutes * minute, version: null, sent: false, learner: "anna", ...rest});
}

beforeEach(() => {
  for (const key of keysOf("")) forget(key);
});

test("with no text anywhere the starter is opened", () => {
  expect(opening(page(), area(starter))).toEqual({text: starter, from: null, others: [], version: null, typed: false});
});

test("the newest text is opened, wherever it was kept, and the others are offered", () => {
  here("newer", "phone", 5);
  const open = opening(page(remote("older", "laptop", 0)), area("older"));
  expect([open.text, open.version, open.others.map(each => each.source)]).toEqual(["newer", null, ["older"]]);
});

test("the server's text is opened where it is newer than the one of this device", () => {
  here("older", "phone", 0);
  const open = opening(page(remote("newer", "laptop", 5)), area("newer"));
  expect([open.text, open.version, open.others.map(each => each.source)]).toEqual(["newer", "v-laptop", ["older"]]);
});

test("what was typed before the script came is newest, and grows out of the draft it began with", () => {
  const open = opening(page(remote("saved", "laptop", 0)), area("saved and typed", "saved"));
  expect(open).toEqual({text: "saved and typed", from: null, others: [], version: "v-laptop", typed: true});
});

test("an earlier submission that was opened on purpose stays, and newer texts are offered", () => {
  const open = opening(page(remote("newer", "laptop", 5)), area("submission", "submission", ""));
  expect([open.text, open.others.map(each => each.source)]).toEqual(["submission", ["newer"]]);
});

test("a text of this device that the server had and replaced is forgotten", () => {
  here("replaced", "tablet", 0, {sent: true, sentAt: noon});
  const open = opening(page(remote("now", "laptop", 5)), area("now"));
  expect([open.text, open.others]).toEqual(["now", []]);
});

test("one text kept twice is offered once, and the starter never", () => {
  here("same", "phone", 0);
  here(starter, "tablet", 9);
  const open = opening(page(remote("same", "laptop", 5)), area("same"));
  expect([open.text, open.others]).toEqual(["same", []]);
});
