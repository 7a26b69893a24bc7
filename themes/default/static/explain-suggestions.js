/* What misspelt words may mean.
 *
 * explain-engine.js asks for it where it finds a word that it does not know.  No page, network or clock.
 */
// @ts-check
(function () {
"use strict";

const root = /** @type {any} */ (globalThis);
const {abs, min} = Math;

/** A bit for each letter that `word` has. */
function letterMask(word) {
  let bits = 0;
  for (let n = 0; n < word.length; n++) bits |= 1 << (word.charCodeAt(n) & 31);
  return bits;
}
function countBits(bits) {
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

let older = new Uint8Array(128), old = new Uint8Array(128), row = new Uint8Array(128);
/** The distance of optimal string alignment (Damerau), or more than `maxDistance`; of 100 letters at most. */
function distance(a, b, maxDistance) {
  if (abs(a.length - b.length) > maxDistance || b.length > 100) return maxDistance + 1;
  for (let j = 0; j <= b.length; j++) old[j] = j;
  for (let i = 1; i <= a.length; i++) {
    let low = row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = same ? old[j - 1] : min(old[j], row[j - 1], old[j - 1]) + 1;
      if (i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1)) cost = min(cost, older[j - 2] + 1);
      row[j] = cost;
      if (cost < low) low = cost;
    }
    if (low > maxDistance) return maxDistance + 1;
    const spare = older;
    older = old; old = row; row = spare;
  }
  return old[b.length];
}

/** Whether `word` is hardly another than `name`. */
const isNear = (word, name, most = word.length < 6 ? 1 : 2) => distance(word, name, most) <= most;

const withoutSeparators = (text) => text.replace(/[-_. ]/g, "").toLowerCase();
const searchable = (names) => Array.from(new Set(names), (name) => ({name, bits: letterMask(name), bare: withoutSeparators(name)}));

/** Those of the `searchable` names that `word` may mean, the nearest first. */
function nearestNames(word, candidates, limit = 3) {
  if (word.length > 60 || word.length < 2) return [];
  const maxDistance = word.length < 4 ? 1 : word.length < 8 ? 2 : 3;
  const matches = [], bare = withoutSeparators(word), bits = letterMask(word);
  for (const each of candidates) {
    const {name} = each, longer = name.length - word.length;
    if (longer > maxDistance + 3 || longer < -maxDistance - 3) continue;
    let d = maxDistance + 1;
    if (countBits(bits ^ each.bits) <= 2 * maxDistance && longer <= maxDistance && longer >= -maxDistance) d = distance(word, name, maxDistance);
    if (d > 0.5 && each.bare === bare) d = 0.5;
    // a letter that is missing or twice is likelier than another letter
    if (d <= maxDistance) matches.push([d, countBits(bits ^ each.bits), -longer, name[0] === word[0] ? 0 : 1, name]);
  }
  matches.sort((x, y) => x[0] - y[0] || x[1] - y[1] || x[2] - y[2] || x[3] - y[3] || (x[4] < y[4] ? -1 : 1));
  // of a short word hardly a letter is left where more is wrong
  const most = matches.length ? matches[0][0] + (word.length < 6 ? 0 : 1) : 0;
  return matches.filter((match) => match[0] <= most).slice(0, limit).map((match) => match[4]);
}

/** Those of `names` that `word` is hardly another than, the nearest first: at most `most` letters differ. */
function nearValues(word, names, most) {
  return nearestNames(word, searchable(names)).filter((name) => isNear(word, name, most) && !isNumbered(word, name));
}
/** Whether two values differ in their digits alone: local1, local9. */
function isNumbered(text, value) { return text.replace(/\d+/g, "0") === value.replace(/\d+/g, "0"); }

/** The suggestions of an engine, which keep what was asked before. */
root.dconvExplain.suggestions = () => {
  const suggested = new Map(), groups = new Map();
  /** Those of the names of `group`, which `candidates` makes once, that `word` may mean, the nearest first. */
  function suggest(word, group, candidates) {
    const key = `${group}\n${word}`;
    let found = suggested.get(key);
    if (!found) {
      if (suggested.size > 5000) suggested.clear();
      let list = groups.get(group);
      if (!list) groups.set(group, list = searchable(candidates()));
      suggested.set(key, found = nearestNames(word, list));
    }
    return found;
  }
  return {nearValues, suggest};
};
})();
