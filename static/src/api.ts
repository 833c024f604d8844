/** The server's interface, and its refusals as sentences: what happened, that the work is kept, what to do. */

export type Trouble = {
  kind: "offline" | "slow" | "too_long" | "too_many" | "full" | "old_page" | "not_yet" | "ours" | "refused";
  title: string;
  detail: string;
  /** Seconds after which it makes sense to ask again, where the server named them. */
  retryAfter: number | null;
  /** The id our log knows it by. */
  id: string | null;
};

/** Thrown by `call` for everything but an answer. */
export class Refusal extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble.title);
  }
}

export type Answer<T> = {status: number; data: T; location: string | null; retryAfter: number | null};

type Problem = {title?: string; detail?: string; error_id?: string; id?: string};

const patience = 30_000;

function trouble(kind: Trouble["kind"], title: string, detail: string, rest: Partial<Trouble> = {}): Trouble {
  return {kind, title, detail, retryAfter: null, id: null, ...rest};
}

/** What a refusal means to the person in front of the page. */
function explain(status: number, problem: Problem, retryAfter: number | null): Trouble {
  const detail = problem.detail ?? problem.title ?? "";
  const id = problem.error_id ?? problem.id ?? null;
  switch (status) {
    case 413: return trouble("too_long", detail || "Your code is longer than 64 KiB.", "Nothing was sent. Is there an array pasted into it?");
    case 429: return trouble("too_many", detail || "You are quicker than the line.", "Your code is kept.", {retryAfter: retryAfter ?? 5});
    case 503: return trouble("full", detail || "The line is full.", "Your code is kept; the time you pressed counts.", {retryAfter: retryAfter ?? 8});
    case 404: case 405: case 410:
      return trouble("old_page", "This page is from an older version.", "Your code is kept. Load the page again to go on.");
    case 403: case 409: return trouble("not_yet", detail || "That is not open yet.", "");
    default:
      return status >= 500
        ? trouble("ours", "Something broke on our side.", "This one is on us; your code is kept and nothing is counted.", {id, retryAfter})
        : trouble("refused", detail || "The server could not read that.", "Your code is kept.");
  }
}

function seconds(response: Response): number | null {
  const header = Number(response.headers.get("retry-after"));
  return Number.isFinite(header) && header > 0 ? header : null;
}

async function refuse(response: Response): Promise<never> {
  const problem = await response.json().catch(() => ({})) as Problem;
  throw new Refusal(explain(response.status, problem, seconds(response)));
}

/** What a failed fetch means; an abort by the learner is passed on as it is. */
function unreachable(error: unknown, signal: AbortSignal | undefined): never {
  if (signal?.aborted) throw error;
  if (error instanceof DOMException && error.name === "TimeoutError")
    throw new Refusal(trouble("slow", "The server has not answered for 30 seconds.", "Your code is kept on this device."));
  throw new Refusal(navigator.onLine === false
    ? trouble("offline", "You are offline.", "Typing goes on; everything is kept on this device and sent when you are back.")
    : trouble("offline", "The server does not answer.", "Typing goes on; everything is kept on this device.", {retryAfter: 8}));
}

/** Both reasons to stop: the learner's, and ours to wait no longer. */
function stops(signal?: AbortSignal): AbortSignal {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException("late", "TimeoutError")), patience);
  signal?.addEventListener("abort", () => { clearTimeout(timer); late.abort(signal.reason); });
  return late.signal;
}

export type Asking = {body?: object; signal?: AbortSignal; keepalive?: boolean; headers?: Record<string, string>};

/** Asks the server for JSON; throws `Refusal` for anything but a 2xx, and AbortError when cancelled. */
export async function call<T>(method: string, path: string, asking: Asking = {}): Promise<Answer<T>> {
  const {body, signal, keepalive = false} = asking;
  const headers: Record<string, string> = {accept: "application/json", ...asking.headers};
  if (body) headers["content-type"] = "application/json";
  const response = await fetch(path, {
    method, headers, keepalive, signal: stops(signal), credentials: "same-origin", body: body ? JSON.stringify(body) : null,
  }).catch((error: unknown) => unreachable(error, signal));
  if (!response.ok) return refuse(response);
  const data = (response.status === 204 ? {} : await response.json()) as T;
  return {status: response.status, data, location: response.headers.get("location"), retryAfter: seconds(response)};
}

/** Waits; rejects at once when cancelled. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, stop) => {
    if (signal?.aborted) return stop(signal.reason as Error);
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", () => { clearTimeout(timer); stop(signal.reason as Error); });
  });
}
