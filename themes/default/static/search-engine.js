/* The search of a release: names, and with search-reading.js texts.  No page, network or clock.
 *
 * docs/search.md explains the ranking, and the data that dconv/writers/search/pack.py writes.
 *
 *   const engine = dconvSearch.engine({names});
 *   engine.add("text", data);    // whenever it comes; search-reading.js reads it
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
const ARGUMENTS = /[([{<][^\n]*/; // what is behind a name: req.hdr(host)

/* --- ranking ------------------------------------------------------------------------ */

// ways to write a name: itself; longer (rule set, number); without its optional prefix;
// without its owner
const OWN = 0, LONGER = 1, WITHOUT_PREFIX = 2, TERM = 3;
// bands, best first: how a name matches the query; docs/search.md has the table
const WRITTEN = 0, SMALL = 1, SQUASHED = 2, SHORTENED = 3, ABBREVIATED = 4, BEGINNING = 5;
const IN_ORDER = 6, ANY_ORDER = 7, WITHIN = 8, DISTANT = 9, DISTANT_WORDS = 10;
const DISTANT_BEGINNING = 11;
// a rank is its band, and within the band wrong letters, a scope, the way, other separators
const BAND = 10000, DISTANCE = 1000, SCOPED = 500, WAY = 100, APART_COST = 100;
// several words: the name has them in another order; ends with them; goes on where they end
const TURNED = 200, ENDING = 300, CUT = 400;
// the prior orders names of one rank: later kinds, few mentions, long and deprecated names last
const KIND_COST = 40, MENTION_GAIN = 60, LENGTH_COST = 4, LONGEST_NAME = 60;
const DEPRECATED_COST = 6000;
const MORE = 1; // wrong letters that are allowed beyond, where nothing is found
const SHORTEST_WITHIN = 3; // characters of a query that is searched within names
const LONGEST_QUERY = 120, MOST_WORDS = 12, SCOPE_WORDS = 2;
// what a name's band adds to the score of its text; where no text has a word of the query,
// misspelt names are likelier
const GAINS = {
  [IN_ORDER]: 700, [ANY_ORDER]: 500, [WITHIN]: 150,
  [DISTANT]: 150, [DISTANT_WORDS]: 90, [DISTANT_BEGINNING]: 40,
};
const GAINS_UNKNOWN = {
  ...GAINS, [DISTANT]: 1500, [DISTANT_WORDS]: 1000, [DISTANT_BEGINNING]: 700,
};
// what a phrase adds: twice its agreement (of 1000) less so much
const WHOLE = 1000, PHRASE_GAIN = 2, PHRASE_START = 500, HIGHEST = 10000;
// ranks of removed names: the query is the name; begins it; or is near, plus the wrong letters
const SAME = 0, BEGUN = 1, NEAR = 2;
const FEWEST = 4; // letters of a query that begins a removed name

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

function collapseBlanks(text) {
  return text.replace(BLANKS, " ").replace(/^ | $/g, "");
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

/** The numbers that have `gaps` between them. */
function sums(gaps) {
  let number = -1;
  return gaps.map((gap) => number += gap + 1);
}

function unzigzag(number) {
  return number % 2 ? -(number >> 1) - 1 : number >> 1;
}

/** The texts of which each has a beginning of the one before, by its length, and the rest. */
function restored(text) {
  let before = "";
  return (text ? text.split("\n") : []).map(function (coded) {
    return before = before.slice(0, VALUES[coded.charCodeAt(0)]) + coded.slice(1);
  });
}

function full(words, abbreviations) {
  return words.map((word) => abbreviations.get(word) || word).join("");
}

function put(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value); else map.set(key, [value]);
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
  const numbers = sectionDocuments.length ? readNumbers(data.sections.numbers) : [];
  const argument = data.kinds.indexOf("argument");
  let owner = 0;
  const owners = decode(data.owners).map((number, row) =>
    kindOf[row] === argument ? owner += unzigzag(number) : row + unzigzag(number));
  const written = restored(data.names);
  const names = written.map((name, row) => name.startsWith(" ") ? written[owners[row]] + name : name);
  const firstDocument = first.has("document") ? first.get("document") : names.length;
  const firstSection = first.has("section") ? first.get("section") : names.length;
  const moves = decode(data.spots).map(unzigzag);
  moves.splice(firstDocument, 0, ...data.documents.map(() => 0));
  let spot = 0;
  const spots = moves.map((move, row) =>
    kindOf[row] === argument || kindOf[row] === kindOf[firstDocument] ? -1 : spot += move);
  moves.forEach(function (move, row) {
    if (kindOf[row] === argument) spots[row] = move + (owners[row] === row ? 0 : spots[owners[row]]);
  });
  const deprecated = new Set(sums(decode(data.deprecated)));
  const section = data.kinds.indexOf("section");
  const priors = Array.from(data.mentions, (digit, row) =>
    KIND_COST * kindOf[row] - MENTION_GAIN * Number(digit)
    + LENGTH_COST * Math.min(LONGEST_NAME, kindOf[row] === section ? 0 : characters(names[row]))
    + (deprecated.has(row) ? DEPRECATED_COST : 0));
  const table = {
    documents: data.documents, kinds: data.kinds, names, kindOf, spots, owners, priors, deprecated,
    sectionDocuments, numbers, section, firstSection, firstDocument,
    argument,
    files: numbers.map((number, at) => data.sections.files[at] || number + ".html"),
    anchors: data.anchors, slugs: data.kinds.map(slug), others: readOthers(data),
    prefixes: data.heads.map((text) => tokens(text[text.length - 1]).length ? text + " " : text),
    abbreviations: new Map(data.abbreviations.flatMap(
      ([word, ...shorts]) => shorts.map((short) => [short, word]))),
    scopes: new Map(Object.entries(data.scopes).map(([word, kinds]) => [word, new Set(kinds)])),
    forms: [], exact: new Map(), small: new Map(), squashed: new Map(),
  };
  const small = names.map(lower);
  addForms(table, data, small);
  names.forEach(function (name, row) {
    put(table.exact, name, row);
    put(table.small, small[row], row);
  });
  return table;
}

/** Numbers of sections: "2" is the next of two parts, "=4.5" is 4.5. */
function readNumbers(text) {
  let before = [];
  return text.split("\n").map(function (coded) {
    if (coded[0] === "=") before = coded.slice(1).split(".");
    else before = [...before.slice(0, coded - 1), String(Number(before[coded - 1] || 0) + 1)];
    return before.join(".");
  });
}

function characters(text) {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length;
}

function slug(text) {
  return lower(text).replace(/ /g, "-");
}

/** The anchors that do not follow from names, by row. */
function readOthers(data) {
  const others = data.other.split("\n"), anchors = new Map();
  for (let row = data.anchors.indexOf("4"); row >= 0; row = data.anchors.indexOf("4", row + 1)) {
    anchors.set(row, others[anchors.size]);
  }
  return anchors;
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
    case "5": return names.slugs[names.kindOf[row]] + "." + written.slice(1);
    default: return "";
  }
}

/** Add the forms of all names, given in small letters. */
function addForms(table, data, names) {
  function add(row, way, name) {
    const words = name.match(WORD);
    if (!words) return;
    const squashed = words.length > 1 ? words.join("") : words[0];
    const abbreviated = words.some((word) => table.abbreviations.has(word));
    const form = {
      row, way, words, squashed, full: abbreviated ? full(words, table.abbreviations) : squashed,
      letters: letters(squashed),
    };
    table.forms.push(form);
    put(table.squashed, squashed, form);
    if (form.full !== squashed) put(table.squashed, form.full, form);
  }
  names.forEach(function (name, row) {
    add(row, OWN, name);
    const prefix = prefixLength(name, table.prefixes);
    if (prefix) add(row, WITHOUT_PREFIX, name.slice(prefix));
    const owner = table.owners[row];
    if (owner !== row && table.names[row].startsWith(table.names[owner] + " ")) {
      add(row, TERM, name.slice(table.names[owner].length + 1));
    }
  });
  const sets = decode(data.sets);
  sums(decode(data.actions)).forEach(function (row, at) {
    data.prefixes.forEach(function (prefix, bit) {
      if (sets[at] >> bit & 1) add(row, LONGER, lower(prefix) + " " + names[row]);
    });
  });
  table.numbers.forEach((number, at) => add(table.firstSection + at, LONGER, lower(number)));
  data.documents.forEach((document, at) =>
    add(table.firstDocument + at, LONGER, lower(document[0])));
}

function withoutPrefix(name, prefixes) {
  return name.slice(prefixLength(lower(name), prefixes));
}

/** The length of the first of `prefixes` that `name` starts with and that leaves something, or 0. */
function prefixLength(name, prefixes) {
  const prefix = prefixes.find((start) => name.startsWith(start) && name.length > start.length);
  return prefix ? prefix.length : 0;
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
  const queries = [], words = query.words;
  for (let count = 1; count <= Math.min(SCOPE_WORDS, words.length - 1); count++) {
    for (const [scope, rest] of [
      [words.slice(0, count), words.slice(count)],
      [words.slice(-count), words.slice(0, -count)],
    ]) {
      const kinds = names.scopes.get(scope.join(" "));
      if (kinds) queries.push(readQuery(names, rest.join(" "), kinds));
    }
  }
  return queries;
}

function note(ranks, row, rank) {
  const best = ranks.get(row);
  if (best === undefined || best > rank) ranks.set(row, rank);
}

/** The ranks of names that equal the query.  Titles of sections share one band, the spelling
    that is nearest first: "C" before "C++". */
function exact(names, query) {
  const ranks = new Map();
  for (const [band, rows] of [
    [WRITTEN, names.exact.get(query.text)], [SMALL, names.small.get(lower(query.text))],
  ]) {
    for (const row of rows || []) {
      const title = names.kindOf[row] === names.section; // which is no name to type
      note(ranks, row, title ? SQUASHED * BAND + band : band * BAND);
    }
  }
  equal(names, query, 0, ranks);
  for (const scopedQuery of scoped(names, query)) equal(names, scopedQuery, SCOPED, ranks);
  return ranks;
}

function equal(names, query, penalty, ranks) {
  if (!query.squashed) return;
  const shorter = [withoutPrefix(query.text, names.prefixes), query.text.replace(ARGUMENTS, "")]
    .map((rest) => tokens(rest).join(""));
  for (const key of new Set([query.squashed, query.full, ...shorter])) {
    for (const form of (key && names.squashed.get(key)) || []) {
      if (query.kinds && !query.kinds.has(names.kindOf[form.row])) continue;
      let band = ABBREVIATED;
      if (form.squashed === query.squashed) {
        band = form.way < WITHOUT_PREFIX ? SQUASHED : SHORTENED;
      } else if (shorter.includes(form.squashed)) {
        band = SHORTENED;
      }
      const title = names.kindOf[form.row] === names.section;
      note(ranks, form.row, band * BAND + penalty + form.way * WAY + (title ? SQUASHED : 0));
    }
  }
}

/** The query, and what it is where a word of it is a scope; each with its penalty. */
function readings(names, query) {
  return [[query, 0], ...scoped(names, query).map((rest) => [rest, SCOPED])];
}

function near(names, query) {
  const ranks = new Map();
  for (const [reading, penalty] of readings(names, query)) {
    if (!reading.squashed) continue;
    for (const form of names.forms) {
      if (reading.kinds && !reading.kinds.has(names.kindOf[form.row])) continue;
      const rank = nearRank(reading, form, names.kindOf[form.row] === names.section);
      if (rank) note(ranks, form.row, rank + penalty + form.way * WAY);
    }
  }
  return ranks;
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

function same(wanted, words, from) {
  return wanted.every((word, at) => word === words[from + at]);
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

function inOrder(wanted, words) {
  let at = 0;
  for (const word of words) if (at < wanted.length && word.startsWith(wanted[at])) at++;
  return at === wanted.length;
}

function inAnyOrder(wanted, words) {
  const free = words.slice();
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

/** The distance of `word` from `other`; what is above `most` is `most + 1`. */
function distance(word, other, most) {
  const far = most + 1;
  beginning = far;
  if (other.length < word.length - most) return far;
  const width = Math.min(other.length, word.length + far);
  for (let j = 0; j <= width; j++) row[j] = j;
  let low = 0, letter = 0;
  for (let i = 1; i <= word.length; i++) {
    const before = letter;
    letter = word.charCodeAt(i - 1);
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
  const ranks = new Map();
  for (const [reading, penalty] of readings(names, query)) {
    const most = Math.min(allowed(reading.squashed.length) + more, reading.squashed.length - 2);
    for (const form of most > 0 ? names.forms : []) {
      if (reading.kinds && !reading.kinds.has(names.kindOf[form.row])) continue;
      if (bits(reading.letters & ~form.letters) <= most) {
        const rank = distant(reading, form, most);
        if (rank) note(ranks, form.row, rank + penalty + form.way * WAY);
      }
    }
  }
  return ranks;
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

function wordsApart(wanted, words) {
  const free = words.slice();
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
    const row = rows[at];
    keys[at] = (number(row) * 0x4000 + names.priors[row] + 0x400) * 0x100000 + row;
  }
  return Array.from(keys.sort(), (key) => key % 0x100000);
}

function ranked(names, ranks) {
  return sorted(names, Array.from(ranks.keys()), (row) => ranks.get(row));
}

function byPrior(names, rows) {
  return rows.length < 2 ? rows : sorted(names, rows, () => 0);
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

/** Results while they are collected: groups of rows with the same name, and their bands. */
class Results {
  constructor(names, texts, query, among, limit) {
    Object.assign(this, {
      names, texts, query, among, limit, groups: [], seen: new Set(), marks: new Map(),
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
      for (const member of group) seen.add(member);
      this.groups.push([group, bandOfRow(row)]);
    }
  }
}

function collect(results) {
  const {names, texts, query} = results;
  const equals = results.within(exact(names, query));
  addRanked(results, equals);
  if (results.full) return;
  const nearby = results.within(near(names, query));
  let weak = nearby.size ? Infinity : WITHIN * BAND;
  for (const rank of nearby.values()) weak = Math.min(weak, rank);
  const lost = !equals.size && Math.floor(weak / BAND) > IN_ORDER;
  const spelt = lost ? results.within(misspelt(names, query)) : new Map();
  let words = [], agreed = new Map();
  if (texts && query.words.length) {
    words = texts.wanted(query);
    agreed = results.within(texts.agreements(query));
    results.marks = texts.marks(words, query);
  }
  const whole = Array.from(agreed.keys()).filter((row) => agreed.get(row) === WHOLE);
  results.add(byPrior(names, whole), () => BEGINNING);
  const unknown = !texts || !words.every((word) => word.present);
  addRanked(results, filtered(spelt, (rank) => isClose(rank, unknown)));
  const alone = query.words.length === 1;
  addRanked(results, filtered(nearby, (rank) => alone || rank < (BEGINNING + 1) * BAND));
  if (!results.full) addScored(results, new Map([...spelt, ...nearby]), agreed, words, unknown);
  if (!results.groups.length) addRanked(results, results.within(misspelt(names, query, MORE)));
}

/** Whether a name differs from the query by one letter, or by more if the query is no word. */
function isClose(rank, unknown) {
  return Math.floor(rank / BAND) === DISTANT && (unknown || rank % BAND < 2 * DISTANCE);
}

function filtered(ranks, wanted) {
  return new Map(Array.from(ranks).filter(([, rank]) => wanted(rank)));
}

function addRanked(results, ranks) {
  results.add(ranked(results.names, ranks), (row) => Math.floor(ranks.get(row) / BAND));
}

function addScored(results, ranks, agreed, words, unknown) {
  const {names, texts} = results;
  const gains = unknown ? GAINS_UNKNOWN : GAINS;
  const scores = texts ? results.within(texts.scores(words)) : new Map();
  const shown = new Set(), total = new Map(), named = new Set();
  for (const row of results.seen) {
    if (names.kindOf[row] !== names.argument) shown.add(names.owners[row]);
  }
  for (const [row, rank] of ranks) {
    if (results.seen.has(row)) continue;
    const owner = names.owners[row];
    const gain = gains[Math.floor(rank / BAND)] - Math.floor(rank % BAND / 4);
    total.set(row, gain + (scores.get(owner) || 0));
    if (names.kindOf[row] !== names.argument) named.add(owner);
  }
  for (const [row, score] of scores) {
    if (!total.has(row) && !named.has(row) && !shown.has(row)) total.set(row, score);
  }
  for (const [row, agreement] of agreed) {
    const score = total.has(row) ? total.get(row) : scores.get(row) || 0;
    total.set(row, score + PHRASE_GAIN * agreement - PHRASE_START);
  }
  const order = sorted(names, Array.from(total.keys()), (row) => HIGHEST - total.get(row));
  results.add(order, (row) =>
    ranks.has(row) ? Math.floor(ranks.get(row) / BAND) : DISTANT_BEGINNING + 1);
}

function hit(results, lines, rows, band) {
  const {names} = results, row = rows[0], spot = names.spots[row];
  const [name, title] = names.documents[documentOf(names, row)];
  const marks = results.marks.size ? results.marks : new Map(results.query.words.map((word) => [word, 1]));
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
    part: results.texts ? results.texts.part(names.owners[row]) : -1,
  };
}

/** Removed names that `text` asks for, with their ranks, the best first.
 *
 * `text` is the name, with its optional prefix or without, or its beginning.  Else it may be
 * misspelt: if a word of it is in no text, and no name in `rivals`, nor its beginning, is as near.
 */
function former(names, texts, removed, text, rivals) {
  const query = readQuery(names, collapseBlanks(text)), squashed = query.squashed;
  const most = allowed(squashed.length), ranks = [];
  const forms = (name) =>
    [name, withoutPrefix(name, names.prefixes)].map((form) => tokens(form).join(""));
  const apart = (name) => Math.min(...forms(name).map((form) => distance(squashed, form, most)));
  for (const entry of squashed ? removed : []) {
    const own = forms(entry[0]);
    if (own.includes(squashed)) ranks.push([SAME, entry]);
    else if (squashed.length >= FEWEST && own.some((form) => form.startsWith(squashed))) {
      ranks.push([BEGUN, entry]);
    }
  }
  if (ranks.length || !most) return ranks.sort((entry, other) => entry[0] - other[0]);
  const near = removed.map((entry) => [apart(entry[0]), entry]);
  const least = Math.min(most + 1, ...near.map(([far]) => far));
  const isNear = (form) =>
    form.includes(squashed) || Math.min(distance(squashed, form, least), beginning) <= least;
  if (least > most || rivals.some((name) => forms(name).some(isNear))) return [];
  if (!texts || texts.wanted(query).every((word) => word.present)) return [];
  return near.filter(([far]) => far === least).map(([far, entry]) => [NEAR + far, entry]);
}

/** The engine of one release.  `data.names` is needed; `lines` and `text` may be added. */
function engine(data) {
  const names = readNames(data.names);
  let texts = null, lines = null, removed = [];
  const self = {
    /** Add a tier: "lines" or "text". */
    add(tier, more) {
      if (tier === "text" && dconvSearch.reading) texts = dconvSearch.reading(names, more);
      else if (tier === "lines") {
        lines = more.lines.split("\n");
        removed = more.gone;
      }
    },
    /** Names of older releases that this one lacks; `rivals` are the names of the results. */
    former(text, rivals, documents) {
      const chosen = (entry) => !documents.length || documents.includes(entry[3].split("/")[0]);
      return former(names, texts, removed.filter(chosen), text, rivals);
    },
    /** The results of `text`, the best first; `documents` are names of those to search. */
    search(text, options) {
      const {limit = 20, documents = []} = options || {};
      const query = readQuery(names, collapseBlanks(text));
      if (!query.text) return [];
      const among = new Set(names.documents.map((_, at) => at).filter(
        (at) => !documents.length || documents.includes(names.documents[at][0])));
      const results = new Results(names, texts, query, among, limit);
      collect(results);
      return results.groups.map(([rows, band]) => hit(results, lines, rows, band));
    },
  };
  for (const tier of ["lines", "text"]) if (data[tier]) self.add(tier, data[tier]);
  return self;
}

const host = typeof globalThis === "object" ? globalThis : self;
const dconvSearch = host.dconvSearch = host.dconvSearch || {};
dconvSearch.engine = engine;
Object.assign(dconvSearch, { // for search-panel.js, search-marks.js and search-reading.js
  tokens, WORD, VALUES, lower, characters, put, decode, sums, restored, letters, bits, distance, allowed,
  SQUASHED, LAST_EQUAL: ABBREVIATED, DISTANT, BEGUN,
});
dconvSearch.data = dconvSearch.data || {};
/** What the data files call; a page that waits for them sets `dconvSearch.added`. */
dconvSearch.add = function (release, tier, data) {
  const tiers = dconvSearch.data[release] = dconvSearch.data[release] || {};
  tiers[tier] = data;
  if (dconvSearch.added) dconvSearch.added(release, tier);
};
if (typeof module === "object" && module.exports) module.exports = dconvSearch;
})();
