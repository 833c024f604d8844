/** Run and submit: sends the text, waits where there is a line, puts the report in place, tries again when refused.
 *
 * A submission carries one Idempotency-Key through all its tries, so that none is judged twice.
 */

import type {Editor} from "../editor/editor";
import {showTrace} from "../editor/shapes";
import {announce} from "../page/announce";
import {type Answer, call, Refusal} from "../page/api";
import {button, find, icon, make} from "../page/dom";
import {freshen} from "../page/freshen";
import {dropNote, noteOf, showNote} from "../page/notes";
import {address, type PageData, parts} from "../page/parts";
import {numbered, type Report, showInEditor, showReport, titleOf} from "../page/report";
import {randomName} from "../page/storage";
import {saysYes} from "./asking";
import {countDown, type InLine, reportOf, untilOnline} from "./queue";
import {lookAgain} from "./second";
import {forgetChoice, nameSubject, shapesOff, traced} from "./subject";

type Kind = "run" | "submission";
/** `sure` once the learner said yes to what a class asks first; `attempt` says when it was pressed (see Trouble). */
type Job = {
  kind: Kind;
  source: string;
  key: string;
  stop: AbortController;
  sent?: Answer<InLine>;
  sure?: boolean;
  attempt?: string;
};

const most = 64 * 1024; // bytes of a source
const flash = 150; // ms that pass before the page says it is busy: most answers are quicker

/** `resume` goes on waiting for the submission in line that the page came with. */
/** `look` shows the shapes of the case that was chosen. */
export type Judge = {
  run: () => Promise<void>;
  submit: () => Promise<void>;
  look: () => Promise<void>;
  resume: () => void;
  busy: () => boolean;
};

function tooLong(bytes: number): Refusal {
  return new Refusal({
    kind: "too_long",
    title: `Your code is ${Math.ceil(bytes / 1024)} KiB; the limit is 64 KiB.`,
    detail: "Nothing was sent. Is there an array pasted into it?",
    retryAfter: null,
    id: null,
    yes: null,
    attempt: null,
  });
}

/** Sends one job and gives its report, however long that takes. */
async function ask(data: PageData, job: Job): Promise<Report> {
  const {kind, source, key, sent, attempt} = job;
  const {signal} = job.stop;
  if (sent) return reportOf(sent, signal);
  const bytes = new TextEncoder().encode(source).length;
  if (bytes > most) throw tooLong(bytes);
  if (kind === "run") {
    const body = {source, html: true, ...traced()};
    return (await call<Report>("POST", address(data, "runs"), {body, signal})).data;
  }
  forgetChoice();
  const name = find<HTMLInputElement>("#learner-name")?.value;
  const body = {source, html: true, apart: true, name, ask: !job.sure, attempt};
  const asking = {body, signal, headers: {"idempotency-key": key}};
  const answer = await call<Report | InLine>("POST", address(data, "submissions"), asking);
  return answer.status === 202 ? reportOf({...answer, data: answer.data as InLine}, signal) : (answer.data as Report);
}

/** Shows that it runs: rows turn, Run becomes Cancel, and readers hear it; never for less than a blink. */
function showBusy(kind: Kind, cancel: () => void): () => void {
  const results = parts.results(),
    run = parts.run();
  const stopper = make("button", {class: "button", type: "button", "data-cancel": ""}, icon("stop"), "Cancel");
  stopper.addEventListener("click", cancel);
  const timer = setTimeout(() => {
    results.setAttribute("aria-busy", "true");
    const focused = document.activeElement === run;
    run?.before(stopper);
    if (run) run.hidden = true;
    if (focused) stopper.focus();
    announce(kind === "run" ? "Running." : "Judging.");
  }, flash);
  return () => {
    clearTimeout(timer);
    results.removeAttribute("aria-busy");
    const focused = document.activeElement === stopper;
    stopper.remove();
    if (run) run.hidden = false;
    if (focused) run?.focus();
  };
}

function reloader(): HTMLButtonElement {
  return button("Load again", () => location.reload());
}

/** A report of another version of the exercise: what the page shows is no longer what is judged. */
function tellOfChange(data: PageData, report: Report): void {
  if (!report.digest || report.digest === data.digest) return;
  showNote("digest", {
    kind: "still",
    icon: "refresh",
    fact: "This exercise has changed since you opened it.",
    quiet: true,
    rest: "Your code is kept. Load the page again to read it as it is now.",
    buttons: [reloader()],
  });
}

const cancelled = {
  run: {kind: "still", icon: "stop", fact: "Run cancelled.", rest: "Nothing is recorded."},
  submission: {
    kind: "still",
    icon: "stop",
    fact: "No longer waiting.",
    rest: "If it was sent already, it will still be judged; you will find it under Submissions.",
  },
} as const;

/** The submission in line that the page shows, where it shows one. */
function sentBefore(): Answer<InLine> | null {
  const shown = find("[data-in-line]", parts.results());
  if (!shown) return null;
  const submission = shown.dataset.inLine!,
    read_token = shown.dataset.token ?? "";
  const data = {submission, place: Number(shown.dataset.place) || null, read_token};
  return {status: 202, location: `/api/submissions/${submission}`, retryAfter: null, data};
}

/** The shapes beside a report that stays: of code that passed, or of the case chosen beside a list of mistakes. */
async function showShapes(
  data: PageData,
  editor: Editor,
  source: string,
  mistakes: (number | null)[] = [],
): Promise<void> {
  if (shapesOff()) return;
  try {
    const {data: run} = await call<Report>("POST", address(data, "runs"), {body: {source, live: true, ...traced()}});
    if (editor.text() !== source) return;
    showTrace(editor.view, run.trace, mistakes);
    nameSubject(run);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // without them nothing is missing
  }
}

/** One try after another, one job at a time. */
class JobRunner {
  current: Job | null = null;
  private listed: {source: string; lines: (number | null)[]} | null = null; // mistakes by number, of the report shown

  constructor(
    private readonly data: PageData,
    private readonly editor: Editor,
    private readonly before: () => void,
  ) {}

  /** Shows the chosen case's shapes: beside the numbers of several mistakes, which no run could tell; else by a run. */
  async look(): Promise<void> {
    if (this.listed?.source !== this.editor.text() || this.current) return this.start("run");
    await showShapes(this.data, this.editor, this.listed.source, this.listed.lines);
  }

  /** Starts a job in place of the one before; the same text again is the same job. */
  async start(kind: Kind, sent?: Answer<InLine>): Promise<void> {
    const source = this.editor.text();
    if (this.current?.kind === kind && this.current.source === source) return announce("Still running.");
    this.current?.stop.abort(new DOMException("newer", "AbortError"));
    this.before();
    for (const subject of ["judge", "line", "cancelled"]) dropNote(subject);
    const job: Job = {kind, source, key: randomName(), stop: new AbortController(), sent};
    this.current = job;
    const idle = showBusy(kind, () => this.cancel());
    try {
      while (!(await this.settled(job))) parts.results().setAttribute("aria-busy", "true");
    } catch (error) {
      if (!job.stop.signal.aborted) throw error;
    } finally {
      idle();
      if (this.current === job) this.current = null;
    }
  }

  private cancel(): void {
    if (!this.current) return;
    this.current.stop.abort(new DOMException("cancelled", "AbortError"));
    for (const subject of ["judge", "line"]) dropNote(subject);
    showNote("cancelled", cancelled[this.current.kind]);
  }

  /** True when the job is over, false when it should be tried again. */
  private async settled(job: Job): Promise<boolean> {
    try {
      this.done(job, await ask(this.data, job));
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.refused(job, error);
    }
  }

  private done({kind, source}: Job, report: Report): void {
    for (const subject of ["judge", "line"]) dropNote(subject);
    showReport(report, kind, false);
    nameSubject(report);
    const lines = kind === "submission" ? numbered(report) : [];
    this.listed = lines.length ? {source, lines} : null;
    if (this.editor.text() === source) showInEditor(this.editor, report);
    tellOfChange(this.data, report);
    if (kind === "run") return;
    if (report.passed === report.total) void showShapes(this.data, this.editor, source);
    document.title = titleOf(report, this.data.title);
    void freshen();
    void lookAgain();
  }

  private async refused(job: Job, refusal: Refusal): Promise<boolean> {
    const {kind, stop} = job,
      {signal} = stop;
    parts.results().removeAttribute("aria-busy"); // nothing runs while one waits
    const {trouble} = refusal,
      cancel = () => this.cancel();
    if (trouble.kind === "ask") {
      job.sure = await saysYes(trouble, signal);
      return !job.sure;
    }
    if (trouble.attempt) job.attempt = trouble.attempt;
    if (trouble.kind === "offline" && navigator.onLine === false) {
      await untilOnline(kind, signal, cancel);
      return false;
    }
    if (trouble.retryAfter !== null) {
      await countDown(refusal, signal, cancel);
      return false;
    }
    const name = find<HTMLInputElement>("#learner-name");
    if (trouble.kind === "refused" && name && !name.value.trim()) name.focus();
    const again = trouble.kind === "old_page" ? reloader() : button("Try again", () => void this.start(kind));
    showNote("judge", noteOf(trouble, ["too_long", "not_yet"].includes(trouble.kind) ? [] : [again]));
    return true;
  }
}

/** Makes the two actions. `before` hears of each, so that live runs stand back. */
export function createJudge(data: PageData, editor: Editor, before: () => void): Judge {
  const runner = new JobRunner(data, editor, before);
  const resume = () => {
    const waiting = sentBefore();
    if (waiting) void runner.start("submission", waiting);
  };
  return {
    run: () => runner.start("run"),
    submit: () => runner.start("submission"),
    look: () => runner.look(),
    resume,
    busy: () => runner.current !== null,
  };
}
