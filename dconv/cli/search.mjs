/* The search of a built site on a terminal: `dconv search` and the tests ask it.
 *
 *   node search.mjs SCRIPTS RELEASE... < REQUESTS
 *
 * SCRIPTS is the folder of the scripts that pages load, each RELEASE the folder of a release.
 * A request is a line of JSON: {"query", "limit", "documents"}, the last two optional.  It is
 * answered by a line: {"results": [{"release", …a result of the engine, "sentence"}],
 * "removed": [{"release", "rank", "name", "kind", "version", "address"}]}, where "release" is
 * the number of a folder; or by {"missing": FILE} or {"damaged": FOLDER}.
 * Of the site only data is read, as JSON: no script of it is run.
 */
import {existsSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {createInterface} from "node:readline";
import vm from "node:vm";

const COMPARED_RESULTS = 16; // results that removed names are compared with, as many as pages show
const MAX_REMOVED = 3; // names of one release, as in pages
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

/** The data of the file `search-NAME.js`: what stands between the brackets of its one call. */
function read(folder, name) {
  const file = join(folder, `search-${name}.js`);
  if (!existsSync(file)) throw new DataError({missing: file});
  return checked(folder, function () {
    const script = readFileSync(file, "utf8");
    return JSON.parse(script.slice(script.indexOf("{"), script.lastIndexOf("}") + 1));
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

function openRelease(folder, number) {
  const data = {};
  for (const name of ["names", "lines", "text"]) data[name] = read(folder, name);
  return {number, folder, parts: new Map(), engine: checked(folder, () => search.engine(data))};
}

/** The sentence of a text that says most of the query, or "". */
function sentence(release, {why, part, text, marks, weights}) {
  if (why !== "text" || part < 0) return "";
  if (!release.parts.has(part)) release.parts.set(part, read(release.folder, `part-${part}`));
  return search.sentence(release.parts.get(part)[text] || [], search.matcher(marks, weights));
}

/** Names equal to the query come first, then the best results of each release in turn. */
function answer(releases, {query, limit = 20, documents = []}) {
  const options = {limit: Math.max(limit, COMPARED_RESULTS), documents};
  const matches = releases.flatMap((release) => checked(release.folder, () =>
    release.engine.search(query, options).map((result, position) =>
      ({release, result, position, isInexact: Number(result.band > search.LAST_EQUAL)}))));
  const resultNames = matches.map(({result}) => result.name);
  matches.sort((result, other) =>
    result.isInexact - other.isInexact || result.position - other.position);
  return {
    results: matches.slice(0, limit).map(({release, result}) =>
      ({...result, release: release.number, sentence: sentence(release, result)})),
    removed: releases.flatMap((release) => checked(release.folder, () =>
      release.engine.findRemovedNames(query, resultNames, documents).slice(0, MAX_REMOVED)
        .map(([rank, [name, kind, version, address]]) =>
          ({release: release.number, rank, name, kind, version, address})))),
  };
}

let releases = null;
for await (const line of createInterface({input: process.stdin})) {
  let reply;
  try {
    releases = releases || folders.map(openRelease);
    reply = answer(releases, JSON.parse(line));
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    reply = error.problem;
  }
  process.stdout.write(JSON.stringify(reply) + "\n");
}
