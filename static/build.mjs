// The browser bundle: static/src and static/css in, static/dist out. What it leaves there:
//   name-HASH.js, .css, .woff2   immutable files, each text file with .br and .gz beside it
//   manifest.json                entry -> {file, integrity, imports: [{file, integrity}]}; app.css has `fonts` too;
//                          written last, so it stands for a whole build
//   licences.txt                 the notices of every package whose code or font is in the bundle
import {createHash} from "node:crypto";
import {mkdir, readFile, readdir, rename, rm, writeFile} from "node:fs/promises";
import {basename, join} from "node:path";
import {promisify} from "node:util";
import {brotliCompress, constants, gzip} from "node:zlib";
import {build} from "esbuild";

const entries = ["static/src/exercise.ts", "static/src/site.ts", "static/css/app.css"];
const target = "static/dist";
const out = `${target}.new`; // built aside: a server in the middle of a request never sees half a bundle

async function bundle() {
  const {metafile} = await build({
    entryPoints: entries, outdir: out, outbase: "static", bundle: true, splitting: true, format: "esm",
    target: ["es2022", "chrome120", "firefox121", "safari17.2"], minify: true, sourcemap: true, legalComments: "none",
    entryNames: "[name]-[hash]", chunkNames: "[name]-[hash]", assetNames: "[name]-[hash]",
    loader: {".woff2": "file", ".woff": "file", ".svg": "file"}, metafile: true, logLevel: "warning",
  });
  return metafile;
}

async function integrity(file) {
  return `sha384-${createHash("sha384").update(await readFile(file)).digest("base64")}`;
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

// The fonts that a page's first paint needs, to be preloaded; `math` only where the page has a formula.
function fonts(outputs) {
  const wanted = {text: /-next-latin-wght-normal-/, code: /-mono-latin-wght-normal-/, math: /-math-latin-/};
  const files = Object.keys(outputs).map(path => basename(path)).filter(name => name.endsWith(".woff2"));
  return Object.fromEntries(Object.entries(wanted).map(([use, name]) => [use, files.find(file => name.test(file))]));
}

async function manifest({outputs}) {
  const listed = {};
  for (const [file, {entryPoint}] of Object.entries(outputs)) {
    if (!entries.includes(entryPoint)) continue;
    const imports = await Promise.all(preloads(outputs, file).map(
      async path => ({file: basename(path), integrity: await integrity(path)})));
    listed[basename(entryPoint).replace(/\.ts$/, ".js")] = {file: basename(file), integrity: await integrity(file), imports};
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
