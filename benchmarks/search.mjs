/* Run the search of a built site on queries, and measure it.
 *
 *   node benchmarks/search.mjs SITE_DIR [PRODUCT/VERSION] [--full] [--keys] < QUERIES
 *
 * reads queries from the standard input, one a line, and prints one line of JSON for
 * each: {"query", "ms", "results": [{"url", "name", "kind", "document", "section"}]}.
 * Without a release it searches the whole site: its shelf, and the latest release of each product;
 * the "name" of a page itself is then empty.
 * With --full, results are as the engine gives them, and "former" has the names that were
 * removed, with their ranks.  With --keys, each query is typed
 * letter by letter; "keys" has the milliseconds of each key.  Sizes and the times to get
 * ready go to the standard error.
 */
import {existsSync, readFileSync, readdirSync} from "node:fs";
import {join} from "node:path";
import {gzipSync} from "node:zlib";
import vm from "node:vm";

const options = process.argv.slice(2).filter((option) => option.startsWith("--"));
const [folder, release = ""] = process.argv.slice(2).filter((option) => !option.startsWith("--"));
if (!folder) {
  console.error("usage: node benchmarks/search.mjs SITE_DIR [PRODUCT/VERSION] [--full] [--keys]");
  process.exit(2);
}

/** The script `name` of the search, wherever the theme has put it. */
function script(name) {
  const paths = readdirSync(folder, {recursive: true}).map(String)
    .filter((path) => path.split(/[\\/]/).pop().replace(/\.[0-9a-f]{8}\.js$/, ".js") === name).sort();
  if (!paths.length) {
    console.error(`${folder}: there is no ${name}; is it a site that dconv built?`);
    process.exit(2);
  }
  return join(folder, paths[0]);
}

/** The keys of the whole site: the shelf, and the latest release of each product. */
function siteKeys() {
  const keys = existsSync(join(folder, "search-names.js")) ? ["."] : [];
  for (const product of readdirSync(folder).sort()) {
    const list = join(folder, product, "releases.json");
    const latest = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")).latest : "";
    if (latest && existsSync(join(folder, product, latest, "search-names.js"))) keys.push(`${product}/${latest}`);
  }
  return keys;
}

const context = vm.createContext({});
const sizes = {}, times = {}, loaded = new Set();
function load(name, file) {
  const content = readFileSync(file);
  sizes[name] = {bytes: content.length, gzip: gzipSync(content, {level: 9}).length};
  const start = performance.now();
  vm.runInContext(content.toString("utf8"), context, {filename: file});
  return performance.now() - start;
}

for (const name of ["engine", "marks", "fulltext"]) {
  times[`script ${name}`] = load(`script ${name}`, script(`search-${name}.js`));
}
const keys = release ? [release] : siteKeys();
for (const key of keys) {
  for (const file of ["names", "lines", "text"]) {
    const name = release ? file : `${key} ${file}`;
    times[name] = load(name, join(folder, key, `search-${file}.js`));
  }
}
const search = context.dconvSearch;
const site = search.site(keys);
let start = performance.now();
for (const key of keys) site.engine(key);
times.ready = performance.now() - start;
console.error(JSON.stringify({sizes, milliseconds: times}));

/** The results of `query`, and the milliseconds they took once all files were there. */
function timedSearch(query) {
  for (;;) {
    start = performance.now();
    const {results, files} = site.search(query, {limit: 20});
    const ms = performance.now() - start;
    const missing = files.filter((file) => !loaded.has(file));
    if (!missing.length) return [results, ms];
    for (const file of missing) {
      loaded.add(file);
      load(file, join(folder, file));
    }
    for (const key of Object.keys(search.data)) site.engine(key);
  }
}

function resultOf({key, result}) {
  const path = result.package ? result.path : `${key}/${result.path}`;
  const url = `${path}${result.anchor ? `#${result.anchor}` : ""}`;
  const {kind, document, section} = result;
  const name = result.package && kind === "document" ? "" : result.name;
  if (!options.includes("--full")) return {url, name, kind, document, section};
  return {...result, name, url, sentence: sentence(key, result)};
}

/** What a text says of the query, as pages show it. */
function sentence(key, {why, part, text, marks, weights}) {
  const file = `part-${part}`, data = search.data[key];
  if (why !== "text" || part < 0) return "";
  if (!data[file]) load(file, join(folder, search.partFile(key, part)));
  return search.sentence(data[file][text] || [], search.matcher(marks, weights));
}

const queries = readFileSync(0, "utf8").split("\n");
if (queries[queries.length - 1] === "") queries.pop();
for (const query of queries) {
  const times = [];
  if (options.includes("--keys")) {
    for (let length = 1; length < query.length; length++) times.push(timedSearch(query.slice(0, length))[1]);
  }
  const [results, ms] = timedSearch(query);
  times.push(ms);
  const line = {query, ms, results: results.map(resultOf)};
  if (options.includes("--full")) {
    const names = results.map(({result}) => result.name);
    line.former = keys.flatMap((key) => site.engine(key).findRemovedNames(query, names, []));
  }
  if (options.includes("--keys")) line.keys = times;
  console.log(JSON.stringify(line));
}
