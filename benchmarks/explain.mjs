/* Explain a configuration or log lines with the data of a built site.
 *
 *   node benchmarks/explain.mjs SITE_DIR PRODUCT/VERSION [--from VERSION] [--tokens] < FILE.cfg
 *   node benchmarks/explain.mjs SITE_DIR PRODUCT/VERSION --log < LINES
 *
 * reads a configuration from the standard input and prints one line of JSON for each finding:
 * {"line", "kind", "word", "suggestion", "url"}, with "kind" one of unknown, wrong-section,
 * removed, deprecated, experimental, renamed and changed; with --tokens also one for each linked
 * word: {"line", "column", "word", "name", "kind", "url"}.  --from tells what moving from that
 * release means.  --log reads log lines and prints {"format", "fields", "state"} for each.
 * Addresses are below SITE_DIR.  Sizes and times go to the standard error.
 */
import {existsSync, readFileSync, readdirSync} from "node:fs";
import {join, posix} from "node:path";
import {gzipSync} from "node:zlib";
import vm from "node:vm";

const KINDS = new Set(["unknown", "wrong-section", "removed", "deprecated", "experimental", "renamed", "changed"]);
const args = process.argv.slice(2);
const from = args.includes("--from") ? args.splice(args.indexOf("--from"), 2)[1] : "";
const [folder, release, ...options] = args;
function refuse(sentence) {
  console.error(sentence);
  process.exit(2);
}
if (!folder || !/^[^/]+\/[^/]+$/.test(release || "")) {
  refuse("usage: node benchmarks/explain.mjs SITE_DIR PRODUCT/VERSION [--from VERSION] [--tokens] [--log]");
}

/** A script, wherever the theme has put it. */
function script(name) {
  const paths = readdirSync(folder, {recursive: true}).map(String)
    .filter((path) => path.split(/[\\/]/).pop().replace(/\.[0-9a-f]{8}\.js$/, ".js") === name).sort();
  return paths.length ? join(folder, paths[0]) : refuse(`${folder}: there is no ${name}; is it a site that dconv built?`);
}

const sizes = {}, times = {};
function load(name, file) {
  if (!existsSync(file)) refuse(`${file}: there is no such file; the release has no such data`);
  const content = readFileSync(file);
  sizes[name] = gzipSync(content, {level: 9}).length;
  const start = performance.now();
  vm.runInThisContext(content.toString("utf8"), {filename: file});
  times[name] = performance.now() - start;
}
load("script", script("explain-engine.js"));
load("script of suggestions", script("explain-suggestions.js"));
if (options.includes("--log")) load("script of logs", script("explain-log.js"));
if (from) load("script of upgrades", script("explain-upgrade.js"));
const explain = globalThis.dconvExplain;
function engineOf(version) {
  load(`facts ${version}`, join(folder, version, "explain-data.js"));
  const start = performance.now();
  const engine = explain.engine(explain.data[version].release);
  times[`ready ${version}`] = performance.now() - start;
  return engine;
}
const engine = engineOf(release);
const product = release.split("/")[0];
const address = (url) => url ? posix.join(release, url) : "";
const text = readFileSync(0).toString("utf8");

function print(findings) {
  for (const {line, kind, word, suggestion, sentence, url} of findings) {
    if (KINDS.has(kind)) console.log(JSON.stringify({line, kind, word, suggestion, url: address(url), sentence}));
  }
}
function timed(work) {
  const start = performance.now(), result = work();
  times.read = performance.now() - start;
  return result;
}
if (options.includes("--log")) {
  const lines = text.split("\n").filter((line) => line.trim());
  for (const reply of timed(() => lines.map((line) => explain.logs(engine).log(line)))) {
    const named = (each) => ({...each, url: address(each.url)});
    console.log(JSON.stringify({
      format: reply.format, prefix: reply.prefix,
      fields: reply.fields.map(({name, text, url, summary}) => ({name, text, url: address(url), summary})),
      state: reply.state.map(named), pair: reply.pair ? named(reply.pair) : null, cut: reply.cut,
    }));
  }
} else {
  let result;
  if (from) {
    const older = engineOf(`${product}/${from}`);
    result = timed(() => explain.upgrade(text, older, engine, stepsBetween(from, release.split("/")[1])));
  } else result = timed(() => engine.read(text));
  print(result.findings);
  if (options.includes("--tokens")) {
    for (const {line, column, word, name, kind, url} of result.tokens) {
      if (url) console.log(JSON.stringify({line, column, word, name, kind, url: address(url)}));
    }
  }
}
console.error(JSON.stringify({gzip: sizes, milliseconds: times}));

/** The steps after the release `older` up to `newer`, in their order. */
function stepsBetween(older, newer) {
  const steps = new Map();
  for (let version = newer; version !== older;) {
    const file = join(folder, product, version, "steps.js");
    if (!existsSync(file) || steps.has(version)) return [];
    load(`steps ${version}`, file);
    const step = explain.data[`${product}/${version}`].steps;
    steps.set(version, step);
    version = step.from;
  }
  return [...steps.values()].reverse();
}
