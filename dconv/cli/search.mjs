/* The search of a built site on a terminal: `dconv search` and the tests ask it.
 *
 *   node search.mjs SCRIPTS FOLDER... < REQUESTS
 *
 * SCRIPTS is the folder of the scripts that pages load, each FOLDER that of a release, or the
 * site's, which is that of its shelf.
 * A request is a line of JSON: {"query", "limit", "documents", "packages"}, the last three
 * optional.  It is answered by a line: {"results": [{"release", …a result of the engine,
 * "sentence"}], "removed": [{"release", "rank", "name", "kind", "version", "address"}]}, where
 * "release" is the number of a folder; or by {"missing": FILE} or {"damaged": FOLDER}.
 * Of the site only data is read, as JSON: no script of it is run.
 */
import {existsSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {createInterface} from "node:readline";
import vm from "node:vm";

const COMPARED_RESULTS = 16; // results that removed names are compared with, as many as pages show
const MAX_REMOVED = 3; // names of one release, as in pages
const CALL = /^dconvSearch\.add\(("(?:[^"\\]|\\.)*"),"([a-z0-9-]+)",(.*)\);$/; // a line of a data file
const [scripts, ...folders] = process.argv.slice(2);
for (const name of ["search-engine.js", "search-marks.js", "search-fulltext.js"]) {
  const file = join(scripts, name);
  vm.runInThisContext(readFileSync(file, "utf8"), {filename: file});
}
const search = globalThis.dconvSearch;

class DataError extends Error {
  constructor(problem) {
    super();
    this.problem = problem;
  }
}

/** Read the data of a file in `folder`; returns the key of the data. */
function read(folder, name) {
  const file = join(folder, name);
  if (!existsSync(file)) throw new DataError({missing: file});
  return checked(folder, function () {
    let key = "";
    for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
      const [, writtenKey, dataName, data] = CALL.exec(line);
      key = JSON.parse(writtenKey);
      search.add(key, dataName, JSON.parse(data));
    }
    return key;
  });
}

/** What `work` returns; a failure means damaged data in `folder`. */
function checked(folder, work) {
  try {
    return work();
  } catch (error) {
    throw error instanceof DataError ? error : new DataError({damaged: folder});
  }
}

function openSite() {
  const keys = folders.map(function (folder) {
    const [key] = ["names", "lines", "text"].map((name) => read(folder, `search-${name}.js`));
    return key;
  });
  const site = search.site(keys), loaded = new Set();
  folders.forEach((folder, number) => checked(folder, () => site.engine(keys[number])));
  return {site, keys, loaded};
}

/** The number of the folder that has the data of `key`: those of a shelf are in the site's. */
function numberOf({keys}, key) {
  return keys.indexOf(keys.includes(key) ? key : search.SHELF);
}

/** The sentence of a text that says most of the query, or "". */
function sentence(opened, key, {why, part, text, marks, weights}) {
  if (why !== "text" || part < 0) return "";
  if (!search.data[key][`part-${part}`]) read(folders[numberOf(opened, key)], `search-part-${part}.js`);
  return search.sentence(search.data[key][`part-${part}`][text] || [], search.matcher(marks, weights));
}

/** The results of all releases, once all files are read that they need. */
function find({site, loaded, keys}, query, options) {
  for (;;) {
    const {results, files} = site.search(query, options);
    const missing = files.filter((file) => !loaded.has(file));
    if (!missing.length) return results;
    for (const file of missing) {
      loaded.add(file);
      read(folders[keys.indexOf(search.SHELF)], file);
    }
  }
}

function answer(opened, {query, limit = 20, documents = [], packages = []}) {
  const {site, keys} = opened;
  const options = {limit: Math.max(limit, COMPARED_RESULTS), documents, packages};
  const results = checked(folders.join(", "), () => find(opened, query, options));
  const resultNames = results.map(({result}) => result.name);
  return {
    results: results.slice(0, limit).map(({key, result}) =>
      ({...result, release: numberOf(opened, key), sentence: sentence(opened, key, result)})),
    removed: keys.flatMap((key, number) => checked(folders[number], () =>
      site.engine(key).findRemovedNames(query, resultNames, documents).slice(0, MAX_REMOVED)
        .map(([rank, [name, kind, version, address]]) =>
          ({release: number, rank, name, kind, version, address})))),
  };
}

let opened = null;
for await (const line of createInterface({input: process.stdin})) {
  let reply;
  try {
    opened = opened || openSite();
    reply = answer(opened, JSON.parse(line));
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    reply = error.problem;
  }
  process.stdout.write(JSON.stringify(reply) + "\n");
}
