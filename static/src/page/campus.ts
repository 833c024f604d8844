/** Pages between a campus and us: its own page keeps a login's state where no cookie is kept, forms send themselves. */
import {find} from "./dom";

type Storage = {do: "put" | "get"; target: string; origin: string; key: string; value: string; next?: string};
type Told = {subject?: string; message_id?: string; value?: string};

// ms that the campus's page has to answer; what it is late to keep it has kept all the same
const patience = {put: 2_000, get: 10_000};

/** The frame of the campus's page that keeps things: named by the campus, or the page itself. */
function keeper(target: string): Window {
  const outer = window.parent === window ? ((window.opener as Window | null) ?? window.parent) : window.parent;
  if (target === "_parent") return outer;
  try {
    return (outer.frames as unknown as Record<string, Window | undefined>)[target] ?? outer;
  } catch {
    return outer; // a frame of another site cannot be looked up by its name in every browser
  }
}

/** Asks the campus's page; what it answers from its own origin, or null when it takes too long. */
function ask(storage: Storage): Promise<Told | null> {
  const id = crypto.randomUUID();
  return new Promise(done => {
    const timer = setTimeout(() => done(null), patience[storage.do]);
    addEventListener("message", (event: MessageEvent<Told>) => {
      if (event.origin !== storage.origin || event.data?.message_id !== id) return;
      clearTimeout(timer);
      done(event.data);
    });
    const told = {subject: `lti.${storage.do}_data`, message_id: id, key: storage.key};
    keeper(storage.target).postMessage(storage.do === "put" ? {...told, value: storage.value} : told, storage.origin);
  });
}

async function useStorage(storage: Storage): Promise<void> {
  const told = await ask(storage);
  if (storage.do === "put") return location.assign(storage.next!);
  const form = find<HTMLFormElement>("#lti-confirm");
  const kept = find<HTMLInputElement>("#lti-confirm [name=kept]");
  if (!form || !kept || told?.value !== storage.value) return;
  kept.value = told.value;
  form.submit();
}

export function setUpCampus(): void {
  const text = find("#lti-storage")?.textContent;
  if (text) void useStorage(JSON.parse(text) as Storage);
  find<HTMLFormElement>("form[data-send-itself]")?.submit();
  if (find("[data-lti-close]")) {
    const outer = (window.opener as Window | null) ?? window.parent;
    outer.postMessage({subject: "org.imsglobal.lti.close"}, "*");
  }
}
