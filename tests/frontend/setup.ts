/** The little of a browser that the pure parts name when they are loaded. */
import {vi} from "vitest";

vi.stubGlobal("navigator", {platform: "Linux x86_64", onLine: true});
