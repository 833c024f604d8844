import {expect, test} from "vitest";
import {meaning} from "../../static/src/page/keys";

type Key = Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> & {key: string};

function pressed(key: Key): ReturnType<typeof meaning> {
  return meaning({ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...key});
}

test("the three chords", () => {
  expect(pressed({key: "Enter", ctrlKey: true})).toBe("run");
  expect(pressed({key: "Enter", ctrlKey: true, shiftKey: true})).toBe("submit");
  expect(pressed({key: "s", ctrlKey: true})).toBe("save");
  expect(pressed({key: "S", ctrlKey: true})).toBe("save"); // caps lock
});

test("no other key is taken", () => {
  expect(pressed({key: "Enter"})).toBeNull();
  expect(pressed({key: "Enter", ctrlKey: true, altKey: true})).toBeNull();
  expect(pressed({key: "Enter", metaKey: true})).toBeNull();
  expect(pressed({key: "s", ctrlKey: true, shiftKey: true})).toBeNull();
  expect(pressed({key: "z", ctrlKey: true})).toBeNull();
});
