/** The texts of one exercise that this device keeps: one for each page that was typed in, never merged.
 *
 * Every load of the page writes under an id of its own, so two tabs never write over each other.
 */
import type {RemoteDraft} from "../page/parts";
import {forget, keep, keysOf, recall} from "../page/storage";

/** A text on this device. `version` is the server's last one of it, or of what it grew out of; `sentAt` is when the
 *  server last said that it has it. */
export type Local = {
  id: string;
  source: string;
  at: number;
  version: string | null;
  sent: boolean;
  sentAt?: number;
  learner: string;
};

/** A text that could be opened, wherever it was kept. */
export type Candidate = {source: string; at: number; version: string | null; name: string; sent: boolean; id: string};

const most = 12;

function key(slug: string, id: string): string {
  return `draft:${slug}:${id}`;
}

/** Whether a storage event is about this exercise; then the text it is about. */
export function localOf(slug: string, event: StorageEvent): Local | null {
  return event.key?.startsWith(key(slug, "")) && event.newValue ? (JSON.parse(event.newValue) as Local) : null;
}

/** Keeps a text; false where it will not outlive the page. */
export function put(slug: string, local: Local): boolean {
  return keep(key(slug, local.id), JSON.stringify(local));
}

/** All texts of an exercise on this device, newest first; what cannot be read is passed over. */
export function locals(slug: string): Local[] {
  return keysOf(key(slug, ""))
    .flatMap(each => {
      try {
        return [JSON.parse(recall(each) ?? "") as Local];
      } catch {
        return [];
      }
    })
    .sort((a, b) => b.at - a.at);
}

/** Forgets a text. */
export function drop(slug: string, id: string): void {
  forget(key(slug, id));
}

function named(at: number): string {
  const day = new Date(at).toLocaleDateString("en-GB", {day: "numeric", month: "short"});
  return `Draft of ${day}, ${new Date(at).toLocaleTimeString("en-GB")}`;
}

function ofRemote(draft: RemoteDraft, ahead: number): Candidate {
  const at = Date.parse(draft.saved_at) + ahead;
  return {source: draft.source, at, version: draft.version, name: named(at), sent: true, id: draft.device};
}

/** A draft of the server's that is here as well is as old as it is here: when it was typed, not when it was heard of. */
function aged(remote: Candidate, here: Candidate[]): Candidate {
  const same = here.find(each => each.id === remote.id && each.source === remote.source);
  return same ? {...remote, at: same.at, name: same.name} : remote;
}

/** A text the server had and has no more was replaced by what grew out of it, unless the learner is another one. What
 *  another tab sent after this page was asked for cannot be among the page's drafts, so its absence tells nothing. */
function replaced(local: Local, remote: Candidate[], learner: string): boolean {
  const mayBeMissing = (local.sentAt ?? local.at) >= performance.timeOrigin;
  if (!local.sent || mayBeMissing || local.learner !== learner) return false;
  return !remote.some(each => each.id === local.id || each.source === local.source);
}

/** Everything that could be opened, newest first, each text once; what is out of date goes from this device.
 *  `ahead` is by how many milliseconds this device's clock is ahead of the server's. */
export function candidates(slug: string, remote: RemoteDraft[], learner: string, ahead: number): Candidate[] {
  const there = remote.map(draft => ofRemote(draft, ahead));
  const here: Candidate[] = [];
  for (const local of locals(slug)) {
    if (replaced(local, there, learner)) drop(slug, local.id);
    else here.push({...local, name: named(local.at)});
  }
  const unsent = new Set(here.filter(each => !each.sent).map(each => each.id));
  const all = [...there.filter(each => !unsent.has(each.id)).map(each => aged(each, here)), ...here];
  all.sort((a, b) => b.at - a.at || Number(b.sent) - Number(a.sent));
  const texts = new Map<string, Candidate>();
  for (const each of all) {
    const before = texts.get(each.source);
    if (!before) texts.set(each.source, each);
    else if (!before.sent && each.sent) texts.set(each.source, {...each, at: before.at});
  }
  const list = [...texts.values()];
  for (const old of list.slice(most)) drop(slug, old.id);
  return list.slice(0, most);
}
