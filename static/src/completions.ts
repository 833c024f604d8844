/** What the editor completes: the NumPy names that learners may use, Python's own, and the names of the text itself. */
import {type Completion, type CompletionContext, type CompletionResult, type CompletionSource} from "@codemirror/autocomplete";
import {globalCompletion, localCompletionSource} from "@codemirror/lang-python";
import {call} from "./api";

/** One name as the server lists it: "np.linalg.norm", how it is called, what it does. */
export type Name = {name: string; kind: string; signature?: string; doc?: string};

let names: Promise<Map<string, Completion[]>> | null = null;

/** The names by what stands before their last dot. */
function byOwner(list: Name[]): Map<string, Completion[]> {
  const owners = new Map<string, Completion[]>();
  for (const {name, kind, signature, doc} of list) {
    const dot = name.lastIndexOf(".");
    const owner = dot < 0 ? "" : name.slice(0, dot);
    const completion: Completion = {
      label: name.slice(dot + 1), type: kind, ...(signature && {detail: signature}), ...(doc && {info: doc}),
    };
    owners.set(owner, [...(owners.get(owner) ?? []), completion]);
  }
  return owners;
}

/** Fetches the list once; without it the rest still completes, and the next need asks again. */
function fetched(address: string): Promise<Map<string, Completion[]>> {
  names ??= call<{names: Name[]}>("GET", address).then(({data}) => byOwner(data.names)).catch(() => {
    names = null;
    return new Map<string, Completion[]>();
  });
  return names;
}

/** What a module is called in this text: `import numpy as xp` makes "xp" mean "np", the server's word. */
function canonical(owner: string, text: string): string {
  const [head = "", ...rest] = owner.split(".");
  const alias = /^\s*import\s+numpy(?:\s+as\s+(\w+))?/m.exec(text);
  return [head === (alias?.[1] ?? "numpy") ? "np" : head, ...rest].join(".");
}

/** Completes what stands after a dot. */
function members(address: string): CompletionSource {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const before = context.matchBefore(/[A-Za-z_][\w.]*\.\w*/);
    if (!before) return null;
    const dot = before.text.lastIndexOf(".");
    const owners = await fetched(address);
    const options = owners.get(canonical(before.text.slice(0, dot), context.state.doc.toString()));
    return options ? {from: before.from + dot + 1, options, validFor: /^\w*$/} : null;
  };
}

/** Only where no dot stands before: `x.` has no use for the names of the text. Each name once. */
function bare(source: CompletionSource): CompletionSource {
  return async context => {
    const found = context.matchBefore(/\.\w*/) ? null : await source(context);
    return found && {...found, options: [...new Map(found.options.map(option => [option.label, option])).values()]};
  };
}

/** All sources, for `autocompletion`. */
export function sources(address: string): CompletionSource[] {
  return [members(address), bare(localCompletionSource), bare(globalCompletion)];
}
