/** Run and submit: sends the text, waits in line where there is one, puts the report in place, tries again when full.
 *
 * A submission carries one Idempotency-Key through all its tries, so that none is judged twice.
 */
import {announce} from "./announce";
import {type Answer, call, Refusal, wait} from "./api";
import {button, icon, make} from "./dom";
import type {Editor} from "./editor";
import {freshen} from "./freshen";
import {dropNote, noteOf, showNote} from "./notes";
import {address, type PageData, parts} from "./page";
import {type Report, showInEditor, showReport, titleOf} from "./report";
import {randomName} from "./storage";

type InLine = {id?: string; submission?: string; place?: number | null; read_token?: string; seconds?: number | null};
type Job = {kind: "run" | "submission"; source: string; key: string; stop: AbortController};

const bytes = 64 * 1024;
const flash = 150; // ms that pass before the page says it is busy: most answers are quicker

export type Judge = {run: () => Promise<void>; submit: () => Promise<void>; cancel: () => void; busy: () => boolean};

function place(job: InLine): void {
  const about = job.seconds ? `About ${job.seconds} seconds. ` : "";
  const fact = job.place ? `You are number ${job.place} in the line.` : "Your submission is being judged.";
  showNote("line", {kind: "still", icon: "clock", fact, rest: `${about}You can go on typing.`});
}

/** Asks for a submission's report until it is there. */
async function inLine(first: Answer<InLine>, signal: AbortSignal): Promise<Report> {
  const path = first.location ?? `/api/submissions/${first.data.submission ?? first.data.id}`;
  const query = `${path}${path.includes("?") ? "&" : "?"}html=true`;
  let answer = first, before: number | null | undefined;
  while (answer.status === 202) {
    if (answer.data.place !== before) place(answer.data);
    before = answer.data.place;
    await wait((answer.retryAfter ?? 1) * 1000, signal);
    answer = await call<InLine>("GET", query, {signal});
  }
  dropNote("line");
  return answer.data as unknown as Report;
}

async function ask(data: PageData, job: Job): Promise<Report> {
  const {source, key, stop: {signal}} = job;
  if (new TextEncoder().encode(source).length > bytes) throw tooLong(source);
  if (job.kind === "run") {
    const traced = parts.shapesFrom()?.value;
    return (await call<Report>("POST", address(data, "runs"), {body: {source, html: true, ...(traced && {trace: traced})}, signal})).data;
  }
  const answer = await call<Report & InLine>("POST", address(data, "submissions"), {body: {source, html: true}, signal, headers: {"idempotency-key": key}});
  return answer.status === 202 ? inLine(answer, signal) : answer.data;
}

function tooLong(source: string): Refusal {
  const size = Math.ceil(new TextEncoder().encode(source).length / 1024);
  return new Refusal({
    kind: "too_long", title: `Your code is ${size} KiB; the limit is 64 KiB.`,
    detail: "Nothing was sent. Is there an array pasted into it?", retryAfter: null, id: null,
  });
}

/** Counts the seconds down in the note, then goes on; "Try now" goes on at once. */
async function countDown(refusal: Refusal, signal: AbortSignal, cancel: () => void): Promise<void> {
  let hurry = () => {};
  const hurried = new Promise<void>(done => { hurry = done; });
  const buttons = [button("Try now", () => hurry()), button("Stop trying", cancel)];
  const first = refusal.trouble.retryAfter ?? 8;
  for (let left = first; left > 0; left--) {
    const trouble = {...refusal.trouble, detail: `We try again in ${left} ${left === 1 ? "second" : "seconds"}. ${refusal.trouble.detail}`};
    if (left === first) showNote("judge", noteOf(trouble, buttons));
    else document.querySelector("[data-subject=judge] b")!.nextSibling!.textContent = ` ${trouble.detail}`;
    if (await Promise.race([wait(1000, signal).then(() => false), hurried.then(() => true)])) return;
  }
}

/** Waits for the network; what was pressed is sent when it is back. */
async function untilOnline(kind: Job["kind"], signal: AbortSignal, cancel: () => void): Promise<void> {
  showNote("judge", {
    kind: "still", icon: "wifi", fact: kind === "run" ? "The run waits until you are online again." : "The submission waits until you are online again.",
    buttons: [button("Stop waiting", cancel)],
  });
  await new Promise<void>((done, stop) => {
    addEventListener("online", () => done(), {once: true});
    signal.addEventListener("abort", () => stop(signal.reason as Error));
  });
}

/** Shows that it runs: rows turn, Run becomes Cancel, and readers hear it; never for less than a blink. */
function showBusy(job: Job, cancel: () => void): () => void {
  const results = parts.results(), run = parts.run();
  const stopper = make("button", {class: "button", type: "button", "data-cancel": ""}, icon("stop"), "Cancel");
  stopper.addEventListener("click", cancel);
  const timer = setTimeout(() => {
    results.setAttribute("aria-busy", "true");
    run?.before(stopper);
    if (run) run.hidden = true;
    if (document.activeElement === run) stopper.focus();
    announce(job.kind === "run" ? "Running." : "Judging.");
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

/** A report of another version of the exercise: what the page shows is no longer what is judged. */
function changed(data: PageData, report: Report): void {
  if (report.digest === data.digest || !report.digest) return;
  showNote("digest", {
    kind: "still", icon: "refresh", fact: "This exercise has changed since you opened it.", quiet: true,
    rest: "Your code is kept. Load the page again to read it as it is now.", buttons: [button("Load again", () => location.reload())],
  });
}

/** Makes the two actions. `before` hears of each, so that live runs stand back. */
export function createJudge(data: PageData, editor: Editor, before: () => void): Judge {
  let current: Job | null = null;

  const cancel = () => {
    if (!current) return;
    current.stop.abort(new DOMException("cancelled", "AbortError"));
    dropNote("line");
    dropNote("judge");
    showNote("cancelled", current.kind === "run"
      ? {kind: "still", icon: "stop", fact: "Run cancelled.", rest: "Nothing is recorded."}
      : {kind: "still", icon: "stop", fact: "No longer waiting.", rest: "A submission that was sent is judged all the same; it will stand under Submissions."});
  };

  const done = (job: Job, report: Report) => {
    for (const subject of ["judge", "line"]) dropNote(subject);
    showReport(report, job.kind, false);
    if (editor.text() === job.source) showInEditor(editor, report);
    changed(data, report);
    if (job.kind === "run") return;
    document.title = titleOf(report, data.title);
    void freshen();
  };

  /** True when it is settled, false when it should be tried again. */
  const attempt = async (job: Job): Promise<boolean> => {
    try {
      done(job, await ask(data, job));
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.trouble.kind === "offline" && navigator.onLine === false) {
        await untilOnline(job.kind, job.stop.signal, cancel);
        return false;
      }
      if (error.trouble.retryAfter === null) {
        const reload = error.trouble.kind === "old_page" ? [button("Load again", () => location.reload())] : [button("Try again", () => void start(job.kind))];
        showNote("judge", noteOf(error.trouble, error.trouble.kind === "too_long" ? [] : reload));
        return true;
      }
      await countDown(error, job.stop.signal, cancel);
      return false;
    }
  };

  const start = async (kind: Job["kind"]) => {
    const source = editor.text();
    if (current?.kind === kind && current.source === source) return announce("Still running.");
    current?.stop.abort(new DOMException("newer", "AbortError"));
    before();
    for (const subject of ["judge", "line", "cancelled"]) dropNote(subject);
    const job = current = {kind, source, key: randomName(), stop: new AbortController()};
    const idle = showBusy(job, cancel);
    try {
      while (!await attempt(job));
    } catch (error) {
      if (!job.stop.signal.aborted) throw error;
    } finally {
      idle();
      if (current === job) current = null;
    }
  };

  return {run: () => start("run"), submit: () => start("submission"), cancel, busy: () => current !== null};
}
