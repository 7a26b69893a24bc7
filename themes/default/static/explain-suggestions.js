/* Suggestions for misspelt words.
 *
 * explain-engine.js uses it for unknown words.  It needs no page, network or clock.
 */
// @ts-check
(function () {
"use strict";

const root = /** @type {any} */ (globalThis);
const {abs, min} = Math;
const MAX_NAME_WORDS = 5;

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

/** Whether `word` differs from `name` only slightly. */
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
    // a missing or doubled letter is likelier than a wrong one
    if (d <= maxDistance) matches.push([d, countBits(bits ^ each.bits), -longer, name[0] === word[0] ? 0 : 1, name]);
  }
  matches.sort((x, y) => x[0] - y[0] || x[1] - y[1] || x[2] - y[2] || x[3] - y[3] || (x[4] < y[4] ? -1 : 1));
  // more typos would leave hardly a letter of a short word
  const most = matches.length ? matches[0][0] + (word.length < 6 ? 0 : 1) : 0;
  return matches.filter((match) => match[0] <= most).slice(0, limit).map((match) => match[4]);
}

/** Those of `names` that differ from `word` by at most `most` letters, the nearest first. */
function nearValues(word, names, most) {
  return nearestNames(word, searchable(names)).filter((name) => isNear(word, name, most) && !isNumbered(word, name));
}
/** Whether two values differ in their digits alone: local1, local9. */
function isNumbered(text, value) { return text.replace(/\d+/g, "0") === value.replace(/\d+/g, "0"); }

/** The suggestions of an engine; they are cached. */
root.dconvExplain.suggestions = () => {
  const suggested = new Map(), groups = new Map();
  /** Those of the names of `group`, which `candidates` makes once, that `word` may mean, the nearest first. */
  function suggest(word, group, candidates) {
    const key = `${group}\n${word}`;
    let names = suggested.get(key);
    if (!names) {
      if (suggested.size > 5000) suggested.clear();
      let list = groups.get(group);
      if (!list) groups.set(group, list = searchable(candidates()));
      suggested.set(key, names = nearestNames(word, list));
    }
    return names;
  }

  /** What the `words` of a line may mean in `section`, whose names are of `kinds`: those that are
   * `close` to `name`, which is unknown from word `at` on; or the row whose text lists it.
   */
  function directive({release, get, keys, isSection}, kinds, section, words, firstKnown, removed) {
    const [first, second] = words, bareWords = words.map((each) => each.replace(/\(.*$/, ""));
    // with the optional prefix, or nearly the same
    const wordsOf = (name, close = []) => [...release.optionalPrefixes.map((prefix) => `${prefix} ${name}`).filter((each) => get(kinds, each)), ...close];
    for (let n = min(MAX_NAME_WORDS, bareWords.length); n > (firstKnown ? 1 : 0); n--) {
      const name = bareWords.slice(0, n).join(" ");
      if (removed.has(name)) return {close: wordsOf(name), name};
    }
    if (!firstKnown || !second) {
      const close = firstKnown ? keys(kinds).filter((name) => name.startsWith(`${first} `)).slice(0, 3) // nothing follows
        : suggest(first, section, () => [...Object.keys(release.sections), ...keys(kinds).flatMap((name) => [name, name.split(" ")[0]])]);
      const isTitle = isSection(close[0]) && !get(kinds, close[0]);
      return {isTitle, close: isTitle ? close : wordsOf(first, close)};
    }
    // the first words that begin names, and the word after them
    let at = 1, names = keys(kinds).filter((name) => name.startsWith(`${first} `));
    for (let next; at + 1 < bareWords.length && (next = names.filter((name) => name.startsWith(`${bareWords.slice(0, at + 1).join(" ")} `))).length; at++) names = next;
    const row = names.map((each) => get(kinds, each)).find((each) => each?.values?.[each.name.split(" ")[at]]?.includes(words[at]));
    if (row) return {row, at}; // its text lists the word beside its own
    const name = bareWords.slice(0, at + 1).join(" ");
    const beginnings = new Map(names.map((each) => [each.split(" ", at + 1).join(" "), each]));
    return {at, name, close: suggest(name, `${section} ${bareWords.slice(0, at).join(" ")}`, () => beginnings.keys()).map((each) => beginnings.get(each))};
  }

  /** What `word` may mean, which is no action of the rule set `row`; or null where it may be one. */
  function action({release, keys, kindsOf}, row, word, argumentsOf, removed) {
    const {name: rule} = row, name = word.replace(/\(.*$/, "");
    // names of their own, names after the rule's, or in its signature
    if (!row.actions) {
      const names = keys(kindsOf("action"));
      if (!names.length && row.signatures.some((text) => /[{|]/.test(argumentsOf(text, rule).replace(/\[[^\]]*\]\s*$/, "")))) {
        names.push(...row.signatures.join(" ").replace(/<[^>]*>/g, " ").match(/[a-z][a-z0-9_-]+/g) || [], ...Object.values(row.values || {}).flat());
      }
      for (const each of Object.values(release.sections).flat().flatMap(keys)) if (each.startsWith(`${rule} `)) names.push(each.slice(rule.length + 1));
      row.actions = names;
    }
    if (!row.actions.length || row.actions.includes(name) || /^lua\./.test(name)) return null;
    return {close: suggest(name, rule, () => row.actions), length: name.length, name: removed.has(`${rule} ${name}`) ? `${rule} ${name}` : name};
  }

  /** The row of a name of other sections, of more than `least` words or of values that it lists, that begins
   * `words`, and those sections; or null. */
  function inOtherSections({release, byName}, kinds, words, least, mayBeIn) {
    for (let n = min(MAX_NAME_WORDS, words.length); n > 0; n--) {
      const name = words.slice(0, n).join(" ").replace(/\([^ ]*$/, "");
      const listsNext = (row) => Object.values(row.values || {}).some((values) => values.includes(words[n]));
      const others = (byName.get(name) || []).filter((row) => !kinds.includes(row.kind) && (n > least || listsNext(row)))
        .map((row) => ({row, where: Object.keys(release.sections).filter((each) => release.sections[each].includes(row.kind) && mayBeIn(row, each))})).filter(({where}) => where.length);
      if (others.length) return {row: others[0].row, sections: [...new Set(others.flatMap(({where}) => where))]};
    }
    return null;
  }
  return {action, directive, inOtherSections, nearValues, suggest};
};
})();
