/** What this browser keeps for the site: found out by trying, for asking is answered wrongly. */

const trial = "mlgrind-trial";

let cookies: boolean | null = null;

/** Whether it keeps our cookies, by which the server knows whose work is whose. */
export function cookiesKept(): boolean {
  if (cookies === null) {
    document.cookie = `${trial}=1; path=/; samesite=lax`;
    cookies = document.cookie.includes(`${trial}=1`);
    document.cookie = `${trial}=; path=/; max-age=0; samesite=lax`;
  }
  return cookies;
}

/** Whether it keeps texts: false where storage is blocked or full. */
export function storageKept(): boolean {
  try {
    localStorage.setItem(trial, "1");
    localStorage.removeItem(trial);
    return true;
  } catch {
    return false;
  }
}
