// The browser bundle: static/src and static/css in, static/dist out. What it leaves there:
//   name-HASH.js, .css, .woff2   immutable files, each text file with .br and .gz beside it
//   manifest.json                entry -> {file, integrity, imports, later}, the last two lists of {file, integrity};
//                          app.css has `fonts` too; written last, so it stands for a whole build
//   licences.txt                 the notices of every package whose code or font is in the bundle
import {createHash} from "node:crypto";
import {mkdir, readdir, readFile, rename, rm, writeFile} from "node:fs/promises";
import {basename, join} from "node:path";
import {promisify} from "node:util";
import {brotliCompress, constants, gzip} from "node:zlib";
import {build} from "esbuild";
import subsetFont from "subset-font";

const entries = ["static/src/site.ts", "static/css/app.css", "static/css/classes.css"];
const target = "static/dist";
const out = `${target}.new`; // built aside: a server in the middle of a request never sees half a bundle

// The characters that the style sheet's rule of the cut font is for.
async function characters() {
  const rule = (await readFile("static/css/fonts.css", "utf8")).split("@font-face").find(each => each.includes("?cut"));
  const ranges = /unicode-range:([^;]+)/
    .exec(rule)[1]
    .split(",")
    .map(range =>
      range
        .trim()
        .replace("U+", "")
        .split("-")
        .map(code => parseInt(code, 16)),
    );
  return ranges
    .map(([first, last = first]) =>
      String.fromCodePoint(...Array.from({length: last - first + 1}, (_, i) => first + i)),
    )
    .join("");
}

// A font named with ?cut keeps the glyphs of those characters, and what formulas make of them, and no others.
const cutting = {
  name: "cut",
  setup({onResolve, onLoad, resolve}) {
    onResolve({filter: /\?cut$/}, async ({path, kind, resolveDir}) => {
      const found = await resolve(path.replace("?cut", ""), {kind, resolveDir});
      return {path: found.path, errors: found.errors, namespace: "cut"};
    });
    onLoad({filter: /.*/, namespace: "cut"}, async ({path}) => ({
      contents: await subsetFont(await readFile(path), await characters(), {targetFormat: "woff2"}),
      loader: "file",
    }));
  },
};

async function bundle() {
  const {metafile} = await build({
    entryPoints: entries,
    outdir: out,
    outbase: "static",
    bundle: true,
    splitting: true,
    format: "esm",
    target: ["es2022", "chrome120", "firefox121", "safari17.2"],
    minify: true,
    sourcemap: true,
    legalComments: "none",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    loader: {".woff2": "file", ".woff": "file", ".svg": "file"},
    plugins: [cutting],
    metafile: true,
    logLevel: "warning",
  });
  return metafile;
}

async function integrity(file) {
  return `sha384-${createHash("sha384")
    .update(await readFile(file))
    .digest("base64")}`;
}

function sealed(files) {
  return Promise.all(files.map(async path => ({file: basename(path), integrity: await integrity(path)})));
}

// The static imports of an output, and theirs: what the page preloads so that no import waits for another.
function preloads(outputs, file, seen = new Set()) {
  for (const {kind, path} of outputs[file].imports) {
    if (kind !== "import-statement" || seen.has(path)) continue;
    seen.add(path);
    preloads(outputs, path, seen);
  }
  return [...seen];
}

// What an output imports when it has run, with all that those files import: fetched side by side, after the first paint.
function laters(outputs, file) {
  const first = new Set([file, ...preloads(outputs, file)]);
  const named = outputs[file].imports.filter(({kind}) => kind === "dynamic-import").map(({path}) => path);
  return [...new Set(named.flatMap(path => [...preloads(outputs, path), path]))].filter(path => !first.has(path));
}

// The fonts that a page's first paint needs, to be preloaded; `math` only where the page has a formula.
function fonts(outputs) {
  const wanted = {text: /-next-latin-wght-normal/, code: /-mono-latin-wght-normal/, math: /^cut:.*-math-latin-/};
  const files = Object.keys(outputs).filter(file => file.endsWith(".woff2"));
  const madeOf = source => files.find(file => Object.keys(outputs[file].inputs).some(input => source.test(input)));
  return Object.fromEntries(Object.entries(wanted).map(([use, source]) => [use, basename(madeOf(source))]));
}

async function manifest({outputs}) {
  const listed = {};
  for (const [file, {entryPoint}] of Object.entries(outputs)) {
    if (!entries.includes(entryPoint)) continue;
    const [itself] = await sealed([file]),
      imports = await sealed(preloads(outputs, file));
    listed[basename(entryPoint).replace(/\.ts$/, ".js")] = {
      ...itself,
      imports,
      later: await sealed(laters(outputs, file)),
    };
  }
  listed["app.css"].fonts = fonts(outputs);
  return `${JSON.stringify(listed, null, 2)}\n`;
}

async function licences({inputs}) {
  const packages = new Set(Object.keys(inputs).map(path => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]));
  packages.delete(undefined);
  const notices = [...packages].sort().map(async name => {
    const folder = `node_modules/${name}`;
    const {version, license} = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
    const file = (await readdir(folder)).find(entry => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} is in the bundle and has no licence file`);
    return `${name} ${version} (${license})\n\n${(await readFile(join(folder, file), "utf8")).trim()}\n`;
  });
  return (await Promise.all(notices)).join(`\n${"-".repeat(80)}\n\n`);
}

async function compress(file) {
  const body = await readFile(file);
  const quality = {params: {[constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY}};
  await writeFile(`${file}.br`, await promisify(brotliCompress)(body, quality));
  await writeFile(`${file}.gz`, await promisify(gzip)(body, {level: 9}));
}

await rm(out, {recursive: true, force: true});
await mkdir(out, {recursive: true});
const metafile = await bundle();
await writeFile(`${out}/licences.txt`, await licences(metafile));
const texts = (await readdir(out)).filter(name => /\.(js|css|svg|txt)$/.test(name));
await Promise.all(texts.map(name => compress(join(out, name))));
await writeFile(`${out}/manifest.json`, await manifest(metafile));
await rm(target, {recursive: true, force: true});
await rename(out, target);
