import {expect, test} from "vitest";
import {type Assigned, type TracedLine, words} from "../../static/src/editor/shapes";

function array(name: string, shape: number[], dtype = "float64"): Assigned {
  return {name, type_name: "ndarray", shape, dtype, text: ""};
}

function number(name: string, text: string): Assigned {
  return {name, type_name: "int", shape: null, dtype: null, text};
}

function line(first: Assigned[], last = first, passes = 1): TracedLine {
  return {line: 7, passes, first, last};
}

test("one array shows its shape, and its type where that is not float64", () => {
  expect(words(line([array("scores", [8, 4, 4])]))).toEqual([["(8, 4, 4)"]]);
  expect(words(line([array("mask", [4], "bool")]))).toEqual([["(4,) bool"]]);
});

test("a number shows its value", () => {
  expect(words(line([number("d_k", "4")]))).toEqual([["4"]]);
});

test("names that share one shape are named before it", () => {
  const split = [array("q", [2, 5, 4]), array("k", [2, 5, 4]), array("v", [2, 5, 4])];
  expect(words(line(split))).toEqual(["q, k, v", ["(2, 5, 4)"]]);
});

test("names of two shapes stand without their names", () => {
  expect(words(line([array("q", [5, 4]), array("k", [4, 5])]))).toEqual([["(5, 4), (4, 5)"]]);
});

test("a line that runs several times shows the first and the last pass, or one for each", () => {
  expect(words(line([array("row", [1])], [array("row", [4])], 4))).toEqual([["(1,)"], "…", ["(4,)"]]);
  expect(words(line([array("row", [4])], [array("row", [4])], 4))).toEqual([["(4,)"], "each"]);
});

test("a line that assigns nothing has no note, unless it is a loop", () => {
  expect(words(line([]))).toEqual([]);
  expect(words(line([], [], 3))).toEqual(["3 passes"]);
});

test("a long value is cut at 44 letters", () => {
  const [[cut]] = words(line([number("names", "x".repeat(60))])) as [[string]];
  expect(cut).toBe(`${"x".repeat(43)}…`);
});
