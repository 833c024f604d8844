/** The server's interface, and its refusals as sentences: what happened, that the work is kept, what to do. */

import {storageKept} from "./keeping";

export type Trouble = {
  kind: "offline" | "slow" | "too_long" | "too_many" | "full" | "old_page" | "not_yet" | "ask" | "ours" | "refused";
  title: string;
  detail: string;
  /** Seconds after which it makes sense to ask again, where the server named them. */
  retryAfter: number | null;
  /** The id our log knows it by. */
  id: string | null;
  /** Where a class is asked something before this is done: the words of the button that says yes. */
  yes: string | null;
  /** Where the moment of a try matters: sent along with it later, this makes it the moment of now. */
  attempt: string | null;
};

/** Thrown by `call` for everything but an answer. */
export class Refusal extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble.title);
  }
}

export type Answer<T> = {status: number; data: T; location: string | null; retryAfter: number | null};

/** RFC 9457 problem details, as this server writes them. */
type Problem = {title?: string; detail?: string; request_id?: string; question?: string; attempt?: string};

const patience = 30_000;

function trouble(kind: Trouble["kind"], title: string, detail: string, rest: Partial<Trouble> = {}): Trouble {
  return {kind, title, detail, retryAfter: null, id: null, yes: null, attempt: null, ...rest};
}

const kept = "Your code is kept.";

/** What of a text that did not reach the server: true of this device, and only said where it is. */
function here(): string {
  return storageKept()
    ? "everything is kept on this device"
    : "this device keeps nothing, so leave this page open or copy your code";
}

/** What a refusal means to the person in front of the page: the server's own words, and that nothing is lost. */
function explain(status: number, problem: Problem, retryAfter: number | null): Trouble {
  const {title = "", detail = "", request_id, question, attempt = null} = problem;
  if (question) return trouble("ask", title, detail, {yes: question});
  switch (status) {
    case 413:
      return trouble(
        "too_long",
        title || "Your code is longer than 64 KiB.",
        `${kept} Is there an array pasted into it?`,
      );
    case 429:
      return trouble("too_many", title || "That was a lot at once.", detail || kept, {
        retryAfter: retryAfter ?? 5,
        attempt,
      });
    case 503:
      return trouble("full", title || "The line is full.", detail || `${kept} The time you pressed counts.`, {
        retryAfter: retryAfter ?? 8,
        attempt,
      });
    case 404:
    case 405:
    case 410:
      return trouble("old_page", "This page is from an older version.", `${kept} Load the page again to go on.`);
    case 403:
    case 409:
      return trouble("not_yet", detail || title || "That is not open yet.", "");
    case 500:
    case 502:
    case 504:
      return trouble(
        "ours",
        "Something broke on our side.",
        "This one is on us; your code is kept and nothing is counted.",
        {id: request_id ?? null},
      );
    default:
      return trouble("refused", title || "The server could not read that.", detail || kept);
  }
}

function seconds(response: Response): number | null {
  const header = Number(response.headers.get("retry-after"));
  return Number.isFinite(header) && header > 0 ? header : null;
}

async function refuse(response: Response): Promise<never> {
  const problem = (await response.json().catch(() => ({}))) as Problem;
  throw new Refusal(explain(response.status, problem, seconds(response)));
}

/** What a failed fetch means; an abort by the learner is passed on as it is. */
function unreachable(error: unknown, signal: AbortSignal | undefined): never {
  if (signal?.aborted) throw error;
  if (error instanceof DOMException && error.name === "TimeoutError")
    throw new Refusal(
      trouble("slow", "The server has not answered for 30 seconds.", `Your code did not arrive; ${here()}.`),
    );
  throw new Refusal(
    navigator.onLine === false
      ? trouble("offline", "You are offline.", `You can keep typing; ${here()}. It is sent when you are back.`)
      : trouble("offline", "The server does not answer.", `You can keep typing; ${here()}.`, {
          retryAfter: 8,
        }),
  );
}

/** Both reasons to stop: the learner's, and ours to wait no longer. */
function stops(signal?: AbortSignal): AbortSignal {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException("late", "TimeoutError")), patience);
  signal?.addEventListener("abort", () => {
    clearTimeout(timer);
    late.abort(signal.reason);
  });
  return late.signal;
}

export type Asking = {body?: object; signal?: AbortSignal; keepalive?: boolean; headers?: Record<string, string>};

/** Said on the document when the server has answered: what a note says of its silence is over. */
export const answered = "answered";

/** Asks the server for JSON; throws `Refusal` for anything but a 2xx, and AbortError when cancelled. */
export async function call<T>(method: string, path: string, asking: Asking = {}): Promise<Answer<T>> {
  const {body, signal, keepalive = false} = asking;
  const headers: Record<string, string> = {accept: "application/json", ...asking.headers};
  if (body) headers["content-type"] = "application/json";
  const response = await fetch(path, {
    method,
    headers,
    keepalive,
    signal: stops(signal),
    credentials: "same-origin",
    body: body ? JSON.stringify(body) : null,
  }).catch((error: unknown) => unreachable(error, signal));
  document.dispatchEvent(new Event(answered));
  if (!response.ok) return refuse(response);
  const data = (response.status === 204 ? {} : await response.json()) as T;
  return {status: response.status, data, location: response.headers.get("location"), retryAfter: seconds(response)};
}

/** Waits; rejects at once when cancelled. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, stop) => {
    if (signal?.aborted) return stop(signal.reason as Error);
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      stop(signal.reason as Error);
    });
  });
}
