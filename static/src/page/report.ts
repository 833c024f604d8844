/** The report on the page: the server's own HTML put in place, its facts shown in the editor, one sentence said. */

import type {Editor} from "../editor/editor";
import {type Problem, showProblems} from "../editor/problems";
import {showTrace, type Trace} from "../editor/shapes";
import {shapesOff} from "../work/subject";
import {announce} from "./announce";
import {all, find, make} from "./dom";
import {parts, stacked} from "./parts";

/** One result of a report, as far as the page's script needs it. */
type TestResult = {
  name: string;
  visible: boolean;
  verdict: string;
  message: string;
  help: string;
  line: number | null;
  column?: number | null;
  end_column?: number | null;
  note?: string;
  original?: string;
};

/** A report, format 1, with the server's rendering of it. */
export type Report = {
  digest: string;
  submission: string | null;
  verdict: string;
  passed: number;
  total: number;
  message: string;
  subject?: string | null;
  tests: TestResult[];
  problems: Problem[];
  trace: Trace | null;
  diagnosis?: {mistakes?: {line: number | null}[]} | null;
  html: string;
};

const stops = new Set(["runtime_error", "time_limit", "memory_limit", "output_limit", "sandbox_killed"]);

/** What is wrong at a place in the text: what keeps it from running, else the first line that stopped. */
export function placedProblems(report: Report): Problem[] {
  if (report.problems.length) return report.problems;
  const off = report.tests.filter(test => test.line && stops.has(test.verdict));
  const stopped = off.find(test => test.name === report.subject) ?? (report.subject ? undefined : off[0]);
  if (!stopped) return [];
  const {note, message, help} = stopped;
  return [{...stopped, kind: "stopped", message: note ?? message, instead: note ? "" : help}];
}

/** The lines of mistakes that the report lists by number: of several, not of one alone. */
export function numbered(report: Report): (number | null)[] {
  const mistakes = report.diagnosis?.mistakes ?? [];
  return mistakes.length < 2 ? [] : mistakes.map(mistake => mistake.line);
}

/** Shapes, problems and the first difference, beside the lines they belong to; `quiet` while somebody writes. */
export function showInEditor(editor: Editor, report: Report, quiet = false): void {
  showProblems(editor.view, placedProblems(report), quiet && editor.view.hasFocus);
  const hidden = report.problems.length > 0 || shapesOff();
  showTrace(editor.view, hidden ? null : report.trace, hidden ? [] : numbered(report));
}

/** The children of the server's report, and the sentence it would have said. */
function parse(html: string): {children: Node[]; sentence: string; headline: string} {
  const template = make("template");
  template.innerHTML = html;
  const root = template.content.querySelector("#results") ?? template.content;
  const said = root.querySelector("[role=status]");
  const sentence = said?.textContent?.trim() ?? "";
  said?.remove(); // the page has one live region of its own
  return {
    children: [...root.childNodes],
    sentence,
    headline: root.querySelector(".headline")?.textContent?.trim() ?? "",
  };
}

/** Which rows of the six are open, so that a quiet update leaves them as they are. */
function openRows(results: HTMLElement): Set<number> {
  return new Set(all<HTMLDetailsElement>(".tests details", results).flatMap((row, i) => (row.open ? [i] : [])));
}

/** Puts the new report around the form of own input, where there is one: what was typed there stays, and who is in it. */
function replaceAround(results: HTMLElement, children: Node[]): void {
  const kept = find("details.own", results);
  const at = children.findIndex(child => child instanceof HTMLElement && child.matches("details.own"));
  if (!kept || kept.parentNode !== results || at < 0) {
    results.replaceChildren(...children);
    return;
  }
  for (const child of [...results.childNodes]) if (child !== kept) child.remove();
  kept.before(...children.slice(0, at));
  kept.after(...children.slice(at + 1));
}

function score({verdict, passed, total}: Report, kind: "run" | "submission"): string {
  if (verdict === "grader_error") return "Not judged.";
  if (verdict === "syntax_error" || verdict === "policy_error") return "Not run.";
  return `${passed} of ${total} ${kind === "run" ? "examples equal" : "test cases passed"}.`;
}

const SETTLES_MS = 1500;

/** Puts a report in place. A quiet one keeps scroll, open rows and its tongue; a loud one begins at its top. */
export function showReport(report: Report, kind: "run" | "submission", quiet: boolean): void {
  const results = parts.results();
  const {children, sentence, headline} = parse(report.html);
  const rows = openRows(results),
    top = results.scrollTop,
    had = results.dataset.kind === kind;
  results.classList.toggle("quiet", quiet);
  replaceAround(results, children);
  results.dataset.kind = kind;
  results.toggleAttribute("data-accepted", report.passed === report.total);
  delete results.dataset.old;
  if (quiet) {
    if (had)
      all<HTMLDetailsElement>(".tests details", results).forEach((row, i) => {
        row.open = rows.has(i);
      });
    results.scrollTop = top;
    return;
  }
  results.scrollTop = 0;
  announce(sentence || `${score(report, kind)} ${headline}`);
  if (stacked()) bringUp(results);
}

/** Scrolls to the report of a narrow page, also where what stands above it changes its height a moment later. */
function bringUp(results: HTMLElement): void {
  const scroll = () => results.scrollIntoView({block: "start"}),
    moved = new AbortController(),
    watch = new ResizeObserver(scroll),
    end = () => {
      watch.disconnect();
      moved.abort();
    };
  scroll();
  watch.observe(document.body);
  for (const hand of ["wheel", "touchstart", "pointerdown", "keydown"])
    addEventListener(hand, end, {signal: moved.signal, passive: true});
  setTimeout(end, SETTLES_MS);
}

/** The result in the window's title, for those who went to another tab meanwhile. */
export function titleOf(report: Report, title: string): string {
  return `${report.passed} of ${report.total} · ${title} · ML Grind`;
}

/** Leads from a line named in the report to that line in the editor. */
export function setUpLineLinks(editor: Editor): void {
  document.addEventListener("click", event => {
    const link = (event.target as Element).closest<HTMLElement>("[data-line]");
    if (!link) return;
    event.preventDefault();
    editor.goTo(Number(link.dataset.line), Number(link.dataset.column) || 1);
  });
}

/** Marks a report as being of earlier code, once. */
export function markOld(): void {
  const results = parts.results();
  if (results.dataset.kind && !find("[aria-busy]", results)) results.dataset.old = "";
}
