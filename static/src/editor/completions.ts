/** What the editor completes: the names that learners may use, as the jail offers them, and those of the text itself. */
import type {Completion, CompletionContext, CompletionResult, CompletionSource} from "@codemirror/autocomplete";
import {localCompletionSource} from "@codemirror/lang-python";
import {call} from "../page/api";
import {make} from "../page/dom";

/** One name as the server lists it; `module` is "" for Python's own names and "ndarray" for an array's. */
type Name = {module: string; name: string; kind: string; signature: string; doc: string};
type Modules = Map<string, Completion[]>;

const shortest = 36; // letters of a signature that fit beside its name
const patience = 30_000;
const keywords = (
  "and as assert break class continue def del elif else except finally for from if import in is lambda " +
  "nonlocal not or pass raise return try while with yield True False None match case"
).split(" ");

let modules: Promise<Modules> | null = null;

function completion({module, name, kind, signature, doc}: Name): Completion {
  const detail = signature.length > shortest ? `${signature.slice(0, shortest)}…` : signature;
  const info = () => make("div", {}, make("code", {}, `${name}${signature}`), make("p", {}, doc));
  const own = module === "" ? {boost: -2} : {}; // one's own names come first
  return {label: name, type: kind, ...own, ...(detail && {detail}), ...(doc && {info})};
}

/** Whether it is worth a place in the list: exceptions, and what changes how NumPy prints or fails, are typed whole. */
function wanted({module, name, kind}: Name): boolean {
  if (module === "" && (/(Error|Warning|Exception|Exit|Interrupt|StopIteration)$/.test(name) || name === "delattr"))
    return false;
  return !(module === "numpy" && kind === "function" && /^(seterr|geterr|seterrcall|geterrcall)/.test(name));
}

function byModule(names: Name[]): Modules {
  const found: Modules = new Map([["", keywords.map(label => ({label, type: "keyword", boost: -1}))]]);
  for (const name of names.filter(wanted))
    found.set(name.module, [...(found.get(name.module) ?? []), completion(name)]);
  return found;
}

/** Fetches the names once; without them the rest still completes, and they are asked for again later. */
function fetched(address: string): Promise<Modules> {
  modules ??= call<{names: Name[]}>("GET", address)
    .then(({data}) => byModule(data.names))
    .catch(() => {
      const again = () => {
        modules = null;
      };
      setTimeout(again, patience);
      addEventListener("online", again, {once: true});
      return byModule([]);
    });
  return modules;
}

/** The module that stands before a dot, by the imports of the text: `np.linalg` is "numpy.linalg". */
export function moduleOf(owner: string, text: string): string {
  const [head = "", ...rest] = owner.split(".");
  for (const [, module = "", alias] of text.matchAll(/^\s*import\s+([\w.]+)(?:\s+as\s+(\w+))?/gm))
    if ((alias ?? module) === head) return [module, ...rest].join(".");
  for (const [, module = "", name = "", alias] of text.matchAll(
    /^\s*from\s+([\w.]+)\s+import\s+(\w+)(?:\s+as\s+(\w+))?/gm,
  ))
    if ((alias ?? name) === head) return [module, name, ...rest].join(".");
  return owner;
}

/** Completes what stands after a dot: a module's names, and an array's for everything else. */
function members(address: string): CompletionSource {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const before = context.matchBefore(/[A-Za-z_][\w.]*\.\w*/);
    if (!before) return null;
    const dot = before.text.lastIndexOf(".");
    const known = await fetched(address);
    const module = moduleOf(before.text.slice(0, dot), context.state.doc.toString());
    const options = known.get(module) ?? known.get("ndarray");
    return options ? {from: before.from + dot + 1, options, validFor: /^\w*$/} : null;
  };
}

/** Completes what `from math import` may name. */
function imported(address: string): CompletionSource {
  return async context => {
    const before = context.matchBefore(/from\s+[\w.]+\s+import\s+(?:\w+\s*,\s*)*\w*/);
    const module = /from\s+([\w.]+)/.exec(before?.text ?? "")?.[1];
    const options = module ? (await fetched(address)).get(module) : null;
    return options ? {from: context.matchBefore(/\w*/)!.from, options, validFor: /^\w*$/} : null;
  };
}

/** Python's own names and words. */
function own(address: string): CompletionSource {
  return async context => {
    const word = context.matchBefore(/\w+/);
    return word && {from: word.from, options: (await fetched(address)).get("") ?? [], validFor: /^\w*$/};
  };
}

/** Only where a name begins by itself: `x.` and imports have no use for the names of the text. Each name once. */
function bare(source: CompletionSource): CompletionSource {
  return async context => {
    if (context.matchBefore(/\.\w*|\bimport\s[\w, ]*/)) return null;
    const found = await source(context);
    return found && {...found, options: [...new Map(found.options.map(option => [option.label, option])).values()]};
  };
}

/** All sources, for `autocompletion`. */
export function sources(address: string): CompletionSource[] {
  return [members(address), imported(address), bare(localCompletionSource), bare(own(address))];
}
