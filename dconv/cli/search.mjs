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

const RIVALS = 16; // results that removed names are compared with, as many as pages show
const MOST_REMOVED = 3; // names of one release, as in pages
const [scripts, ...folders] = process.argv.slice(2);
for (const name of ["search-engine.js", "search-marks.js", "search-reading.js"]) {
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

/** The data of the file of a tier: what stands between the brackets of its one call. */
function read(folder, tier) {
  const file = join(folder, `search-${tier}.js`);
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

function opened(folder, number) {
  const data = {};
  for (const tier of ["names", "lines", "text"]) data[tier] = read(folder, tier);
  return {number, folder, parts: new Map(), engine: checked(folder, () => search.engine(data))};
}

/** The sentence of a text that says most of the query, or "". */
function sentence(release, {why, part, text, marks, weights}) {
  if (why !== "text" || part < 0) return "";
  if (!release.parts.has(part)) release.parts.set(part, read(release.folder, `part-${part}`));
  return search.sentence(release.parts.get(part)[text] || [], search.wanted(marks, weights));
}

/** Of several releases, what equals the query comes first, then the best of each in turn. */
function answer(releases, {query, limit = 20, documents = []}) {
  const options = {limit: Math.max(limit, RIVALS), documents};
  const hits = releases.flatMap((release) => checked(release.folder, () =>
    release.engine.search(query, options).map((hit, place) =>
      ({release, hit, place, near: Number(hit.band > search.LAST_EQUAL)}))));
  const rivals = hits.map(({hit}) => hit.name);
  hits.sort((hit, other) => hit.near - other.near || hit.place - other.place);
  return {
    results: hits.slice(0, limit).map(({release, hit}) =>
      ({...hit, release: release.number, sentence: sentence(release, hit)})),
    removed: releases.flatMap((release) => checked(release.folder, () =>
      release.engine.former(query, rivals, documents).slice(0, MOST_REMOVED)
        .map(([rank, [name, kind, version, address]]) =>
          ({release: release.number, rank, name, kind, version, address})))),
  };
}

let releases = null;
for await (const line of createInterface({input: process.stdin})) {
  let reply;
  try {
    releases = releases || folders.map(opened);
    reply = answer(releases, JSON.parse(line));
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    reply = error.problem;
  }
  process.stdout.write(JSON.stringify(reply) + "\n");
}
