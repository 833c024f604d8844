/** Waiting: a submission's place in line, a full line counted down, a network that is away. */
import {type Answer, call, type Refusal, wait} from "../page/api";
import {button} from "../page/dom";
import {dropNote, noteOf, showNote} from "../page/notes";
import type {Report} from "../page/report";

/** What the server says of a submission that is not judged yet. */
export type InLine = {submission: string; place: number | null; read_token: string};

const breath = 200; // ms between two questions; the server itself waits for the report for two seconds

function showPlace(place: number | null): void {
  const fact = place ? `You are number ${place} in the line.` : "Your submission is being judged.";
  showNote("line", {kind: "still", icon: "clock", fact, rest: "You can keep typing."});
}

/** Asks for a submission's report until it is there; the note tells each new place. */
export async function reportOf(first: Answer<InLine>, signal: AbortSignal): Promise<Report> {
  const query = `${first.location}?html=true&apart=true&wait=2&read_token=${encodeURIComponent(first.data.read_token)}`;
  let answer: Answer<InLine | Report> = first;
  let before: number | null | undefined;
  while (answer.status === 202) {
    const {place} = answer.data as InLine;
    if (place !== before) showPlace(place);
    before = place;
    await wait(breath, signal);
    answer = await call<InLine | Report>("GET", query, {signal});
  }
  dropNote("line");
  return answer.data as Report;
}

/** Counts the seconds down in the note, then goes on; "Try now" goes on at once. */
export async function countDown({trouble}: Refusal, signal: AbortSignal, cancel: () => void): Promise<void> {
  let hurry = () => {};
  const hurried = new Promise<boolean>(done => {
    hurry = () => done(true);
  });
  const buttons = [button("Try now", () => hurry()), button("Stop trying", cancel)];
  const words = (left: number) => `Trying again in ${left} ${left === 1 ? "second" : "seconds"}. ${trouble.detail}`;
  const first = trouble.retryAfter ?? 8;
  const note = showNote("judge", noteOf({...trouble, detail: words(first)}, buttons));
  for (let left = first; left > 0; left--) {
    note.querySelector("p b")!.nextSibling!.textContent = ` ${words(left)}`; // seen, and said only once
    if (await Promise.race([wait(1000, signal).then(() => false), hurried])) return;
  }
}

/** Waits for the network; what was pressed is sent when it is back. */
export async function untilOnline(what: "run" | "submission", signal: AbortSignal, cancel: () => void): Promise<void> {
  showNote("judge", {
    kind: "still",
    icon: "wifi",
    fact: `The ${what} waits until you are online again.`,
    buttons: [button("Stop waiting", cancel)],
  });
  await new Promise<void>((done, stop) => {
    addEventListener("online", () => done(), {once: true});
    signal.addEventListener("abort", () => stop(signal.reason as Error));
  });
  dropNote("judge");
}
