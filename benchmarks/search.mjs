/* Run the search of a built site on queries, and measure it.
 *
 *   node benchmarks/search.mjs SITE_DIR PRODUCT/VERSION [--full] < QUERIES
 *
 * reads queries from the standard input, one a line, and prints one line of JSON for
 * each: {"query", "ms", "results": [{"url", "name", "kind", "document", "section"}]}.
 * With --full, results are as the engine gives them, and "former" has the names that were
 * removed, with their ranks.  With --keys, each query is typed
 * letter by letter; "keys" has the milliseconds of each key.  Sizes and the times to get
 * ready go to the standard error.
 */
import {readFileSync, readdirSync} from "node:fs";
import {join} from "node:path";
import {gzipSync} from "node:zlib";
import vm from "node:vm";

const [folder, release, ...options] = process.argv.slice(2);
if (!folder || !release) {
  console.error("usage: node benchmarks/search.mjs SITE_DIR PRODUCT/VERSION [--full] [--keys]");
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

const context = vm.createContext({});
const sizes = {};
function load(name, file) {
  const content = readFileSync(file);
  sizes[name] = {bytes: content.length, gzip: gzipSync(content, {level: 9}).length};
  const start = performance.now();
  vm.runInContext(content.toString("utf8"), context, {filename: file});
  return performance.now() - start;
}

const times = {};
for (const name of ["engine", "marks", "fulltext"]) {
  times[`script ${name}`] = load(`script ${name}`, script(`search-${name}.js`));
}
for (const file of ["names", "lines", "text"]) {
  times[file] = load(file, join(folder, release, `search-${file}.js`));
}
const search = context.dconvSearch;
const data = search.data[release];
let start = performance.now();
const engine = search.engine({names: data.names});
times.ready = performance.now() - start;
for (const file of ["lines", "text"]) {
  start = performance.now();
  engine.add(file, data[file]);
  times[`add ${file}`] = performance.now() - start;
}
console.error(JSON.stringify({sizes, milliseconds: times}));

function timedSearch(query) {
  start = performance.now();
  const results = engine.search(query, {limit: 20});
  return [results, performance.now() - start];
}

function resultOf(match) {
  const url = `${release}/${match.path}${match.anchor ? `#${match.anchor}` : ""}`;
  const {name, kind, document, section} = match;
  if (!options.includes("--full")) return {url, name, kind, document, section};
  return {...match, url, sentence: sentence(match)};
}

/** What a text says of the query, as pages show it. */
function sentence({why, part, text, marks, weights}) {
  const file = `part-${part}`;
  if (why !== "text" || part < 0) return "";
  if (!data[file]) load(file, join(folder, release, `search-${file}.js`));
  return search.sentence(data[file][text] || [], search.matcher(marks, weights));
}

const queries = readFileSync(0, "utf8").split("\n");
if (queries[queries.length - 1] === "") queries.pop();
for (const query of queries) {
  const keys = [];
  if (options.includes("--keys")) {
    for (let length = 1; length < query.length; length++) keys.push(timedSearch(query.slice(0, length))[1]);
  }
  const [results, ms] = timedSearch(query);
  keys.push(ms);
  const line = {query, ms, results: results.map(resultOf)};
  if (options.includes("--full")) {
    line.former = engine.findRemovedNames(query, results.map((match) => match.name), []);
  }
  if (options.includes("--keys")) line.keys = keys;
  console.log(JSON.stringify(line));
}
