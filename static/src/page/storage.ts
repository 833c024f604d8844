/** What this device remembers. Private windows and full disks refuse: then it lasts as long as the page. */

const memory = new Map<string, string>();

/** What was kept under a key, or null. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

/** Keeps a text; false where it will not outlive the page. */
export function keep(key: string, value: string): boolean {
  memory.set(key, value);
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

/** Drops what was kept under a key. */
export function forget(key: string): void {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept there.
  }
}

/** All keys that begin with a prefix. */
export function keysOf(prefix: string): string[] {
  const kept = new Set(memory.keys());
  try {
    for (let i = 0; i < localStorage.length; i++) kept.add(localStorage.key(i) ?? "");
  } catch {
    // Only this page's own.
  }
  return [...kept].filter(key => key.startsWith(prefix));
}

/** A random name for a device or a page; `crypto.randomUUID` is missing on plain http. */
export function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), byte => byte.toString(16).padStart(2, "0")).join("");
}
