/** Nothing is ever lost: every change is kept on this device at once, and on the server when the keys rest.
 *
 * Texts are never merged. The newest is opened; another one stands in the list of drafts, one press away.
 */

import type {Editor} from "../editor/editor";
import {announce} from "../page/announce";
import {call, Refusal} from "../page/api";
import {copy} from "../page/copy";
import {button, clock, download, icon, make} from "../page/dom";
import {cookiesKept, storageKept} from "../page/keeping";
import {dropNote, showNote} from "../page/notes";
import {address, type PageData, parts, type RemoteDraft} from "../page/parts";
import {keep, randomName, recall} from "../page/storage";
import {grownFrom, ownName, typedAt} from "./early";
import {type Keeping, savedWords, unsaved} from "./saved";
import {type Candidate, candidates, drop, localOf, put} from "./texts";

type Kept = {opened: RemoteDraft | null; others: RemoteDraft[]};

const idle = 1500;

/** What to open, decided before there is an editor; `typed` where it was typed on this page, before the editor came. */
export type Opening = {
  text: string;
  from: Candidate | null;
  others: Candidate[];
  version: string | null;
  typed: boolean;
};

/** The newest text there is, wherever it was kept; what was typed before the script came counts as newest. */
export function opening(data: PageData, area: HTMLTextAreaElement): Opening {
  const remote = [data.drafts.opened, ...data.drafts.others].filter((draft): draft is RemoteDraft => draft !== null);
  const all = candidates(data.slug, remote, data.learner, Date.now() - data.now).filter(
    each => each.source.trim() && each.source !== data.starter,
  );
  const typed = area.value !== area.defaultValue;
  const unlike = (...texts: (string | undefined)[]) => all.filter(each => !texts.includes(each.source));
  const none = {text: area.value, from: null, version: null, typed};
  if (typed) {
    const before = grownFrom(data, area);
    return {...none, version: before?.version ?? null, others: unlike(area.value, before?.source)};
  }
  const shown = area.dataset.reopened !== undefined; // an earlier submission, opened on purpose
  if (shown) return {...none, others: unlike(area.value)};
  const [newest, ...others] = all;
  return newest ? {text: newest.source, from: newest, version: newest.version, typed, others} : {...none, others};
}

export type Drafts = {changed: () => void; save: () => Promise<void>; reset: () => void};

class DraftKeeper {
  private id = ownName;
  private version: string | null;
  private timer = 0;
  private dirty = false;
  private failed = false;
  private at = 0; // when this text was last changed
  private here = true; // whether this device has it
  private others: Candidate[];

  constructor(
    private readonly data: PageData,
    private readonly editor: Editor,
    private readonly open: Opening,
  ) {
    this.version = open.version;
    this.others = open.others;
  }

  /** Takes over what was opened, says what else there is, and listens to other tabs. */
  begin(): void {
    if (this.open.from) this.adopt(this.open.from);
    this.list();
    this.tellOfOthers();
    this.tellOfSession();
    addEventListener("storage", event => this.otherTab(event));
    addEventListener("online", () => {
      if (this.dirty) void this.send();
    });
    addEventListener("offline", () => this.say());
    const leaving = () => {
      if (this.dirty && document.visibilityState === "hidden") void this.send(true);
    };
    document.addEventListener("visibilitychange", leaving);
    addEventListener("pagehide", leaving);
    addEventListener("beforeunload", event => {
      if (this.at && unsaved(this.keeping())) event.preventDefault();
    });
    this.tellOfLoss();
    if (this.open.typed) this.changed(typedAt());
  }

  /** A change of the text. */
  changed(at = Date.now()): void {
    for (const subject of ["tab", "reset", "cancelled"]) dropNote(subject);
    this.dirty = true;
    this.at = at;
    this.keepHere(false);
    this.say();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.send(), idle);
  }

  /** What Mod-S does: it was saved already, but now the server has it too. */
  async save(): Promise<void> {
    clearTimeout(this.timer);
    this.dirty = this.dirty || this.editor.text() !== this.data.starter;
    if (this.dirty) await this.send();
    const words = savedWords(this.keeping());
    announce(`${words.replace(/ [\d:]+$/, "")}.`);
  }

  /** Back to the starter code, as one edit; what was there stays among the drafts as well. */
  reset(): void {
    const text = this.editor.text();
    if (text === this.data.starter) {
      announce("This is the starter code.");
      return;
    }
    this.fork(text);
    this.editor.replace(this.data.starter);
    parts.results().scrollTop = 0; // where the report says that it is of earlier code
    showNote("reset", {
      kind: "still",
      icon: "undo",
      fact: "Back to the starter code.",
      rest: "Ctrl Z brings yours back.",
    });
    this.editor.view.focus();
  }

  private adopt(from: Candidate): void {
    this.at = from.at;
    if (!from.sent) {
      drop(this.data.slug, from.id);
      this.dirty = true;
      void this.send();
    }
    this.keepHere(from.sent);
    this.say();
  }

  /** From here on another text is written: the one before stays as a draft of its own. */
  private fork(text: string): void {
    const {at} = this;
    const left = {id: this.id, source: text, at, version: this.version, sent: !this.dirty};
    put(this.data.slug, {...left, sentAt: Date.now(), learner: this.data.learner});
    this.others = [{...left, name: `Draft of ${clock(at)}`}, ...this.others];
    if (this.dirty) void this.store(this.id, text, this.version);
    this.id = randomName();
    this.version = null;
    this.list();
  }

  private switchTo(other: Candidate): void {
    this.fork(this.editor.text());
    this.others = this.others.filter(each => each.source !== other.source);
    this.version = other.version;
    this.editor.replace(other.source);
    dropNote("tab");
    dropNote("drafts");
    this.list();
    announce(`${other.name} opened. The other text is kept.`);
    this.editor.view.focus();
  }

  private keeping(): Keeping {
    const {dirty, here, at} = this;
    const trying = dirty && !this.failed && navigator.onLine !== false;
    return {sent: !dirty, here, trying, cookies: cookiesKept(), at};
  }

  private keepHere(sent: boolean): void {
    const {
        id,
        at,
        version,
        data: {learner},
      } = this,
      sentAt = sent ? Date.now() : 0;
    this.here = put(this.data.slug, {id, source: this.editor.text(), at, version, sent, sentAt, learner});
  }

  private async store(device: string, source: string, base: string | null, keepalive = false): Promise<Kept> {
    const body = {source, base, device};
    return (await call<Kept>("PUT", address(this.data, "draft"), {body, keepalive})).data;
  }

  /** Sends the text to the server; false where that has to wait. */
  private async send(leaving = false): Promise<boolean> {
    if (!cookiesKept()) return false; // the server would take each time for another learner's
    const source = this.editor.text(),
      {id} = this;
    try {
      const kept = await this.store(id, source, this.version, leaving && source.length < 20_000);
      if (id !== this.id) return true;
      this.failed = false;
      this.version = [kept.opened, ...kept.others].find(draft => draft?.device === id)?.version ?? this.version;
      this.dirty = this.editor.text() !== source;
      if (!this.dirty) this.keepHere(true);
      this.say();
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.failed = true;
      this.say();
      const {retryAfter} = error.trouble;
      if (retryAfter) this.timer = window.setTimeout(() => void this.send(), retryAfter * 1000);
      return false;
    }
  }

  /** Says where the text is kept, beside the file's name. */
  private say(): void {
    const saved = parts.saved(),
      keeping = this.keeping(),
      lost = unsaved(keeping) && !keeping.trying;
    if (saved && this.at) {
      saved.classList.toggle("unsaved", lost);
      saved.replaceChildren(...(lost ? [icon("alert")] : []), savedWords(keeping));
    }
    if (this.at && lost) this.tellOfLoss();
    if (navigator.onLine !== false) {
      dropNote("offline");
      return;
    }
    showNote("offline", {
      kind: "still",
      icon: "wifi",
      fact: "You are offline.",
      quiet: document.querySelector("[data-subject=offline]") !== null,
      rest: this.here
        ? "You can keep typing; everything is kept on this device and sent when you are back."
        : "This device keeps nothing: leave this page open until you are back, or download your code.",
    });
  }

  /** Says, before anything is lost, that this browser keeps nothing, and gives the code to take along. */
  private tellOfLoss(): void {
    const stored = storageKept();
    if (cookiesKept() && (stored || navigator.onLine !== false)) return;
    if (cookiesKept() && this.at === 0) return; // nothing to lose yet
    if (document.querySelector("[data-subject=loss]")) return;
    const rest = stored
      ? "Your code stays on this device, but submissions and hints are gone when you leave."
      : "You can go on; when you leave, your code and results are gone.";
    showNote("loss", {
      kind: "still",
      icon: "alert",
      fact: cookiesKept() ? "Nothing can be kept on this device." : "This browser blocks this site's cookies.",
      rest,
      buttons: [
        button("Download my code", () => download(this.editor.text())),
        button("Copy my code", () => void copy(this.editor.text()).then(done => announce(done ? "Copied." : ""))),
      ],
    });
  }

  /** The list of other drafts, in the editor's head; not there while there is none. */
  private list(): void {
    const select = parts.otherDrafts();
    if (!select) return;
    const label = select.closest("label") ?? select;
    label.hidden = this.others.length === 0;
    const options = this.others.map((other, i) => make("option", {value: String(i)}, other.name));
    select.replaceChildren(make("option", {value: ""}, "This one"), ...options);
    select.onchange = () => {
      const other = this.others[Number(select.value)];
      if (select.value && other) this.switchTo(other);
    };
  }

  /** Says once of each other text that it is there. */
  private tellOfOthers(): void {
    const [other] = this.others,
      seen = `seen:${this.data.slug}`;
    if (!other || !this.open.from || recall(seen) === other.source) return;
    keep(seen, other.source);
    showNote("drafts", {
      kind: "still",
      icon: "copy",
      fact: "There are two texts; the newest is open.",
      rest: `The other is kept as “${other.name}”.`,
      buttons: [button("Switch to it", () => this.switchTo(other)), button("Stay here", () => dropNote("drafts"))],
    });
  }

  private tellOfSession(): void {
    const before = recall("learner");
    keep("learner", this.data.learner);
    if (!before || before === this.data.learner || !this.open.from) return;
    const enter = make("a", {class: "button small", href: "/progress#recovery"}, "Enter code");
    showNote("session", {
      kind: "still",
      icon: "clock",
      fact: "Your session had ended.",
      buttons: [enter],
      rest: "We started a new one and kept your code. Enter your recovery code to bring back earlier work.",
    });
  }

  /** Another tab typed: its text is newer, and it is for the learner to say which one goes on. */
  private otherTab(event: StorageEvent): void {
    const local = localOf(this.data.slug, event);
    if (!local || local.id === this.id || local.at <= this.at) return;
    if ([this.editor.text(), this.data.starter].includes(local.source)) return;
    if (this.others.some(each => each.id === local.id && each.source === local.source)) return; // only sent meanwhile
    const other: Candidate = {...local, name: `Draft of ${clock(local.at)}`};
    this.others = [other, ...this.others.filter(each => each.id !== local.id)];
    this.list();
    const quiet = document.querySelector("[data-subject=tab]") !== null;
    showNote("tab", {
      kind: "still",
      icon: "copy",
      quiet,
      fact: "This exercise is open in another tab,",
      rest: `with newer code (${clock(local.at)}).`,
      buttons: [button("Use the newer code", () => this.switchTo(other)), button("Keep this one", () => this.insist())],
    });
  }

  /** This text is the one to go on with, though another is newer. */
  private insist(): void {
    this.changed();
    void this.save();
  }
}

/** Makes the keeping of drafts and begins it. */
export function createDrafts(data: PageData, editor: Editor, open: Opening): Drafts {
  const keeper = new DraftKeeper(data, editor, open);
  keeper.begin();
  return {changed: () => keeper.changed(), save: () => keeper.save(), reset: () => keeper.reset()};
}
