/** Live: half a second after the last key the examples run, and shapes, problems and their verdicts follow quietly.
 *
 * Never in the way of typing: one run at a time, an older one is cancelled, a failed one only says that it failed.
 */

import type {Editor} from "../editor/editor";
import {announce} from "../page/announce";
import {call, Refusal} from "../page/api";
import {icon, make} from "../page/dom";
import {address, type PageData, parts} from "../page/parts";
import {placedProblems, type Report, showInEditor, showReport} from "../page/report";
import {keep, recall} from "../page/storage";
import {nameSubject, traced} from "./subject";

const pause = 500,
  slow = 4000;

/** `typed` hears each change; `yield` stands back for a run or a submission; `now` does not wait for the keys. */
export type Live = {typed: () => void; yield: () => void; now: () => void};

/** What the examples came to, in a few words: for the line beside the buttons. */
function summary(report: Report): {mark: "pass" | "off" | "wait"; text: string} {
  const [problem] = placedProblems(report);
  if (report.problems.length) return {mark: "wait", text: `Line ${problem?.line ?? 1} stops it from running`};
  if (report.verdict === "grader_error") return {mark: "wait", text: "Live runs don’t work right now: our fault"};
  if (problem?.line) return {mark: "off", text: `Line ${problem.line} stops`};
  if (report.passed === report.total) return {mark: "pass", text: `${report.passed} of ${report.total} examples equal`};
  return {mark: "off", text: `${report.passed} of ${report.total} examples equal`};
}

function say(mark: "pass" | "off" | "wait" | "clock" | "wifi", text: string): void {
  const line = parts.liveLine();
  const drawing = {pass: "check", off: "cross", wait: "dash", clock: "clock", wifi: "wifi"}[mark];
  const sign =
    mark === "clock" || mark === "wifi" ? icon(drawing) : make("span", {class: `mark ${mark}`}, icon(drawing));
  line?.replaceChildren(...(text ? [sign, make("span", {}, text)] : []));
}

/** Makes live mode. `free` says whether nothing else is being judged. */
export function createLive(data: PageData, editor: Editor, free: () => boolean): Live {
  const box = parts.live();
  let timer = 0,
    stop: AbortController | null = null,
    last = "",
    verdict = "";

  const cancel = () => {
    clearTimeout(timer);
    stop?.abort(new DOMException("newer", "AbortError"));
    stop = null;
  };

  const show = (report: Report) => {
    const {mark, text} = summary(report);
    say(mark, text);
    if (verdict && verdict !== text) announce(`${text}.`); // live runs say only what changed
    verdict = text;
    const results = parts.results();
    const {kind, old, accepted} = results.dataset,
      passes = report.passed === report.total && accepted === undefined;
    if (kind !== "submission" || old !== undefined || !passes) {
      showInEditor(editor, report, true);
      nameSubject(report);
    }
    const busy = results.dataset.kind === "submission" || results.matches(":focus-within");
    if (!busy && !report.problems.length) showReport(report, "run", true); // a half-written line has no report
  };

  const now = async () => {
    if (!box?.checked || !free() || editor.text() === last) return;
    if (editor.text().trim() === data.starter.trim()) return say("wait", "");
    cancel();
    const source = editor.text(),
      mine = new AbortController();
    stop = mine;
    const late = setTimeout(() => say("clock", "The connection is slow"), slow);
    try {
      const body = {source, live: true, html: true, ...traced()};
      const {data: report} = await call<Report>("POST", address(data, "runs"), {body, signal: mine.signal});
      if (editor.text() === source && stop === mine) {
        last = source;
        show(report);
      }
    } catch (error) {
      if (mine.signal.aborted) return;
      if (!(error instanceof Refusal)) throw error;
      failed(error);
    } finally {
      clearTimeout(late);
      if (stop === mine) stop = null;
    }
  };

  const failed = ({trouble}: Refusal) => {
    if (trouble.kind === "offline") say("wifi", "Offline: live runs wait");
    else say("clock", "The line is full: live runs wait");
    if (trouble.retryAfter) timer = window.setTimeout(() => void now(), trouble.retryAfter * 1000);
  };

  const typed = () => {
    cancel();
    if (box?.checked) timer = window.setTimeout(() => void now(), pause);
  };

  if (box) {
    box.checked = recall("live") !== "off";
    box.addEventListener("change", () => {
      keep("live", box.checked ? "on" : "off");
      if (box.checked) return void now();
      cancel();
      say("wait", "");
    });
  }
  addEventListener("online", () => void now());
  const yields = () => {
    cancel();
    say("wait", "");
  };
  return {typed, yield: yields, now: () => void now()};
}
