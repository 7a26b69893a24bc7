/* The search of a release: names first, then texts.  No page, no network, no clock.
 *
 * dconv/search/engine.py is the same program in Python, with the reasons; a test asks
 * both thousands of queries.  docs/search.md explains the ranking and the data.
 *
 *   const engine = dconvSearch.engine({names, lines, text});    // the last two may come later
 *   engine.add("text", data);
 *   engine.search("set header", {limit: 20, documents: ["configuration"]});
 */
// @ts-check
(function () {
"use strict";

const CAPITALS = [
  [0x41, 0x5A, 32], [0xC0, 0xD6, 32], [0xD8, 0xDE, 32], [0x391, 0x3A1, 32],
  [0x3A3, 0x3AB, 32], [0x400, 0x40F, 80], [0x410, 0x42F, 32],
];
const CAPITAL = /[A-Z\u00c0-\u00d6\u00d8-\u00de\u0391-\u03a1\u03a3-\u03ab\u0400-\u042f]/g;
const WORD = /[a-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2c00-\u2fff\u3040-\ud7ff\ue000-\ufeff\uff10-\uffff]+/g;
const BLANKS = /[ \t\n\r\f\v\u00a0]+/g;
const ARGUMENTS = /[([{<][^\n]*/;
const OWN = 0, LONGER = 1, HEADLESS = 2, TERM = 3;
const KIND_COST = 40, MENTION_GAIN = 60, LENGTH_COST = 4, LONGEST_NAME = 60;
const DEPRECATED_COST = 6000;
const WRITTEN = 0, SMALL = 1, SQUASHED = 2, WITHOUT_HEAD = 3, ABBREVIATED = 4, BEGINNING = 5;
const IN_ORDER = 6, ANY_ORDER = 7, WITHIN = 8, DISTANT = 9, DISTANT_WORDS = 10;
const DISTANT_BEGINNING = 11;
const BAND = 10000, DISTANCE = 1000, SCOPED = 500, WAY = 100, APART_COST = 100;
const TURNED = 200, ENDING = 300, CUT = 400;
const MORE = 1, SHORTEST_WITHIN = 3, LONGEST_QUERY = 120, MOST_WORDS = 12, SCOPE_WORDS = 2;
const EIGHTHS = 8, ITSELF = 8, SHORT = 7, STARTS = 4, APART = 5, MISSPELT = 5;
const SHORTEST_START = 2, MOST_STARTS = 64, SHORTEST_PART = 2, MOST_KEPT = 256;
const SYNONYM = 2, TOP = 1000;
const TASK_SHORT = 7, TASK_STARTS = 7, TASK_SYNONYM = 4, BOTH = 2000, ELSEWHERE = 600;
const WHOLE = 1000, NEAR_TASK = 300, TASK_STEP = 100, LEAST = 4, STRANGE = 5;
const PHRASE_GAIN = 2, PHRASE_START = 500, HIGHEST = 10000;
const GAINS = {6: 700, 7: 500, 8: 150, 9: 150, 10: 90, 11: 40};
const GAINS_UNKNOWN = {6: 700, 7: 500, 8: 150, 9: 1500, 10: 1000, 11: 700};

/* --- words ------------------------------------------------------------------------- */

function lower(text) {
  return text.replace(CAPITAL, function (letter) {
    const code = letter.charCodeAt(0);
    const range = CAPITALS.find(([first, last]) => code >= first && code <= last);
    return String.fromCharCode(code + (range ? range[2] : 0));
  });
}

function tokens(text) {
  return lower(text).match(WORD) || [];
}

function folded(text) {
  return text.replace(BLANKS, " ").replace(/^ | $/g, "");
}

function stem(word) {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  word = withoutVerbEnding(withoutPlural(word));
  return word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word;
}

function withoutPlural(word) {
  if (word.endsWith("ies") && word.length > 4) return word.slice(0, -3) + "y";
  return word.endsWith("s") && !/(?:ss|us|is|tps)$/.test(word) ? word.slice(0, -1) : word;
}

function withoutVerbEnding(word) {
  if (word.endsWith("ied") && word.length > 4) return word.slice(0, -3) + "y";
  for (const ending of ["ing", "ed"]) {
    const rest = word.slice(0, -ending.length);
    if (word.endsWith(ending) && rest.length >= 3 && /[aeiouy]/.test(rest)) {
      const last = rest[rest.length - 1];
      const twice = last === rest[rest.length - 2] && !"lsz".includes(last);
      return twice ? rest.slice(0, -1) : rest;
    }
  }
  if (/[st]ion$/.test(word) && word.length >= 7) return word.slice(0, -3);
  return word.endsWith("ly") && word.length > 5 ? word.slice(0, -2) : word;
}

/* --- data -------------------------------------------------------------------------- */

const ALPHABET = Array.from({length: 95}, (_, at) => String.fromCharCode(32 + at))
  .filter((letter) => !"\"\\<".includes(letter)).join("");
const BASE = ALPHABET.length >> 1;
const VALUES = new Uint8Array(128);
for (let at = 0; at < ALPHABET.length; at++) VALUES[ALPHABET.charCodeAt(at)] = at;

function decode(text) {
  const numbers = [];
  let number = 0;
  for (let at = 0; at < text.length; at++) {
    const value = VALUES[text.charCodeAt(at)];
    if (value < BASE) {
      numbers.push(number * BASE + value);
      number = 0;
    } else {
      number = number * BASE + value - BASE;
    }
  }
  return numbers;
}

function full(words, abbreviations) {
  return words.map((word) => abbreviations.get(word) || word).join("");
}

function put(map, key, value) {
  const known = map.get(key);
  if (known) known.push(value); else map.set(key, [value]);
}

function repeated(counts) {
  return counts.flatMap((count, at) => Array(count).fill(at));
}

function readNames(data) {
  const kindOf = repeated(data.counts);
  const first = new Map();
  let start = 0;
  data.kinds.forEach(function (kind, at) {
    first.set(kind, start);
    start += data.counts[at];
  });
  const sectionDocuments = repeated(data.sections.documents);
  const numbers = sectionDocuments.length ? data.sections.numbers.split("\n") : [];
  const owners = decode(data.owners).map(
    (number, row) => row + (number % 2 ? -(number >> 1) - 1 : number >> 1));
  const own = kindOf.length ? data.names.split("\n") : [];
  const names = own.map((name, row) => name.startsWith(" ") ? own[owners[row]] + name : name);
  const firstDocument = first.has("document") ? first.get("document") : names.length;
  const firstSection = first.has("section") ? first.get("section") : names.length;
  const spots = decode(data.spots).map((number) => number - 1);
  spots.splice(firstDocument, 0, ...data.documents.map(() => -1));
  const deprecated = new Set(data.deprecated);
  const section = data.kinds.indexOf("section");
  const priors = Array.from(data.mentions, (digit, row) =>
    KIND_COST * kindOf[row] - MENTION_GAIN * Number(digit)
    + LENGTH_COST * Math.min(LONGEST_NAME, kindOf[row] === section ? 0 : characters(names[row]))
    + (deprecated.has(row) ? DEPRECATED_COST : 0));
  const found = {
    documents: data.documents, kinds: data.kinds, names, kindOf, spots, owners, priors, deprecated,
    sectionDocuments, numbers, section, firstSection, firstDocument,
    argument: data.kinds.indexOf("argument"),
    files: numbers.map((number, at) => data.sections.files[at] || number + ".html"),
    anchors: data.anchors, slugs: data.kinds.map(slug), others: readOthers(data),
    heads: data.heads.map((head) => tokens(head[head.length - 1]).length ? head + " " : head),
    abbreviations: new Map(Object.entries(data.abbreviations)),
    scopes: new Map(Object.entries(data.scopes).map(([word, kinds]) => [word, new Set(kinds)])),
    noise: new Set(data.noise), forms: [], exact: new Map(), small: new Map(), squashed: new Map(),
  };
  const small = names.map(lower);
  addForms(found, data, small);
  names.forEach(function (name, row) {
    put(found.exact, name, row);
    put(found.small, small[row], row);
  });
  return found;
}

function characters(text) {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length;
}

function slug(text) {
  return lower(text).replace(/ /g, "-");
}

/** The anchors that do not follow from names, by row. */
function readOthers(data) {
  const others = data.other.split("\n"), found = new Map();
  for (let row = data.anchors.indexOf("4"); row >= 0; row = data.anchors.indexOf("4", row + 1)) {
    found.set(row, others[found.size]);
  }
  return found;
}

function anchorOf(names, row) {
  const name = names.names[row], owner = names.owners[row], written = name.replace(/ /g, "-");
  const head = names.names[owner] + " ";
  switch (names.anchors[row]) {
    case "1": return written;
    case "2": return names.slugs[names.kindOf[row]] + "." + written;
    case "3": return anchorOf(names, owner) + "."
      + (name.startsWith(head) ? written.slice(head.length) : written);
    case "4": return names.others.get(row);
    default: return "";
  }
}

/** Add the forms of all names, given in small letters. */
function addForms(found, data, names) {
  function add(row, way, name) {
    const words = name.match(WORD);
    if (!words) return;
    const squashed = words.length > 1 ? words.join("") : words[0];
    const known = words.some((word) => found.abbreviations.has(word));
    const form = {
      row, way, words, squashed, full: known ? full(words, found.abbreviations) : squashed,
      letters: letters(squashed),
    };
    found.forms.push(form);
    put(found.squashed, squashed, form);
    if (form.full !== squashed) put(found.squashed, form.full, form);
  }
  names.forEach(function (name, row) {
    add(row, OWN, name);
    const head = headOf(name, found.heads);
    if (head) add(row, HEADLESS, name.slice(head));
    const owner = found.owners[row];
    if (owner !== row && found.names[row].startsWith(found.names[owner] + " ")) {
      add(row, TERM, name.slice(found.names[owner].length + 1));
    }
  });
  for (let at = 0; at < data.sets.length; at += 2) {
    data.prefixes.forEach(function (prefix, bit) {
      if (data.sets[at + 1] >> bit & 1) {
        add(data.sets[at], LONGER, lower(prefix) + " " + names[data.sets[at]]);
      }
    });
  }
  found.numbers.forEach((number, at) => add(found.firstSection + at, LONGER, lower(number)));
  data.documents.forEach((document, at) =>
    add(found.firstDocument + at, LONGER, lower(document[0])));
}

function headless(name, heads) {
  return name.slice(headOf(lower(name), heads));
}

/** The length of the first of `heads` that `name` starts with and that leaves something, or 0. */
function headOf(name, heads) {
  const head = heads.find((start) => name.startsWith(start) && name.length > start.length);
  return head ? head.length : 0;
}

function readText(data, rows) {
  const terms = [];
  for (const coded of data.terms.split("\n")) {
    if (coded) {
      const before = terms.length ? terms[terms.length - 1] : "";
      terms.push(before.slice(0, VALUES[coded.charCodeAt(0)]) + coded.slice(1));
    }
  }
  const frequencies = decode(data.frequencies), gaps = decode(data.places);
  const starts = new Int32Array(terms.length + 1);
  frequencies.forEach((frequency, at) => starts[at + 1] = starts[at] + frequency);
  const places = new Int32Array(gaps.length), weights = new Uint16Array(gaps.length);
  const own = sums(decode(data.rows));
  const order = frequencies.map((frequency, at) => frequency * 0x100000 + at);
  let from = 0;
  for (const key of Float64Array.from(order).sort()) {
    const word = key % 0x100000;
    let text = -1;
    for (let at = starts[word]; at < starts[word + 1]; at++) {
      text += gaps[from] + 1;
      places[at] = own[text];
      weights[at] = data.values[VALUES[data.levels.charCodeAt(from++)]];
    }
  }
  return {
    terms, starts, places, weights, total: data.texts, parts: data.parts,
    phrases: readPhrases(data, terms), synonyms: readSynonyms(data.synonyms),
    numbers: new Map(terms.map((term, at) => [term, at])),
    letters: Int32Array.from(terms, letters), corrections: new Map(),
    best: new Int32Array(rows), sums: new Int32Array(rows), covered: new Int32Array(rows),
  };
}

/** The numbers that have `gaps` between them. */
function sums(gaps) {
  let number = -1;
  return gaps.map((gap) => number += gap + 1);
}

function readPhrases(data, terms) {
  const targets = decode(data.targets), wordings = decode(data.wordings), found = [];
  for (let at = 0, from = 0; at < targets.length;) {
    const count = targets[at], rows = targets.slice(at + 2, at += 2 + targets[at + 1]);
    for (let phrase = 0; phrase < count; phrase++) {
      const stems = wordings.slice(from + 1, from += 1 + wordings[from]);
      found.push([stems.map((stem) => terms[stem]), rows]);
    }
  }
  return found;
}

function readSynonyms(groups) {
  const found = new Map();
  for (const group of groups) {
    const [first, ...others] = group.split(" ");
    for (const other of others) put(found, other, first);
  }
  return found;
}

/** The wordings of all phrases: what each weighs, its phrase, and by stems those that have it. */
function readTasks(data, found, names) {
  const phraseOf = [], said = new Map(), phrases = new Map(), rows = [];
  found.forEach(function ([stems, own], at) {
    if (!rows.length || rows[rows.length - 1].join() !== own.join()) rows.push(own);
    const phrase = rows.length - 1;
    phraseOf.push(phrase);
    for (const one of stems) {
      put(said, one, at);
      const known = phrases.get(one);
      if (!known) phrases.set(one, [phrase]);
      else if (known[known.length - 1] !== phrase) known.push(phrase);
    }
  });
  const most = length(rows.length), weights = new Map();
  for (const [one, known] of phrases) weights.set(one, LEAST + most - length(known.length));
  return {
    phraseOf, said, phrases, weights, rows, relatives: readRelatives(names, data.synonyms),
    own: found.map(([stems]) => stems.reduce((sum, one) => sum + weights.get(one), 0)),
    best: new Int32Array(found.length), shared: new Int32Array(found.length),
    anywhere: new Int32Array(rows.length),
  };
}

function readRelatives(names, synonyms) {
  const groups = new Map(), same = new Map(), found = new Map();
  for (const [short, word] of names.abbreviations) {
    const own = stem(word);
    if (!groups.has(own)) groups.set(own, new Set([own]));
    groups.get(own).add(stem(short));
  }
  for (const group of groups.values()) {
    for (const one of group) same.set(one, new Set([...same.get(one) || [], ...group]));
  }
  for (const [one, group] of same) {
    found.set(one, new Map(Array.from(group, (other) => [other, TASK_SHORT])));
  }
  for (const like of synonyms.map((group) => group.split(" "))) {
    const wide = new Set(like.flatMap((one) => [one, ...same.get(one) || []]));
    for (const one of like) {
      if (!found.has(one)) found.set(one, new Map());
      const own = found.get(one);
      for (const other of wide) if (!own.has(other)) own.set(other, TASK_SYNONYM);
    }
  }
  return found;
}

/* --- the first tier: names ---------------------------------------------------------- */

function readQuery(names, text, kinds) {
  const start = text.length > LONGEST_QUERY ? Array.from(text).slice(0, LONGEST_QUERY).join("") : text;
  const words = tokens(start).slice(0, MOST_WORDS);
  const squashed = words.join("");
  return {
    text, words, squashed, full: full(words, names.abbreviations), kinds, letters: letters(squashed),
  };
}

function scoped(names, query) {
  const found = [], words = query.words;
  for (let count = 1; count <= Math.min(SCOPE_WORDS, words.length - 1); count++) {
    for (const [scope, rest] of [
      [words.slice(0, count), words.slice(count)],
      [words.slice(-count), words.slice(0, -count)],
    ]) {
      const kinds = names.scopes.get(scope.join(" "));
      if (kinds) found.push(readQuery(names, rest.join(" "), kinds));
    }
  }
  return found;
}

function note(found, row, rank) {
  const known = found.get(row);
  if (known === undefined || known > rank) found.set(row, rank);
}

function exact(names, query) {
  const found = new Map();
  for (const [band, rows] of [
    [WRITTEN, names.exact.get(query.text)], [SMALL, names.small.get(lower(query.text))],
  ]) {
    for (const one of rows || []) {
      note(found, one, (names.kindOf[one] === names.section ? SQUASHED : band) * BAND);
    }
  }
  equal(names, query, 0, found);
  for (const other of scoped(names, query)) equal(names, other, SCOPED, found);
  return found;
}

function equal(names, query, plus, found) {
  if (!query.squashed) return;
  const shorter = [headless(query.text, names.heads), query.text.replace(ARGUMENTS, "")]
    .map((rest) => tokens(rest).join(""));
  for (const key of new Set([query.squashed, query.full, ...shorter])) {
    for (const form of (key && names.squashed.get(key)) || []) {
      if (query.kinds && !query.kinds.has(names.kindOf[form.row])) continue;
      let band = ABBREVIATED;
      if (form.squashed === query.squashed) {
        band = form.way < HEADLESS ? SQUASHED : WITHOUT_HEAD;
      } else if (shorter.includes(form.squashed)) {
        band = WITHOUT_HEAD;
      }
      note(found, form.row, band * BAND + plus + form.way * WAY);
    }
  }
}

function readings(names, query) {
  return [[query, 0], ...scoped(names, query).map((other) => [other, SCOPED])];
}

function near(names, query) {
  const found = new Map();
  for (const [one, plus] of readings(names, query)) {
    if (!one.squashed) continue;
    for (const form of names.forms) {
      if (one.kinds && !one.kinds.has(names.kindOf[form.row])) continue;
      const rank = nearRank(one, form, names.kindOf[form.row] === names.section);
      if (rank) note(found, form.row, rank + plus + form.way * WAY);
    }
  }
  return found;
}

function nearRank(query, form, title) {
  if (form.full.startsWith(query.full)) return BEGINNING * BAND + cut(query, form);
  if (query.letters & ~form.letters) return 0;
  if (form.squashed.startsWith(query.squashed)) return BEGINNING * BAND + cut(query, form);
  const count = query.words.length, rest = form.words.length - count;
  if (count > 1 && rest >= 0 && !title) {
    if (form.squashed.length === query.squashed.length
        && same(query.words.slice().sort(), form.words.slice().sort(), 0)) {
      return BEGINNING * BAND + TURNED;
    }
    if (same(query.words, form.words, rest)) return BEGINNING * BAND + ENDING;
  }
  return bandOf(query, form) * BAND;
}

function cut(query, form) {
  return query.words.length > 1 && !same(query.words, form.words, 0) ? CUT : 0;
}

function same(wanted, found, from) {
  return wanted.every((word, at) => word === found[from + at]);
}

function bandOf(query, form) {
  if (query.words.length <= form.words.length) {
    if (inOrder(query.words, form.words)) return IN_ORDER;
    if (query.words.length > 1 && inAnyOrder(query.words, form.words)) return ANY_ORDER;
  }
  if (query.squashed.length >= SHORTEST_WITHIN && form.squashed.includes(query.squashed)) {
    return WITHIN;
  }
  return 0;
}

function inOrder(wanted, found) {
  let at = 0;
  for (const word of found) if (at < wanted.length && word.startsWith(wanted[at])) at++;
  return at === wanted.length;
}

function inAnyOrder(wanted, found) {
  const free = found.slice();
  for (const word of wanted) {
    const at = free.findIndex((other) => other.startsWith(word));
    if (at < 0) return false;
    free.splice(at, 1);
  }
  return true;
}

/* --- spelling ----------------------------------------------------------------------- */

function allowed(length) {
  return length < 4 ? 0 : length < 8 ? 1 : length < 14 ? 2 : 3;
}

/* three rows of the table of distances, used by turns; no word has more letters */
let above = new Int32Array(256), row = new Int32Array(256), current = new Int32Array(256);
let beginning = 0;  // the second result of `distance`: the least from a beginning

/** The distance of `one` from `other`; what is above `most` is `most + 1`. */
function distance(one, other, most) {
  const far = most + 1;
  beginning = far;
  if (other.length < one.length - most) return far;
  const width = Math.min(other.length, one.length + far);
  for (let j = 0; j <= width; j++) row[j] = j;
  let low = 0, letter = 0;
  for (let i = 1; i <= one.length; i++) {
    const before = letter;
    letter = one.charCodeAt(i - 1);
    current[0] = i;
    let least = i, left = i, last = 0;
    for (let j = 1; j <= width; j++) {
      const code = other.charCodeAt(j - 1);
      let value;
      if (letter === code) {
        value = row[j - 1];
        if (row[j] + 1 < value) value = row[j] + 1;
        if (left + 1 < value) value = left + 1;
      } else {
        value = row[j - 1];
        if (row[j] < value) value = row[j];
        if (left < value) value = left;
        value++;
        if (i > 1 && j > 1 && letter === last && before === code && above[j - 2] + 1 < value) {
          value = above[j - 2] + 1;
        }
      }
      current[j] = left = value;
      last = code;
      if (value < least) least = value;
    }
    if (least > most && low > most) return far;
    const free = above;
    above = row;
    row = current;
    current = free;
    low = least;
  }
  beginning = Math.min(low, far);
  return Math.min(row[width], far);
}

function letters(word) {
  let mask = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (code >= 97 && code <= 122) mask |= 1 << (code - 97);
    else if (code >= 50 && code <= 55) mask |= 1 << (code - 24);
  }
  return mask;
}

function bits(mask) {
  let count = 0;
  for (; mask; mask &= mask - 1) count++;
  return count;
}

function misspelt(names, query, more = 0) {
  const found = new Map();
  for (const [one, plus] of readings(names, query)) {
    const most = Math.min(allowed(one.squashed.length) + more, one.squashed.length - 2);
    for (const form of most > 0 ? names.forms : []) {
      if (one.kinds && !one.kinds.has(names.kindOf[form.row])) continue;
      if (bits(one.letters & ~form.letters) <= most) {
        const rank = distant(one, form, most);
        if (rank) note(found, form.row, rank + plus + form.way * WAY);
      }
    }
  }
  return found;
}

function distant(query, form, most) {
  const whole = distance(query.squashed, form.squashed, most);
  const start = beginning;
  if (whole <= most) {
    const apart = distance(query.words.join(" "), form.words.join(" "), most + 2);
    return DISTANT * BAND + whole * DISTANCE + apart * APART_COST;
  }
  if (query.words.length > 1) {
    const apart = wordsApart(query.words, form.words);
    if (apart >= 0) return DISTANT_WORDS * BAND + Math.min(apart, 4) * DISTANCE;
  }
  return start <= most ? DISTANT_BEGINNING * BAND + start * DISTANCE : 0;
}

function wordsApart(wanted, found) {
  const free = found.slice();
  let total = 0;
  for (const word of wanted) {
    const most = allowed(word.length);
    let best = most + 1, place = -1;
    for (let at = 0; at < free.length; at++) {
      const apart = free[at].startsWith(word) ? 0 : most ? distance(word, free[at], most) : 1;
      if (apart < best) {
        best = apart;
        place = at;
      }
    }
    if (place < 0) return -1;
    total += best;
    free.splice(place, 1);
  }
  return total;
}

/** The rows by a whole number, the least first, then by their priors, then as they come. */
function sorted(names, rows, number) {
  const keys = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const one = rows[at];
    keys[at] = (number(one) * 0x4000 + names.priors[one] + 0x400) * 0x100000 + one;
  }
  return Array.from(keys.sort(), (key) => key % 0x100000);
}

function ranked(names, found) {
  return sorted(names, Array.from(found.keys()), (one) => found.get(one));
}

function byPrior(names, rows) {
  return rows.length < 2 ? rows : sorted(names, rows, () => 0);
}

/* --- the second tier: texts --------------------------------------------------------- */

function frequency(texts, term) {
  return texts.starts[term + 1] - texts.starts[term];
}

function length(number) {
  return 32 - Math.clz32(number);
}

function telling(names, query) {
  const found = query.words.filter((word) => !names.noise.has(word));
  return found.length ? found : query.words;
}

function wantedWords(names, texts, query) {
  const found = [];
  const said = telling(names, query);
  said.forEach(function (word, at) {
    const own = stem(word);
    if (found.some((other) => other.stem === own)) return;
    const number = texts.numbers.get(own);
    const last = at === said.length - 1;
    if (number !== undefined && !frequency(texts, number) && !last) return;
    const neighbours = at ? [said[at - 1] + word] : [];
    if (!last) neighbours.push(word + said[at + 1]);
    found.push(wantedWord(names, texts, word, own, neighbours, last));
  });
  return found;
}

function wantedWord(names, texts, word, own, neighbours, last) {
  const candidates = new Map();
  function set(numbers, eighths) {
    const key = numbers.join();
    if (!candidates.has(key)) candidates.set(key, [numbers, eighths]);
  }
  function add(term, eighths) {
    const number = texts.numbers.get(term);
    if (number !== undefined && frequency(texts, number)) set([number], eighths);
  }
  add(own, ITSELF);
  for (const neighbour of neighbours) add(stem(neighbour), ITSELF);
  if (names.abbreviations.has(word)) add(stem(names.abbreviations.get(word)), SHORT);
  const synonyms = texts.synonyms.get(own) || [];
  const known = candidates.size > 0 || texts.numbers.has(own) || synonyms.length > 0;
  const itself = Array.from(candidates.values());
  for (const synonym of synonyms) add(synonym, SYNONYM);
  if (last && word.length >= SHORTEST_START) {
    for (const number of starting(texts, word)) {
      if (frequency(texts, number)) set([number], STARTS);
    }
  }
  const wrong = !known && !candidates.size;
  if (wrong) for (const [numbers, eighths] of corrected(texts, word, own)) set(numbers, eighths);
  let most = 0;
  for (const [numbers] of itself.length ? itself : candidates.values()) {
    for (const number of numbers) most = Math.max(most, frequency(texts, number));
  }
  return {
    word, stem: own, candidates: Array.from(candidates.values()), known, corrected: wrong,
    weight: 1 + length(texts.total) - length(most),
  };
}

function starting(texts, word) {
  let start = 0, end = texts.terms.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    if (texts.terms[middle] < word) start = middle + 1; else end = middle;
  }
  const found = [];
  while (start < texts.terms.length && found.length < MOST_STARTS
         && texts.terms[start].startsWith(word)) {
    found.push(start++);
  }
  return found;
}

function corrected(texts, word, own) {
  const kept = texts.corrections.get(word);
  if (kept) return kept;
  let found = [], best = 0;
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++) {
    const numbers = [word.slice(0, at), word.slice(at)].map((part) => texts.numbers.get(stem(part)));
    if (numbers.includes(undefined)) continue;
    const rarest = Math.min(...numbers.map((number) => frequency(texts, number)));
    if (rarest > best) {
      best = rarest;
      found = [[numbers, APART]];
    }
  }
  const other = nearest(texts, own);
  if (other >= 0) found.push([[other], MISSPELT]);
  if (texts.corrections.size >= MOST_KEPT) texts.corrections.clear();
  texts.corrections.set(word, found);
  return found;
}

function nearest(texts, own) {
  const most = allowed(own.length), mask = letters(own);
  let best = most + 1, commonest = 0, found = -1;
  for (let number = 0; most && number < texts.terms.length; number++) {
    const term = texts.terms[number], often = frequency(texts, number);
    if (Math.abs(term.length - own.length) > most || !often) continue;
    if (bits(mask & ~texts.letters[number]) > most) continue;
    const apart = distance(own, term, most);
    if (apart < best || apart === best && apart <= most && often > commonest) {
      best = apart;
      commonest = often;
      found = number;
    }
  }
  return found;
}

/** The scores of texts by row; the columns of `texts` are scratch, and left as they were. */
function textScores(texts, words) {
  const {best, sums, covered} = texts;
  const total = words.reduce((sum, word) => sum + word.weight, 0);
  const rows = [];
  for (const word of words) {
    const touched = weigh(texts, word, best);
    for (const one of touched) {
      if (!sums[one]) rows.push(one);
      sums[one] += best[one];
      covered[one] += word.weight;
      best[one] = 0;
    }
  }
  let top = 0;
  for (const one of rows) {
    sums[one] = Math.floor(sums[one] * covered[one] * covered[one] / (total * total));
    if (sums[one] > top) top = sums[one];
  }
  const found = new Map();
  for (const one of rows) {
    if (top) found.set(one, Math.floor(sums[one] * TOP / top));
    sums[one] = covered[one] = 0;
  }
  return found;
}

/** Put what `word` weighs at each text into `best`; the rows where it weighs something. */
function weigh(texts, word, best) {
  const touched = [];
  for (const [numbers, eighths] of word.candidates) {
    const own = numbers.length > 1 ? new Map() : null;
    for (const number of numbers) {
      for (let at = texts.starts[number]; at < texts.starts[number + 1]; at++) {
        const one = texts.places[at], weight = texts.weights[at];
        if (own) own.set(one, (own.get(one) || 0) + weight);
        else put(one, Math.floor(weight * eighths / EIGHTHS));
      }
    }
    if (own) {
      for (const [one, sum] of own) put(one, Math.floor(sum * eighths / (EIGHTHS * numbers.length)));
    }
  }
  function put(one, weight) {
    if (weight > best[one]) {
      if (!best[one]) touched.push(one);
      best[one] = weight;
    }
  }
  return touched;
}

/* --- tasks -------------------------------------------------------------------------- */

/** How well phrases agree with `said`, by rows; the columns of `tasks` are left as they were. */
function agreements(tasks, said) {
  const {shared, anywhere} = tasks, having = [], phrases = [];
  let total = 0;
  const stems = Array.from(new Set(said.map(stem)));
  stems.forEach(function (one, at) {
    const ways = waysOf(tasks, one, at === stems.length - 1 ? said[said.length - 1] : "");
    let weight = ways.length ? 0 : STRANGE;
    for (const [other] of ways) weight = Math.max(weight, tasks.weights.get(other));
    total += tasks.said.has(one) ? tasks.weights.get(one) : weight;
    addGains(tasks, ways, tasks.said, shared, having);
    addGains(tasks, ways, tasks.phrases, anywhere, phrases);
  });
  const agreed = new Map(), found = new Map();
  for (const wording of having) {
    const phrase = tasks.phraseOf[wording], gain = shared[wording];
    const gained = BOTH * gain + ELSEWHERE * (anywhere[phrase] - gain);
    const agreement = Math.floor(gained / (EIGHTHS * (tasks.own[wording] + total)));
    agreed.set(phrase, Math.max(agreed.get(phrase) || 0, Math.min(WHOLE, agreement)));
    shared[wording] = 0;
  }
  for (const phrase of phrases) anywhere[phrase] = 0;
  for (const [phrase, agreement] of agreed) {
    if (agreement < NEAR_TASK) continue;
    tasks.rows[phrase].forEach(function (row, at) {
      found.set(row, Math.max(found.get(row) || 0, agreement - TASK_STEP * at));
    });
  }
  return found;
}

/** Which words of wordings a word stands for, with eighths. */
function waysOf(tasks, own, start) {
  const ways = [];
  for (const [other, eighths] of tasks.relatives.get(own) || []) {
    if (other !== own && tasks.said.has(other)) ways.push([other, eighths]);
  }
  if (tasks.said.has(own)) {
    ways.push([own, EIGHTHS]);
  } else if (start.length > SHORTEST_START) {
    for (const other of tasks.said.keys()) {
      if (other.startsWith(start)) ways.push([other, TASK_STARTS]);
    }
  }
  return ways;
}

/** Add the best gain of each that `lists` has for some of `ways` to `sums`. */
function addGains(tasks, ways, lists, sums, touched) {
  const {best} = tasks, own = [];
  for (const [other, eighths] of ways) {
    const gain = tasks.weights.get(other) * eighths;
    for (const one of lists.get(other)) {
      if (!best[one]) own.push(one);
      if (gain > best[one]) best[one] = gain;
    }
  }
  for (const one of own) {
    if (!sums[one]) touched.push(one);
    sums[one] += best[one];
    best[one] = 0;
  }
}

/* --- both --------------------------------------------------------------------------- */

function documentOf(names, row) {
  const spot = names.spots[row];
  return spot >= 0 ? names.sectionDocuments[spot] : row - names.firstDocument;
}

function pathOf(names, row) {
  const spot = names.spots[row];
  const file = spot >= 0 ? names.files[spot] : "index.html";
  return names.documents[documentOf(names, row)][0] + "/" + file;
}

/** Results while they are gathered: groups of rows with one name, and their bands. */
class Found {
  constructor(names, texts, tasks, query, among, limit) {
    Object.assign(this, {
      names, texts, tasks, query, among, limit, groups: [], seen: new Set(), marks: new Map(),
    });
  }

  get full() {
    return this.groups.length >= this.limit;
  }

  within(rows) {
    if (this.among.size === this.names.documents.length) return rows;
    return new Map(
      Array.from(rows).filter(([row]) => this.among.has(documentOf(this.names, row))));
  }

  add(rows, bandOfRow) {
    const {names, seen} = this;
    for (const row of rows) {
      if (this.full) return;
      if (seen.has(row)) continue;
      const group = [row];
      if (names.kindOf[row] !== names.section) {
        for (const other of byPrior(names, names.small.get(lower(names.names[row])) || [])) {
          if (other !== row && !seen.has(other) && names.kindOf[other] !== names.section
              && this.among.has(documentOf(names, other))) {
            group.push(other);
          }
        }
      }
      for (const one of group) seen.add(one);
      this.groups.push([group, bandOfRow(row)]);
    }
  }
}

function rank(found) {
  const {names, texts, query} = found;
  const equals = found.within(exact(names, query));
  addRanked(found, equals);
  if (found.full) return;
  const nearby = found.within(near(names, query));
  let weak = nearby.size ? Infinity : WITHIN * BAND;
  for (const one of nearby.values()) weak = Math.min(weak, one);
  const lost = !equals.size && Math.floor(weak / BAND) > IN_ORDER;
  const spelt = lost ? found.within(misspelt(names, query)) : new Map();
  let said = [], agreed = new Map();
  if (texts && query.words.length) {
    said = wantedWords(names, texts, query);
    agreed = found.within(agreements(found.tasks, telling(names, query)));
    found.marks = marksOf(names, texts, said, query);
  }
  const whole = Array.from(agreed.keys()).filter((one) => agreed.get(one) === WHOLE);
  found.add(byPrior(names, whole), () => BEGINNING);
  const unknown = !texts || !said.every((word) => word.known);
  addRanked(found, kept(spelt, (one) => isClose(one, unknown)));
  const alone = query.words.length === 1;
  addRanked(found, kept(nearby, (one) => alone || one < (BEGINNING + 1) * BAND));
  if (!found.full) addScored(found, new Map([...spelt, ...nearby]), agreed, said, unknown);
  if (!found.groups.length) addRanked(found, found.within(misspelt(names, query, MORE)));
}

/** True for a name that the query is but for one letter, or more where it is no word. */
function isClose(one, unknown) {
  return Math.floor(one / BAND) === DISTANT && (unknown || one % BAND < 2 * DISTANCE);
}

function kept(ranks, wanted) {
  return new Map(Array.from(ranks).filter(([, one]) => wanted(one)));
}

function addRanked(found, ranks) {
  found.add(ranked(found.names, ranks), (one) => Math.floor(ranks.get(one) / BAND));
}

function addScored(found, ranks, agreed, said, unknown) {
  const {names, texts} = found;
  const gains = unknown ? GAINS_UNKNOWN : GAINS;
  const scores = texts ? found.within(textScores(texts, said)) : new Map();
  const shown = new Set(), total = new Map(), named = new Set();
  for (const one of found.seen) {
    if (names.kindOf[one] !== names.argument) shown.add(names.owners[one]);
  }
  for (const [one, known] of ranks) {
    if (found.seen.has(one)) continue;
    const owner = names.owners[one];
    const gain = gains[Math.floor(known / BAND)] - Math.floor(known % BAND / 4);
    total.set(one, gain + (scores.get(owner) || 0));
    if (names.kindOf[one] !== names.argument) named.add(owner);
  }
  for (const [one, score] of scores) {
    if (!total.has(one) && !named.has(one) && !shown.has(one)) total.set(one, score);
  }
  for (const [one, agreement] of agreed) {
    const known = total.has(one) ? total.get(one) : scores.get(one) || 0;
    total.set(one, known + PHRASE_GAIN * agreement - PHRASE_START);
  }
  const order = sorted(names, Array.from(total.keys()), (one) => HIGHEST - total.get(one));
  found.add(order, (one) =>
    ranks.has(one) ? Math.floor(ranks.get(one) / BAND) : DISTANT_BEGINNING + 1);
}

function marksOf(names, texts, said, query) {
  const found = new Map(telling(names, query).map((word) => [word, 1]));
  for (const {word, weight} of said) found.set(word, weight);
  for (const {stem, weight, candidates} of said) {
    for (const [numbers, eighths] of candidates) {
      for (const number of eighths > STARTS ? numbers : []) {
        const term = texts.terms[number];
        if (term !== stem && !found.has(term)) found.set(term, weight);
      }
    }
  }
  return found;
}

/** The number of the part with the sentences of a text, or -1. */
function partOf(texts, row) {
  let part = -1;
  while (texts && part + 1 < texts.parts.length && texts.parts[part + 1] <= row) part++;
  return part;
}

function hit(found, lines, rows, band) {
  const {names} = found, row = rows[0], spot = names.spots[row];
  const [name, title] = names.documents[documentOf(names, row)];
  const marks = found.marks.size ? found.marks : new Map(found.query.words.map((word) => [word, 1]));
  return {
    name: names.names[row],
    kind: names.kinds[names.kindOf[row]],
    document: name,
    documentTitle: title,
    section: spot >= 0 ? names.numbers[spot] : "",
    sectionTitle: spot >= 0 ? names.names[names.firstSection + spot] : "",
    path: pathOf(names, row),
    anchor: anchorOf(names, row),
    line: lines ? lines[row] || lines[names.owners[row]] : "",
    deprecated: names.deprecated.has(row),
    band,
    why: band > DISTANT_BEGINNING ? "text" : "name",
    others: rows.slice(1).map((other) => ({
      kind: names.kinds[names.kindOf[other]],
      path: pathOf(names, other),
      anchor: anchorOf(names, other),
      section: names.spots[other] >= 0 ? names.numbers[names.spots[other]] : "",
    })),
    marks: Array.from(marks.keys()),
    weights: Array.from(marks.values()),
    text: names.owners[row],
    part: partOf(found.texts, names.owners[row]),
  };
}

/** The engine of one release.  `data.names` is needed; `lines` and `text` may be added. */
function engine(data) {
  const names = readNames(data.names);
  let texts = null, tasks = null, lines = null;
  const self = {
    /** Add a tier: "lines" or "text". */
    add(tier, more) {
      if (tier === "text") {
        texts = readText(more, names.names.length);
        tasks = readTasks(more, texts.phrases, names);
      } else if (tier === "lines") lines = more.lines.split("\n");
    },
    /** The results of `text`, the best first; `documents` are names of those to search. */
    search(text, options) {
      const {limit = 20, documents = []} = options || {};
      const query = readQuery(names, folded(text));
      if (!query.text) return [];
      const among = new Set(names.documents.map((_, at) => at).filter(
        (at) => !documents.length || documents.includes(names.documents[at][0])));
      const found = new Found(names, texts, tasks, query, among, limit);
      rank(found);
      return found.groups.map(([rows, band]) => hit(found, lines, rows, band));
    },
  };
  for (const tier of ["lines", "text"]) if (data[tier]) self.add(tier, data[tier]);
  return self;
}

const host = typeof globalThis === "object" ? globalThis : self;
const dconvSearch = host.dconvSearch = host.dconvSearch || {};
dconvSearch.engine = engine;
Object.assign(dconvSearch, {WORD, lower, stem, characters}); // for search-marks.js
dconvSearch.data = dconvSearch.data || {};
/** What the data files call; whoever waits for them sets `dconvSearch.added`. */
dconvSearch.add = function (release, tier, data) {
  const known = dconvSearch.data[release] = dconvSearch.data[release] || {};
  known[tier] = data;
  if (dconvSearch.added) dconvSearch.added(release, tier);
};
if (typeof module === "object" && module.exports) module.exports = dconvSearch;
})();
