import {expect, test} from "vitest";
import {type Keeping, savedWords, unsaved} from "../../static/src/work/saved";

const at = new Date(2026, 2, 1, 14, 21).getTime();

function said(keeping: Partial<Keeping>): [string, boolean] {
  const all = {sent: false, here: false, trying: false, cookies: true, at, ...keeping};
  return [savedWords(all), unsaved(all)];
}

test("what the server or the device has is saved", () => {
  expect(said({sent: true, here: true})).toEqual(["Saved 14:21", false]);
  expect(said({sent: true, here: false})).toEqual(["Saved 14:21", false]);
  expect(said({here: true, trying: true})).toEqual(["Saved 14:21", false]);
  expect(said({here: true})).toEqual(["Saved on this device 14:21", false]);
});

test("what is only on the page is not called saved", () => {
  expect(said({trying: true})).toEqual(["Saving", true]);
  expect(said({})).toEqual(["Not saved: this device keeps nothing", true]);
});

test("without cookies the server's copy cannot be found again", () => {
  expect(said({cookies: false, here: true})).toEqual(["Saved on this device 14:21", false]);
  expect(said({cookies: false, sent: true})).toEqual(["Not saved: this browser keeps nothing", true]);
});
