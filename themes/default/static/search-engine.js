/* The search of releases: names, and with search-fulltext.js texts.  No page, network or clock.
 *
 * docs/search.md explains the ranking, and the data that dconv/writers/search/index_data.py writes.
 *
 *   const engine = dconvSearch.engine({names});
 *   engine.add("text", data);    // whenever it comes; search-fulltext.js reads it
 *   engine.search("set header", {limit: 20, documents: ["configuration"]});
 *
 *   const site = dconvSearch.site([".", "haproxy/3.4"]);  // keys of the data: "." is a shelf
 *   site.search("mdadm grow").files  // what to load and to ask again with
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
const PAGE = /^(\S+)\((\d\w*)\)$/; // the title of a manual page: mdadm(8)
const PAGE_NAME = /^(\S+)\.([1-9][a-z]*)$/; // its name in addresses: mdadm.8, but not drbd-9.0
const HYPHENS = /^-+/; // in front of an option, which readers leave out
const JOINED_OPTIONS = /( -[a-zA-Z])[a-zA-Z]{1,2}$/; // options of one letter after a page: hdparm -tT
const FAMILY_ENDING = /(?:\d+|progs|tools|utils)$/; // of the first word of a package: xfsprogs, lvm2
const ARGUMENTS = /[([{<][^\n]*/; // what is after a name: req.hdr(host)

/* --- ranking ------------------------------------------------------------------------ */

// forms of a name: itself; longer (rule set, number); without its optional prefix;
// without its owner
const NAME_ITSELF = 0, LONGER_NAME = 1, NAME_WITHOUT_PREFIX = 2, NAME_WITHOUT_OWNER = 3;
// bands, best first: how a name matches the query; docs/search.md has the table
const EXACT = 0, IGNORING_CASE = 1, IGNORING_SEPARATORS = 2, WITHOUT_PREFIX_OR_OWNER = 3;
const ABBREVIATION = 4, PREFIX = 5;
const WORDS_IN_ORDER = 6, WORDS_IN_ANY_ORDER = 7, SUBSTRING = 8, MISSPELT = 9, MISSPELT_WORDS = 10;
const MISSPELT_PREFIX = 11;
// a rank: the band, then typos, the scope, the form of the name, other separators
const BAND_SIZE = 10000, TYPO_COST = 1000, SCOPE_COST = 500, FORM_COST = 100, SEPARATOR_COST = 100;
// several words: the name has them in another order; ends with them; continues the last one
const REORDERED_COST = 200, SUFFIX_COST = 300, PART_OF_WORD_COST = 400;
// the prior orders names of one rank: later kinds, few mentions, long and deprecated names last
const KIND_COST = 40, MENTION_BONUS = 60, LENGTH_COST = 4, MAX_NAME_LENGTH = 60;
const DEPRECATED_COST = 6000;
const POINTER_COST = 6000; // names that only say on which manual page they are
// a shelf: pages come before names that are equal, those of the reader's page and package first
const PAGE_BONUS = 800, HERE_BONUS = 2400, PACKAGE_BONUS = 1200;
// a word that names a page, a package, the beginning of words of their names, any beginning; each
// step costs so much, and the last two are weaker than a name that lacks its prefix
const NAMES_PAGE = 0, NAMES_PACKAGE = 1, BEGINS_WORDS = 2, BEGINS_NAME = 3, LEVEL_COST = 100;
const MAX_PAGE_WORDS = 4, MIN_PAGE_PREFIX = 3, TRAILING_COST = 50;
const SCOPED_TEXT_BONUS = 200; // texts of the page or package that a query names
const MAX_FAMILIES = 2; // of packages that a word names which is their topic
const MAX_RESULTS_WITH_PARTS = 8; // whose texts are searched for a query
const EXTRA_TYPOS = 1; // typos that are allowed in addition if nothing is found
const MIN_SUBSTRING_QUERY = 3; // characters of a query that is searched within names
const MAX_QUERY = 120, MAX_WORDS = 12, MAX_SCOPE_WORDS = 2;
// what the band of a name adds to the score of its text; misspelt names get more where no text has
// a word of the query
const BAND_SCORES = {
  [WORDS_IN_ORDER]: 700, [WORDS_IN_ANY_ORDER]: 500, [SUBSTRING]: 150,
  [MISSPELT]: 150, [MISSPELT_WORDS]: 90, [MISSPELT_PREFIX]: 40,
};
const BAND_SCORES_UNKNOWN_WORD = {
  ...BAND_SCORES, [MISSPELT]: 1500, [MISSPELT_WORDS]: 1000, [MISSPELT_PREFIX]: 700,
};
// a phrase adds twice its score (of 1000), minus this
const FULL_PHRASE_SCORE = 1000, PHRASE_FACTOR = 2, PHRASE_OFFSET = 500, MAX_SCORE = 10000;
// ranks of removed names: the query is the name; its prefix; or similar, plus the typos
const SAME_NAME = 0, NAME_PREFIX = 1, SIMILAR_NAME = 2;
const MIN_PREFIX_QUERY = 4; // letters of a query that begins a removed name

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

const ALPHABET = Array.from({length: 95}, (_, index) => String.fromCharCode(32 + index))
  .filter((letter) => !"\"\\<".includes(letter)).join("");
const BASE = ALPHABET.length >> 1;
const VALUES = new Uint8Array(128);
for (let index = 0; index < ALPHABET.length; index++) VALUES[ALPHABET.charCodeAt(index)] = index;

function decode(text) {
  const numbers = [];
  let number = 0;
  for (let index = 0; index < text.length; index++) {
    const value = VALUES[text.charCodeAt(index)];
    if (value < BASE) {
      numbers.push(number * BASE + value);
      number = 0;
    } else {
      number = number * BASE + value - BASE;
    }
  }
  return numbers;
}

/** Decode delta coding: the numbers with `gaps` between them. */
function fromGaps(gaps) {
  let number = -1;
  return gaps.map((gap) => number += gap + 1);
}

function unzigzag(number) {
  return number % 2 ? -(number >> 1) - 1 : number >> 1;
}

/** Decode front coding: each text shares a prefix of given length with the one before. */
function decodeFrontCoded(text) {
  let before = "";
  return (text ? text.split("\n") : []).map(function (coded) {
    return before = before.slice(0, VALUES[coded.charCodeAt(0)]) + coded.slice(1);
  });
}

function expand(words, abbreviations) {
  return words.map((word) => abbreviations.get(word) || word).join("");
}

function append(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value); else map.set(key, [value]);
}

function repeated(counts) {
  return counts.flatMap((count, index) => Array(count).fill(index));
}

function readNames(data) {
  const kindOf = repeated(data.counts);
  const firstRows = new Map();
  let start = 0;
  data.kinds.forEach(function (kind, index) {
    firstRows.set(kind, start);
    start += data.counts[index];
  });
  const shelf = data.shelf ? readShelf(data) : null;
  const documents = data.documents.map(([name, title]) => [name, title || name.replace(PAGE_NAME, "$1($2)")]);
  const sectionDocuments = repeated(data.sections.documents);
  const numbers = sectionDocuments.length ? readNumbers(data.sections.numbers) : [];
  const argumentKind = data.kinds.indexOf("argument");
  let owner = 0;
  const owners = decode(data.owners).map((number, row) =>
    kindOf[row] === argumentKind ? owner += unzigzag(number) : row + unzigzag(number));
  const storedNames = decodeFrontCoded(data.names);
  const names = storedNames.map((name, row) => name.startsWith(" ") ? storedNames[owners[row]] + name : name);
  const firstDocument = firstRows.has("document") ? firstRows.get("document") : names.length;
  const firstSection = firstRows.has("section") ? firstRows.get("section") : names.length;
  const offsets = decode(data.sectionOffsets).map(unzigzag);
  offsets.splice(firstDocument, 0, ...documents.map(() => 0));
  let section = 0;
  const sections = offsets.map((offset, row) =>
    kindOf[row] === argumentKind || kindOf[row] === kindOf[firstDocument] ? -1 : section += offset);
  offsets.forEach(function (offset, row) {
    if (kindOf[row] === argumentKind) sections[row] = offset + (owners[row] === row ? 0 : sections[owners[row]]);
  });
  const deprecated = new Set(fromGaps(decode(data.deprecated)));
  const pointers = new Set(fromGaps(decode(data.pointers || "")));
  const unnamed = new Set(fromGaps(decode(data.unnamed || "")));
  const sectionKind = data.kinds.indexOf("section"), documentKind = data.kinds.indexOf("document");
  const sectionRows = sectionDocuments.map(() => -1);
  sections.forEach(function (number, row) {
    if (kindOf[row] === sectionKind && sectionRows[number] < 0) sectionRows[number] = row;
  });
  const priors = Array.from(data.mentions, (digit, row) =>
    KIND_COST * kindOf[row] - MENTION_BONUS * Number(digit)
    + LENGTH_COST * Math.min(MAX_NAME_LENGTH, kindOf[row] === sectionKind ? 0 : characters(names[row]))
    + (deprecated.has(row) ? DEPRECATED_COST : 0) + (pointers.has(row) ? POINTER_COST : 0)
    - (shelf && kindOf[row] === documentKind ? PAGE_BONUS : 0));
  const table = {
    documents, shelf, sectionRows, letters: data.letters || "", wordLetters: data.wordLetters || "", maxParts: data.maxParts, kinds: data.kinds, names, kindOf, sections, owners, priors, deprecated,
    sectionDocuments, numbers, sectionKind, argumentKind, firstSection, firstDocument,
    files: numbers.map((number, index) => data.sections.files[index] || number + ".html"),
    anchors: data.anchors, slugs: data.kinds.map(slug), others: readOtherAnchors(data),
    prefixes: data.optionalPrefixes.map((text) => tokens(text[text.length - 1]).length ? text + " " : text),
    abbreviations: new Map(data.abbreviations.flatMap(
      ([word, ...shorts]) => shorts.map((short) => [short, word]))),
    scopes: new Map(Object.entries(data.scopes).map(([word, kinds]) => [word, new Set(kinds)])),
    pages: shelf ? new Map() : readPages(documents), prefaced: new Set(fromGaps(decode(data.prefaced || ""))),
    states: new Map((data.states || []).map(([kind, ...positions]) => [kind, positions])),
    forms: [], exact: new Map(), lowercase: new Map(), joined: new Map(), bare: new Map(),
  };
  const lowercase = names.map(lower);
  addForms(table, data, lowercase, unnamed);
  names.forEach(function (name, row) {
    if (unnamed.has(row)) return;
    append(table.exact, name, row);
    append(table.lowercase, lowercase[row], row);
    if (shelf && lowercase[row][0] === "-") append(table.bare, lowercase[row].replace(HYPHENS, ""), row);
  });
  table.masks = Int32Array.from(table.forms, (form) => form.letterMask);
  table.expandedMasks = Int32Array.from(table.forms, (form) => form.expanded === form.joined ? form.letterMask : letterMask(form.expanded));
  return table;
}

/** What documents of a shelf have: package, part, path, and whether they are one page. */
function readShelf(data) {
  const {packages, of, parts, paths, long, others} = data.shelf;
  const written = decodeFrontCoded(paths);
  const shelf = {
    packages, packageOf: decode(of), partOf: decode(parts), long: new Set(fromGaps(decode(long))),
    paths: data.documents.map(([name], index) => written[index] || `man/${name}.html`),
    names: data.documents.map(([name], index) => [name, ...others[index] || []]),
    packageWords: packages.map(([name]) => tokens(name)), scopes: new Map(), forms: null,
  };
  shelf.words = shelf.names.map((names) => names.map((name) => tokens(name.replace(PAGE_NAME, "$1"))));
  shelf.joined = shelf.words.map((names) => names.map((words) => words.join("")));
  shelf.topics = topicsOf(shelf, data.maxParts);
  return shelf;
}

/** The keys of texts by words that name few packages: the first ones of packages and their pages,
    and all of other documents ("README.iscsi").  Packages with the same first word, as
    openssh-client and openssh-server, belong together; of many texts, those of pages with the word. */
function topicsOf(shelf, maxParts) {
  const families = shelf.packageWords.map(([first = ""]) => first.replace(FAMILY_ENDING, ""));
  const keysByWord = new Map(), keysByFamily = new Map(), topics = new Map();
  function add(word, family, ...keys) {
    if (!word) return;
    if (!keysByWord.has(word)) keysByWord.set(word, new Map());
    append(keysByWord.get(word), family, keys);
  }
  families.forEach((family) => add(family, family));
  shelf.words.forEach(function (names, index) {
    const family = families[shelf.packageOf[index]], key = textsKeyOf(shelf, index);
    names.forEach((words, at) => words.slice(0, PAGE_NAME.test(shelf.names[index][at]) ? 1 : words.length)
      .forEach((word) => add(word, family, key)));
    keysByFamily.set(family, (keysByFamily.get(family) || new Set()).add(key));
  });
  for (const [word, found] of keysByWord) {
    if (found.size > MAX_FAMILIES) continue;
    topics.set(word, new Set(Array.from(found).flatMap(([family, keys]) =>
      keysByFamily.get(family).size > maxParts ? keys.flat() : Array.from(keysByFamily.get(family)))));
  }
  return topics;
}

/** The names of a document: for `git-add.1` also git-add, git add, git-add(1). */
function documentForms(name) {
  const [, page, section] = PAGE_NAME.exec(name) || [];
  if (!page) return [name];
  return [...new Set([page, tokens(page).join(" "), name, `${page}(${section})`])];
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

/** The numbers of manual pages by their names: "mdadm", "mdadm.8" and "mdadm(8)". */
function readPages(documents) {
  const pages = new Map();
  documents.forEach(function ([, title], index) {
    const [, name, section] = PAGE.exec(lower(title)) || [];
    if (!name) return;
    for (const form of [name, `${name}.${section}`, `${name}(${section})`]) {
      pages.set(form, (pages.get(form) || new Set()).add(index));
    }
  });
  return pages;
}

function characters(text) {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length;
}

function slug(text) {
  return lower(text).replace(/ /g, "-");
}

/** The anchors that do not follow from names, by row. */
function readOtherAnchors(data) {
  const others = data.other.split("\n"), anchors = new Map();
  for (let row = data.anchors.indexOf("4"); row >= 0; row = data.anchors.indexOf("4", row + 1)) {
    anchors.set(row, others[anchors.size]);
  }
  return anchors;
}

function anchorOf(names, row) {
  const name = names.names[row], owner = names.owners[row], slugged = name.replace(/ /g, "-");
  const ownerPrefix = names.names[owner] + " ";
  switch (names.anchors[row]) {
    case "1": return slugged;
    case "2": return names.slugs[names.kindOf[row]] + "." + slugged;
    case "3": return anchorOf(names, owner) + "."
      + (name.startsWith(ownerPrefix) ? slugged.slice(ownerPrefix.length) : slugged);
    case "4": return names.others.get(row);
    case "5": return names.slugs[names.kindOf[row]] + "." + slugged.slice(1);
    case "6": return anchorOf(names, owner);
    default: return "";
  }
}

/** Add the forms of all names, given in small letters. */
function addForms(table, data, names, unnamed) {
  const formOf = new Map();
  function add(row, formKind, name) {
    const isTitle = table.kindOf[row] === table.sectionKind, key = `${formKind}${isTitle ? "t" : ""} ${name}`;
    const same = formOf.get(key);
    if (same) {
      if (same.rows[same.rows.length - 1] !== row) same.rows.push(row);
      return;
    }
    const words = name.match(WORD);
    if (!words) return;
    const joined = words.length > 1 ? words.join("") : words[0];
    const abbreviated = words.some((word) => table.abbreviations.has(word));
    const form = {
      rows: [row], formKind, isTitle, words, joined, expanded: abbreviated ? expand(words, table.abbreviations) : joined,
      letterMask: letterMask(joined),
    };
    formOf.set(key, form);
    table.forms.push(form);
    append(table.joined, joined, form);
    if (form.expanded !== joined) append(table.joined, form.expanded, form);
  }
  names.forEach(function (name, row) {
    if (unnamed.has(row)) return;
    add(row, NAME_ITSELF, name);
    const prefix = prefixLength(name, table.prefixes);
    if (prefix) add(row, NAME_WITHOUT_PREFIX, name.slice(prefix));
    const owner = table.owners[row];
    if (owner !== row && table.names[row].startsWith(table.names[owner] + " ")) {
      add(row, NAME_WITHOUT_OWNER, name.slice(table.names[owner].length + 1));
    }
  });
  const sets = decode(data.ruleSets);
  fromGaps(decode(data.actions)).forEach(function (row, index) {
    data.prefixes.forEach(function (prefix, bit) {
      if (sets[index] >> bit & 1) add(row, LONGER_NAME, lower(prefix) + " " + names[row]);
    });
  });
  table.numbers.forEach(function (number, index) {
    const row = table.sectionRows[index];
    if (row >= 0 && !unnamed.has(row)) add(row, LONGER_NAME, lower(number));
  });
  table.documents.forEach((document, index) =>
    add(table.firstDocument + index, LONGER_NAME, lower(document[0])));
  if (table.shelf) addDocumentForms(table, add);
  for (const [form, numbers] of table.pages) {
    for (const index of numbers) add(table.firstDocument + index, LONGER_NAME, form);
  }
}

/** Documents of a shelf are found by all their names, as if each was typed. */
function addDocumentForms(table, add) {
  table.shelf.names.forEach(function (names, index) {
    const row = table.firstDocument + index;
    for (const name of names) {
      for (const form of documentForms(name)) {
        append(table.exact, form, row);
        append(table.lowercase, lower(form), row);
        add(row, NAME_ITSELF, lower(form));
      }
    }
  });
}

function withoutPrefix(name, prefixes) {
  return name.slice(prefixLength(lower(name), prefixes));
}

/** The length of the first of `prefixes` that `name` starts with and that leaves something, or 0. */
function prefixLength(name, prefixes) {
  const prefix = prefixes.find((start) => name.startsWith(start) && name.length > start.length);
  return prefix ? prefix.length : 0;
}

/* --- names ---------------------------------------------------------- */

function readQuery(names, text, kinds) {
  const start = text.length > MAX_QUERY ? Array.from(text).slice(0, MAX_QUERY).join("") : text;
  const words = tokens(start).slice(0, MAX_WORDS);
  const joined = words.join("");
  return {
    text, words, joined, expanded: expand(words, names.abbreviations), kinds, letterMask: letterMask(joined),
    expandedMask: letterMask(expand(words, names.abbreviations)),
  };
}

function scopedQueries(names, query) {
  const queries = [], words = query.words;
  for (let count = 1; count <= Math.min(MAX_SCOPE_WORDS, words.length - 1); count++) {
    for (const [scope, rest] of [
      [words.slice(0, count), words.slice(count)],
      [words.slice(-count), words.slice(0, -count)],
    ]) {
      const kinds = names.scopes.get(scope.join(" "));
      if (kinds) queries.push(readQuery(names, rest.join(" "), kinds));
    }
  }
  if (names.shelf) return names.isPart ? queries : [...queries, ...shelfQueries(names, query)];
  const [page] = query.text.split(" ", 1), documents = names.pages.get(lower(page));
  const rest = query.text.slice(page.length + 1);
  if (documents && rest) queries.push({...readQuery(names, rest), documents});
  return queries;
}

/** The query without the words that name a page or a package, with the levels of documents. */
function shelfQueries(names, query) {
  const parts = query.text.split(" "), queries = [];
  for (let count = 1; count <= Math.min(MAX_PAGE_WORDS, parts.length - 1); count++) {
    for (const [words, rest, isTrailing] of [
      [parts.slice(0, count), parts.slice(count), false],
      [parts.slice(-count), parts.slice(0, -count), true],
    ]) {
      const documents = documentLevels(names.shelf, words.join(" "));
      if (documents.size) queries.push({...readQuery(names, rest.join(" ")), documents, isTrailing});
    }
  }
  return queries;
}

/** Documents that `text` names, itself or their package, in full or by a beginning. */
function documentLevels(shelf, text) {
  const cached = shelf.scopes.get(text);
  if (cached) return cached;
  const [, page, section] = PAGE.exec(lower(text)) || PAGE_NAME.exec(lower(text)) || [];
  const words = tokens(page || text), joined = words.join(""), levels = new Map();
  function levelOf(other, otherJoined, isPackage) {
    if (otherJoined === joined) return isPackage ? NAMES_PACKAGE : NAMES_PAGE;
    if (!otherJoined.startsWith(joined) || section) return -1;
    if (wordsMatchAt(words, other, 0)) return BEGINS_WORDS;
    return joined.length >= MIN_PAGE_PREFIX ? BEGINS_NAME : -1;
  }
  if (joined) {
    const ofPackages = shelf.packageWords.map((other) => levelOf(other, other.join(""), true));
    shelf.names.forEach(function (names, index) {
      let best = section ? -1 : ofPackages[shelf.packageOf[index]];
      names.forEach(function (name, at) {
        if (section && lower(name) !== `${page}.${section}`) return;
        const level = levelOf(shelf.words[index][at], shelf.joined[index][at], false);
        if (level >= 0 && (best < 0 || level < best)) best = level;
      });
      if (best >= 0) levels.set(index, best);
    });
  }
  if (shelf.scopes.size >= MAX_QUERY) shelf.scopes.clear();
  shelf.scopes.set(text, levels);
  return levels;
}

/** The rank of a row that is equal to a scoped `query` in `band`. */
function scopedRank(names, query, row, band, rank) {
  if (!(query.documents instanceof Map)) return band * BAND_SIZE + rank;
  const level = query.documents.get(documentOf(names, row));
  const cost = rank + level * LEVEL_COST + (query.isTrailing ? TRAILING_COST : 0);
  const firstBand = level === NAMES_PAGE ? EXACT : level === NAMES_PACKAGE ? IGNORING_SEPARATORS : WITHOUT_PREFIX_OR_OWNER;
  return band < firstBand ? firstBand * BAND_SIZE + cost + band * TYPO_COST : band * BAND_SIZE + cost + (level ? firstBand * TYPO_COST : 0);
}

/** Whether `row` may answer `query`, which may ask for some kinds, or for what is in a document. */
function mayAnswer(names, query, row) {
  if (query.kinds) return query.kinds.has(names.kindOf[row]);
  if (!query.documents) return true;
  const document = documentOf(names, row);
  if (names.shelf && row === names.firstDocument + document && query.documents.get(document) === NAMES_PAGE) return false;
  return query.documents.has(document);
}

function keepBest(ranks, row, rank) {
  const best = ranks.get(row);
  if (best === undefined || best > rank) ranks.set(row, rank);
}

/** The ranks of names that equal the query.  Titles of sections share one band, the spelling
    that is nearest first: "C" before "C++". */
function exactRanks(names, query) {
  const ranks = new Map();
  addIgnoringCase(names, query, 0, ranks);
  addStates(names, query.text, ranks);
  addIgnoringSeparators(names, query, 0, ranks);
  for (const scopedQuery of scopedQueries(names, query)) {
    if (scopedQuery.documents) addIgnoringCase(names, scopedQuery, SCOPE_COST, ranks);
    addIgnoringSeparators(names, scopedQuery, SCOPE_COST, ranks);
  }
  const options = ranks.size || !names.shelf || names.isPart ? null : JOINED_OPTIONS.exec(query.text);
  if (options) {
    const first = readQuery(names, query.text.slice(0, options.index + options[1].length));
    for (const scopedQuery of shelfQueries(names, first)) addIgnoringCase(names, scopedQuery, SCOPE_COST, ranks);
  }
  return ranks;
}

/** Add what a state such as "sD--", "IR" or "NI" is made of, in this order: case counts. */
function addStates(names, text, ranks) {
  for (const [kind, positions] of names.states) {
    const find = (name, qualifier) =>
      (names.exact.get(name) || []).find((row) => names.kindOf[row] === kind && qualifierOf(names, row) === qualifier);
    for (const start of text.length === positions.length ? [0] : text.length === 2 ? [0, 2] : []) {
      const flags = stateFlags(text, positions, start, find);
      flags.forEach((row, index) => keepBest(ranks, row, EXACT * BAND_SIZE + index + 1)); // after names that are spelt so
      if (flags.length) break;
    }
  }
}

/** The rows of the flags of `text`, which begins at the position `start` of a state, each pair
    before its letters; none if it is no state. */
function stateFlags(text, positions, start, find) {
  const letters = Array.from(text, (letter, index) => find(letter, positions[start + index]));
  const pairs = [0, 2].filter((index) => index < text.length)
    .map((index) => find(text.slice(index, index + 2), start + index ? positions[positions.length - 1] : ""));
  // "DROP" has such letters, too
  const isWord = text.length > 2 && !text.includes("-") && pairs.every((row) => row === undefined);
  if (isWord || letters.includes(undefined)) return [];
  return pairs.flatMap((pair, index) => [pair, ...letters.slice(2 * index, 2 * index + 2)]).filter((row) => row !== undefined);
}

/** What is between the kind and the name in the anchor of an item: "first", or "". */
function qualifierOf(names, row) {
  const anchor = anchorOf(names, row), start = names.slugs[names.kindOf[row]] + ".", end = "." + names.names[row];
  return anchor.startsWith(start) && anchor.endsWith(end) && anchor.length > start.length + end.length
    ? anchor.slice(start.length, -end.length) : "";
}

function addIgnoringCase(names, query, penalty, ranks) {
  for (const [band, rows] of [
    [EXACT, names.exact.get(query.text)], [IGNORING_CASE, names.lowercase.get(lower(query.text))],
    [IGNORING_CASE, names.bare.get(lower(query.text))],
  ]) {
    for (const row of rows || []) {
      if (!mayAnswer(names, query, row)) continue;
      const isTitle = names.kindOf[row] === names.sectionKind; // which is no name to type
      const position = (names.states.get(names.kindOf[row]) || []).indexOf(qualifierOf(names, row)) + 1;
      keepBest(ranks, row, isTitle ? scopedRank(names, query, row, IGNORING_SEPARATORS, band + penalty)
        : scopedRank(names, query, row, band, position + penalty));
    }
  }
}

function addIgnoringSeparators(names, query, penalty, ranks) {
  if (!query.joined) return;
  const shorter = [withoutPrefix(query.text, names.prefixes), query.text.replace(ARGUMENTS, "")]
    .map((rest) => tokens(rest).join(""));
  for (const key of new Set([query.joined, query.expanded, ...shorter])) {
    for (const form of (key && names.joined.get(key)) || []) {
      let band = ABBREVIATION;
      if (form.joined === query.joined) {
        band = form.formKind < NAME_WITHOUT_PREFIX ? IGNORING_SEPARATORS : WITHOUT_PREFIX_OR_OWNER;
      } else if (shorter.includes(form.joined)) {
        band = WITHOUT_PREFIX_OR_OWNER;
      }
      const cost = penalty + form.formKind * FORM_COST + (form.isTitle ? IGNORING_SEPARATORS : 0);
      for (const row of form.rows) {
        if (mayAnswer(names, query, row)) keepBest(ranks, row, scopedRank(names, query, row, band, cost));
      }
    }
  }
}

/** The query, and what it is where a word of it is a scope; each with its penalty. */
function queryVariants(names, query) {
  return [[query, 0], ...scopedQueries(names, query).map((rest) => [rest, SCOPE_COST])];
}

/** The beginnings of `query`, of two words or more, that may be names followed by an argument. */
function beginnings(names, query) {
  return query.words.map((_, index) => query.words.slice(0, index)).filter((words) => words.length > 1)
    .map((words) => readQuery(names, words.join(" ")));
}

/** Add names of several words that the query begins with: "stick-table type". */
function addBeginning(names, query, ranks) {
  for (const beginning of beginnings(names, query)) {
    for (const form of names.joined.get(beginning.joined) || []) {
      if (form.words.length > 1 && !form.isTitle) addRows(names, query, form, WORDS_IN_ANY_ORDER * BAND_SIZE, ranks);
    }
  }
}

/** Add such names that are misspelt: "stick-tabel type". */
function addMisspeltBeginning(names, query, ranks) {
  for (const beginning of beginnings(names, query)) {
    const maxDistance = maxTypos(beginning.joined.length);
    names.forms.forEach(function (form, index) {
      if (form.words.length !== beginning.words.length || form.isTitle) return;
      if (!maxDistance || countBits(beginning.letterMask & ~names.masks[index]) > maxDistance) return;
      const typos = distance(beginning.joined, form.joined, maxDistance);
      if (typos && typos <= maxDistance) addRows(names, query, form, MISSPELT * BAND_SIZE + typos * TYPO_COST + SUFFIX_COST, ranks);
    });
  }
}

function partialRanks(names, query) {
  const ranks = new Map();
  if (!names.shelf) addBeginning(names, query, ranks);
  for (const [variant, penalty] of queryVariants(names, query)) {
    if (!variant.joined) continue;
    for (const index of formsOf(names, variant)) {
      if (variant.letterMask & ~names.masks[index] && variant.expandedMask & ~names.expandedMasks[index]) continue;
      const form = names.forms[index], rank = partialRank(variant, form);
      if (rank) addRows(names, variant, form, rank + penalty, ranks);
    }
  }
  return ranks;
}

/** Add the rows of `form` that may answer with `rank`; those of further documents come later. */
function addRows(names, query, form, rank, ranks) {
  for (const row of form.rows) {
    if (!mayAnswer(names, query, row)) continue;
    const level = query.documents instanceof Map ? query.documents.get(documentOf(names, row)) : 0;
    keepBest(ranks, row, rank + form.formKind * FORM_COST + level * LEVEL_COST);
  }
}

/** The numbers of the forms that may answer `query`. */
function formsOf(names, query) {
  if (!(query.documents instanceof Map)) return names.forms.keys();
  const forms = new Set(), ofDocuments = formsOfDocuments(names);
  for (const document of query.documents.keys()) for (const index of ofDocuments[document]) forms.add(index);
  return forms;
}

/** The numbers of the forms of each document of a shelf. */
function formsOfDocuments(names) {
  if (!names.shelf.forms) {
    const forms = names.documents.map(() => []);
    names.forms.forEach(function (form, index) {
      for (const row of form.rows) forms[documentOf(names, row)].push(index);
    });
    names.shelf.forms = forms;
  }
  return names.shelf.forms;
}

function partialRank(query, form) {
  if (form.expanded.startsWith(query.expanded)) return PREFIX * BAND_SIZE + partOfWordCost(query, form);
  if (query.letterMask & ~form.letterMask) return 0;
  if (form.joined.startsWith(query.joined)) return PREFIX * BAND_SIZE + partOfWordCost(query, form);
  const count = query.words.length, rest = form.words.length - count;
  if (count > 1 && rest >= 0 && !form.isTitle) {
    if (form.joined.length === query.joined.length
        && wordsMatchAt(query.words.slice().sort(), form.words.slice().sort(), 0)) {
      return PREFIX * BAND_SIZE + REORDERED_COST;
    }
    if (wordsMatchAt(query.words, form.words, rest)) return PREFIX * BAND_SIZE + SUFFIX_COST;
  }
  return wordsBand(query, form) * BAND_SIZE;
}

function partOfWordCost(query, form) {
  return query.words.length > 1 && !wordsMatchAt(query.words, form.words, 0) ? PART_OF_WORD_COST : 0;
}

function wordsMatchAt(queryWords, words, start) {
  return queryWords.every((word, index) => word === words[start + index]);
}

function wordsBand(query, form) {
  if (query.words.length <= form.words.length) {
    if (inOrder(query.words, form.words)) return WORDS_IN_ORDER;
    if (query.words.length > 1 && inAnyOrder(query.words, form.words)) return WORDS_IN_ANY_ORDER;
  }
  if (query.joined.length >= MIN_SUBSTRING_QUERY && form.joined.includes(query.joined)) {
    return SUBSTRING;
  }
  return 0;
}

function inOrder(queryWords, words) {
  let index = 0;
  for (const word of words) if (index < queryWords.length && word.startsWith(queryWords[index])) index++;
  return index === queryWords.length;
}

function inAnyOrder(queryWords, words) {
  const unused = words.slice();
  for (const word of queryWords) {
    const index = unused.findIndex((other) => other.startsWith(word));
    if (index < 0) return false;
    unused.splice(index, 1);
  }
  return true;
}

/* --- spelling ----------------------------------------------------------------------- */

function maxTypos(length) {
  return length < 4 ? 0 : length < 8 ? 1 : length < 14 ? 2 : 3;
}

/* three rows of the distance table, used in turn; no word is longer */
let above = new Int32Array(256), row = new Int32Array(256), current = new Int32Array(256);
let prefixDistance = 0; // the second result of distance(): the least from a beginning

/** The distance of `word` from `other`; what is above `maxDistance` is `maxDistance + 1`. */
function distance(word, other, maxDistance) {
  const tooFar = maxDistance + 1;
  prefixDistance = tooFar;
  if (other.length < word.length - maxDistance) return tooFar;
  const width = Math.min(other.length, word.length + tooFar);
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
    if (least > maxDistance && low > maxDistance) return tooFar;
    const spareRow = above;
    above = row;
    row = current;
    current = spareRow;
    low = least;
  }
  prefixDistance = Math.min(low, tooFar);
  return Math.min(row[width], tooFar);
}

function letterMask(word) {
  let mask = 0;
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index);
    if (code >= 97 && code <= 122) mask |= 1 << (code - 97);
    else if (code >= 50 && code <= 55) mask |= 1 << (code - 24);
  }
  return mask;
}

function countBits(mask) {
  let count = 0;
  for (; mask; mask &= mask - 1) count++;
  return count;
}

function misspeltRanks(names, query, extraTypos = 0) {
  const ranks = new Map();
  if (names.shelf && !names.isPart) addNamesOfMisspeltPages(names, query, ranks);
  if (!names.shelf) addMisspeltBeginning(names, query, ranks);
  for (const [variant, penalty] of queryVariants(names, query)) {
    const maxDistance = Math.min(maxTypos(variant.joined.length) + extraTypos, variant.joined.length - 2);
    for (const index of maxDistance > 0 ? formsOf(names, variant) : []) {
      if (countBits(variant.letterMask & ~names.masks[index]) > maxDistance) continue;
      const form = names.forms[index], rank = misspeltRank(variant, form, maxDistance);
      if (rank) addRows(names, variant, form, rank + penalty, ranks);
    }
  }
  return ranks;
}

/** Add names of pages whose own name is misspelt in the query: "mdamd --grow". */
function addNamesOfMisspeltPages(names, query, ranks) {
  const parts = query.text.split(" "), rest = readQuery(names, parts.slice(1).join(" "));
  const page = tokens(parts[0]).join(""), maxDistance = maxTypos(page.length);
  if (!maxDistance || !rest.text || documentLevels(names.shelf, parts[0]).size) return;
  let least = maxDistance + 1;
  const documents = new Map();
  names.shelf.joined.forEach(function (all, index) {
    for (const name of all) {
      const typos = distance(page, name, maxDistance);
      if (typos < least) documents.clear();
      if (typos <= Math.min(least, maxDistance)) documents.set(index, NAMES_PAGE);
      least = Math.min(least, typos);
    }
  });
  const equal = new Map(), scoped = {...rest, documents};
  addIgnoringCase(names, scoped, 0, equal);
  addIgnoringSeparators(names, scoped, 0, equal);
  for (const [row, rank] of equal) {
    keepBest(ranks, row, MISSPELT * BAND_SIZE + least * TYPO_COST + Math.floor(rank / BAND_SIZE) * SEPARATOR_COST);
  }
}

function misspeltRank(query, form, maxDistance) {
  const typos = distance(query.joined, form.joined, maxDistance);
  const start = prefixDistance;
  if (typos <= maxDistance) {
    const edits = distance(query.words.join(" "), form.words.join(" "), maxDistance + 2);
    return MISSPELT * BAND_SIZE + typos * TYPO_COST + edits * SEPARATOR_COST;
  }
  if (query.words.length > 1) {
    form.masks = form.masks || form.words.map(letterMask);
    query.masks = query.masks || query.words.map(letterMask);
    const wordTypos = wordsDistance(query, form);
    if (wordTypos >= 0) return MISSPELT_WORDS * BAND_SIZE + Math.min(wordTypos, 4) * TYPO_COST;
  }
  return start <= maxDistance ? MISSPELT_PREFIX * BAND_SIZE + start * TYPO_COST : 0;
}

/** How many typos the words of a query have among those of a name, each used once; or -1. */
function wordsDistance(query, form) {
  const unused = form.words.slice(), masks = form.masks.slice();
  let total = 0;
  for (let at = 0; at < query.words.length; at++) {
    const word = query.words[at], maxDistance = maxTypos(word.length);
    let best = maxDistance + 1, bestIndex = -1;
    for (let index = 0; index < unused.length; index++) {
      const typos = unused[index].startsWith(word) ? 0
        : !maxDistance ? 1
          : unused[index].length > word.length + maxDistance
            || countBits(query.masks[at] & ~masks[index]) > maxDistance ? maxDistance + 1 // at least
            : distance(word, unused[index], maxDistance);
      if (typos < best) {
        best = typos;
        bestIndex = index;
      }
    }
    if (bestIndex < 0) return -1;
    total += best;
    unused.splice(bestIndex, 1);
    masks.splice(bestIndex, 1);
  }
  return total;
}

/** The sort key of `row` with `rank`: lower comes first. */
function orderOf(names, row, rank) {
  return rank * RANK_SIZE + 0x1000 + Math.max(-0x1000, names.priors[row] - (names.bonus ? names.bonus(row) : 0));
}

/** The rows by a whole number, the least first, then by their priors, then as they come. */
function sortedBy(names, rows, rankOf) {
  const keys = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    keys[index] = orderOf(names, row, rankOf(row)) * 0x100000 + row;
  }
  return Array.from(keys.sort(), (key) => key % 0x100000);
}

function ranked(names, ranks) {
  return sortedBy(names, Array.from(ranks.keys()), (row) => ranks.get(row));
}

function byPrior(names, rows) {
  return rows.length < 2 ? rows : sortedBy(names, rows, () => 0);
}

/* --- both --------------------------------------------------------------------------- */

function documentOf(names, row) {
  const section = names.sections[row];
  return section >= 0 ? names.sectionDocuments[section] : row - names.firstDocument;
}

function pathOf(names, row) {
  const section = names.sections[row];
  if (names.shelf) return shelfPathOf(names, documentOf(names, row), section);
  const file = section >= 0 ? names.files[section] : "index.html";
  return names.documents[documentOf(names, row)][0] + "/" + file;
}

function shelfPathOf(names, document, section) {
  const path = names.shelf.paths[document];
  return section >= 0 && names.shelf.long.has(document) ? path.replace(/[^/]*$/, names.files[section]) : path;
}

/** The row of the place that `row` is a further name of ("-G" of "--grow"), else itself. */
function placeOf(names, row) {
  const owner = names.owners[row];
  const further = names.kindOf[row] === names.kindOf[owner]
    && (names.anchors[row] === "4" || names.anchors[row] === "6") && anchorOf(names, row) === anchorOf(names, owner)
    && documentOf(names, row) === documentOf(names, owner);
  return further ? owner : row;
}

/** Results while they are collected: groups of rows with the same name, and their bands. */
class Results {
  constructor(names, texts, query, documentNumbers, limit, siteWords, topics) {
    Object.assign(this, {
      names, texts, query, documentNumbers, limit, siteWords, topics, groups: [], seen: new Set(), places: new Set(), marks: new Map(),
    });
  }

  get isFull() {
    return this.groups.length >= this.limit;
  }

  inDocuments(rows) {
    if (this.documentNumbers.size === this.names.documents.length) return rows;
    return new Map(
      Array.from(rows).filter(([row]) => this.documentNumbers.has(documentOf(this.names, row))));
  }

  /** Add `rows`, each with others of its name; a place that has several names is shown once. */
  add(rows, bandOfRow, orderOfRow) {
    const {names, seen, places} = this;
    for (const row of rows) {
      if (this.isFull) return;
      if (seen.has(row)) continue;
      if (places.has(placeOf(names, row))) {
        seen.add(row);
        continue;
      }
      const group = [row];
      if (names.kindOf[row] !== names.sectionKind) {
        for (const other of byPrior(names, this.sameName(row))) {
          if (other !== row && !seen.has(other) && names.kindOf[other] !== names.sectionKind
              && !places.has(placeOf(names, other))
              && this.documentNumbers.has(documentOf(names, other))) {
            group.push(other);
          }
        }
      }
      for (const member of group) {
        seen.add(member);
        places.add(placeOf(names, member));
      }
      this.groups.push([group, bandOfRow(row), orderOfRow(row)]);
    }
  }

  /** The rows that have the name of `row`; on a shelf those of its document.  A letter of a state
      means another thing at each position, and in another case. */
  sameName(row) {
    const {names} = this;
    if (names.states.has(names.kindOf[row])) return [row];
    const rows = (names.lowercase.get(lower(names.names[row])) || []).filter((other) => !names.states.has(names.kindOf[other]));
    if (!names.shelf || rows.length < 2) return rows;
    const document = documentOf(names, row);
    return rows.filter((other) => documentOf(names, other) === document);
  }
}

/* orders of results, which those of several releases are merged by: first what they are */
const RANK_SIZE = 0x8000, ORDER_SIZE = 0x10000000000, EQUAL_NAMES = 0, FULL_PHRASES = 1, CLOSE_NAMES = 2, PARTIAL_NAMES = 3;
const SCORED = 4, OTHER_NAMES = 5;

function collect(results) {
  const {names, texts, query} = results;
  const exactMatches = results.inDocuments(exactRanks(names, query));
  addRanked(results, exactMatches, EQUAL_NAMES);
  if (results.isFull) return;
  const partial = results.inDocuments(partialRanks(names, query));
  let bestRank = partial.size ? Infinity : SUBSTRING * BAND_SIZE;
  for (const rank of partial.values()) bestRank = Math.min(bestRank, rank);
  const mayBeMisspelt = !exactMatches.size && Math.floor(bestRank / BAND_SIZE) > WORDS_IN_ORDER;
  const corrected = mayBeMisspelt ? results.inDocuments(misspeltRanks(names, query)) : new Map();
  let words = [], phrases = new Map();
  if (texts && query.words.length) {
    words = texts.queryWords(query, results.siteWords);
    phrases = results.inDocuments(texts.phraseScores(query));
    results.marks = texts.marks(words, query);
  }
  const fullMatches = Array.from(phrases.keys()).filter((row) => phrases.get(row) === FULL_PHRASE_SCORE);
  results.add(byPrior(names, fullMatches), () => PREFIX, (row) => FULL_PHRASES * ORDER_SIZE + orderOf(names, row, 0));
  const hasUnknownWord = !texts || !words.every((word) => word.present);
  addRanked(results, filtered(corrected, (rank) => isClose(rank, hasUnknownWord)), CLOSE_NAMES);
  const isSingleWord = query.words.length === 1;
  addRanked(results, isSingleWord ? partial : filtered(partial, (rank) => rank < (PREFIX + 1) * BAND_SIZE), PARTIAL_NAMES);
  if (!results.isFull) addScored(results, new Map([...corrected, ...partial]), phrases, words, hasUnknownWord);
  if (!results.groups.length) addRanked(results, results.inDocuments(misspeltRanks(names, query, EXTRA_TYPOS)), OTHER_NAMES);
}

/** Whether a name differs from the query by one letter, or by more if the query is no word. */
function isClose(rank, hasUnknownWord) {
  return Math.floor(rank / BAND_SIZE) === MISSPELT && (hasUnknownWord || rank % BAND_SIZE < 2 * TYPO_COST);
}

function filtered(ranks, condition) {
  return new Map(Array.from(ranks).filter(([, rank]) => condition(rank)));
}

function addRanked(results, ranks, kind) {
  const {names} = results;
  results.add(ranked(names, ranks), (row) => Math.floor(ranks.get(row) / BAND_SIZE),
    (row) => kind * ORDER_SIZE + orderOf(names, row, ranks.get(row)));
}

function addScored(results, ranks, phrases, words, hasUnknownWord) {
  const {names, texts} = results;
  const bandScores = hasUnknownWord ? BAND_SCORES_UNKNOWN_WORD : BAND_SCORES;
  const scores = texts ? results.inDocuments(texts.scores(words, results.topics)) : new Map();
  const shownOwners = new Set(), total = new Map(), namedOwners = new Set();
  for (const row of results.seen) {
    if (names.kindOf[row] !== names.argumentKind) shownOwners.add(names.owners[row]);
  }
  for (const [row, rank] of ranks) {
    if (results.seen.has(row)) continue;
    const owner = names.owners[row];
    const bandScore = bandScores[Math.floor(rank / BAND_SIZE)] - Math.floor(rank % BAND_SIZE / 4);
    total.set(row, bandScore + (scores.get(owner) || 0));
    if (names.kindOf[row] !== names.argumentKind) namedOwners.add(owner);
  }
  for (const [row, score] of scores) {
    if (!total.has(row) && !namedOwners.has(row) && !shownOwners.has(row)) total.set(row, score);
  }
  for (const [row, phraseScore] of phrases) {
    const score = total.has(row) ? total.get(row) : scores.get(row) || 0;
    total.set(row, score + PHRASE_FACTOR * phraseScore - PHRASE_OFFSET);
  }
  const order = sortedBy(names, Array.from(total.keys()), (row) => MAX_SCORE - total.get(row));
  const share = texts ? texts.share() : 0; // of the query that the best text has
  const knownShare = knownShareOf(words, results.siteWords);
  results.add(order, (row) =>
    ranks.has(row) ? Math.floor(ranks.get(row) / BAND_SIZE) : MISSPELT_PREFIX + 1,
  function (row) {
    const score = scores.get(names.owners[row]) || 0, others = total.get(row) - score;
    return SCORED * ORDER_SIZE
      + orderOf(names, row, Math.floor(MAX_SCORE - score * share * share - (others > 0 ? others * knownShare * knownShare : others)));
  });
}

/** The share of the query's `words`, by weight, that an engine has; 1 if it is asked alone. */
function knownShareOf(words, siteWords) {
  const weightOf = (list) => list.reduce((sum, word) => sum + word.weight, 0);
  return siteWords && words.length ? weightOf(words.filter((word) => word.candidates.length)) / weightOf(words) : 1;
}

function resultOf(results, lines, rows, band, order) {
  const {names} = results, row = rows[0], section = names.sections[row], document = documentOf(names, row);
  const [name, title] = names.documents[document];
  const marks = results.marks.size ? results.marks : new Map(results.query.words.map((word) => [word, 1]));
  return {
    name: names.names[row],
    kind: names.kinds[names.kindOf[row]],
    qualifier: names.states.has(names.kindOf[row]) ? qualifierOf(names, row) : "",
    document: name,
    documentTitle: title,
    section: section >= 0 ? names.numbers[section] : "",
    sectionTitle: section >= 0 && names.sectionRows[section] >= 0 ? names.names[names.sectionRows[section]] : "",
    path: pathOf(names, row),
    anchor: anchorOf(names, row),
    line: lines ? lines[row] || lines[names.owners[row]] : "",
    deprecated: names.deprecated.has(row),
    package: names.shelf ? names.shelf.packages[names.shelf.packageOf[document]][0] : "",
    textsKey: names.shelf ? textsKeyOf(names.shelf, document) : "",
    band,
    order,
    why: band > MISSPELT_PREFIX ? "text" : "name",
    others: rows.slice(1).map((other) => ({
      name: names.names[other],
      kind: names.kinds[names.kindOf[other]],
      path: pathOf(names, other),
      anchor: anchorOf(names, other),
      section: names.sections[other] >= 0 ? names.numbers[names.sections[other]] : "",
    })),
    marks: Array.from(marks.keys()),
    weights: Array.from(marks.values()),
    text: names.owners[row],
    part: results.texts ? results.texts.part(names.owners[row]) : -1,
  };
}

/** The key of the texts of a document of a shelf. */
function textsKeyOf(shelf, document) {
  const [, folder] = shelf.packages[shelf.packageOf[document]], part = shelf.partOf[document];
  return `${folder}/search${part > 1 ? `-${part}` : ""}`;
}

/** Removed names that `text` asks for, with their ranks, the best first.
 *
 * `text` is the name, with its optional prefix or without, or its beginning.  Else it may be
 * misspelt: if a word of it is in no text, and no name in `resultNames`, nor its beginning, is as near.
 */
function findRemovedNames(names, texts, removed, text, resultNames) {
  const query = readQuery(names, collapseBlanks(text)), joined = query.joined;
  const maxDistance = maxTypos(joined.length), ranks = [];
  const forms = (name) =>
    [name, withoutPrefix(name, names.prefixes)].map((form) => tokens(form).join(""));
  const distanceTo = (name) => Math.min(...forms(name).map((form) => distance(joined, form, maxDistance)));
  for (const entry of joined ? removed : []) {
    const entryForms = forms(entry[0]);
    if (entryForms.includes(joined)) ranks.push([SAME_NAME, entry]);
    else if (joined.length >= MIN_PREFIX_QUERY && entryForms.some((form) => form.startsWith(joined))) {
      ranks.push([NAME_PREFIX, entry]);
    }
  }
  if (ranks.length || !maxDistance) return ranks.sort((entry, other) => entry[0] - other[0]);
  const distances = removed.map((entry) => [distanceTo(entry[0]), entry]);
  const least = Math.min(maxDistance + 1, ...distances.map(([typos]) => typos));
  const isNear = (form) =>
    form.includes(joined) || Math.min(distance(joined, form, least), prefixDistance) <= least;
  if (least > maxDistance || resultNames.some((name) => forms(name).some(isNear))) return [];
  if (!texts || texts.queryWords(query).every((word) => word.present)) return [];
  return distances.filter(([typos]) => typos === least).map(([typos, entry]) => [SIMILAR_NAME + typos, entry]);
}

/** The engine of one release.  `data.names` is needed; `lines` and `text` may be added. */
function engine(data) {
  const names = readNames(data.names);
  let texts = null, lines = null, removed = [], rowAt = null, stopwords = new Set();
  const self = {
    isShelf: names.shelf !== null,
    letters: names.letters,
    wordLetters: names.wordLetters,
    maxParts: names.maxParts,
    /** The keys of all texts of a shelf. */
    textsKeys: names.shelf ? Array.from(new Set(names.documents.map((_, index) => textsKeyOf(names.shelf, index)))) : [],
    /** The words of a query, without stopwords once they are known. */
    contentWords(text) {
      const {words} = readQuery(names, text);
      const content = words.filter((word) => !stopwords.has(word));
      return content.length ? content : words;
    },
    /** The line of what has this path and anchor, or "". */
    lineAt(path, anchor) {
      if (!lines) return "";
      if (!rowAt) {
        rowAt = new Map();
        names.names.forEach(function (_, row) {
          const key = `${pathOf(names, row)}#${anchorOf(names, row)}`;
          if (!rowAt.has(key)) rowAt.set(key, row);
        });
      }
      const row = rowAt.get(`${path}#${anchor}`);
      return row === undefined ? "" : lines[row] || lines[names.owners[row]];
    },
    /** The document `name` at `path`, or the package whose home it is: folders, titles, the key of
        the texts; an empty object if the shelf has none. */
    here(name, path) {
      const {shelf} = names;
      let best = -1;
      names.documents.forEach(function ([other], index) {
        if (name && other === name && (best < 0 || shelf.paths[index] === path)) best = index;
      });
      if (best >= 0) {
        const [title, folder] = shelf.packages[shelf.packageOf[best]];
        return {document: name, texts: textsKeyOf(shelf, best), folder, title};
      }
      const folder = path.replace(/[/][^/]*$/, ""), home = shelf.packages.find(([, other]) => other === folder);
      return home ? {document: "", texts: `${folder}/search`, folder, title: home[0]} : {};
    },
    /** What is after the page or package that a query begins with, the path and the key of the
        texts of each such page, and of each of the package; null if it begins with none. */
    scope(text) {
      const query = readQuery(names, collapseBlanks(text));
      for (const {documents, isTrailing, text: rest} of shelfQueries(names, query).reverse()) {
        const levels = [NAMES_PAGE, NAMES_PACKAGE].map((level) =>
          Array.from(documents.keys()).filter((index) => documents.get(index) === level)
            .map((index) => [names.shelf.paths[index], textsKeyOf(names.shelf, index)]));
        if (!isTrailing && levels.flat().length) return {rest, levels};
      }
      return null;
    },
    /** The words of a query that are the topic of packages, by the keys of the texts of these. */
    topics(text) {
      const topics = new Map();
      for (const word of texts ? self.contentWords(text) : []) {
        const keys = names.shelf.topics.get(word), rows = texts.rowsOf(word);
        const own = keys ? rows.filter((row) => keys.has(textsKeyOf(names.shelf, documentOf(names, row)))) : [];
        if (2 * own.length < rows.length) continue; // other packages have it, too: a common word
        for (const key of keys || []) topics.set(key, (topics.get(key) || new Set()).add(word));
      }
      return topics;
    },
    /** The words of a query that texts have, as far as these are loaded. */
    textWords(text) {
      const words = texts ? texts.queryWords(readQuery(names, collapseBlanks(text))) : [];
      return words.filter((word) => word.present).map(({word}) => word);
    },
    /** Add the data of a file: "lines" or "text". */
    add(file, content) {
      if (file === "text") stopwords = new Set(content.stopwords);
      if (file === "text" && dconvSearch.fullText) texts = dconvSearch.fullText(names, content);
      else if (file === "lines") {
        lines = content.lines.split("\n");
        removed = content.removed;
      }
    },
    /** Names of older releases that this one lacks; `resultNames` are the names of the results. */
    findRemovedNames(text, resultNames, documents) {
      const chosen = (entry) => !documents.length || documents.includes(entry[3].split("/")[0]);
      return findRemovedNames(names, texts, removed.filter(chosen), text, resultNames);
    },
    /** The results of `text`, the best first; `documents` are names of those to search.
     *
     * `siteWords` are words that other engines of the site have, which are not misspelt; `topics`
     * are words that name the package of a part.
     */
    search(text, options) {
      const {limit = 20, documents = [], packages = [], paths = [], here = {}, isPart = false, siteWords, topics = new Set()} = options || {};
      const query = readQuery(names, collapseBlanks(text));
      if (!query.text) return [];
      const documentNumbers = new Set(names.documents.map((_, index) => index).filter(
        (index) => (!documents.length || documents.includes(names.documents[index][0]))
          && (!names.shelf || isChosen(names.shelf, index, packages, paths))));
      names.isPart = isPart;
      names.bonus = names.shelf && here.texts ? (row) => bonusOf(names, row, here) : null;
      const results = new Results(names, texts, query, documentNumbers, limit, siteWords, topics);
      collect(results);
      return results.groups.map(([rows, band, order]) => resultOf(results, lines, rows, band, order));
    },
  };
  for (const file of ["lines", "text"]) if (data[file]) self.add(file, data[file]);
  return self;
}

/** Whether a document of a shelf is in one of `packages`, folders, and has one of `paths`. */
function isChosen(shelf, index, packages, paths) {
  return (!packages.length || packages.includes(shelf.packages[shelf.packageOf[index]][1]))
    && (!paths.length || paths.includes(shelf.paths[index]));
}

/** What is subtracted from the prior of a row of the reader's page or package. */
function bonusOf(names, row, here) {
  const document = documentOf(names, row), {shelf} = names;
  if (names.documents[document][0] === here.document && textsKeyOf(shelf, document) === here.texts) return HERE_BONUS;
  const folder = here.texts.replace(/[/][^/]*$/, "");
  return shelf.packages[shelf.packageOf[document]][1] === folder ? PACKAGE_BONUS : 0;
}

/* --- several releases ---------------------------------------------------------------- */

const SHELF = "."; // the key of the names of a shelf; those of a letter add it

/** Results of several engines, the best first: each engine's in their order, the first engine's
    first among equals.  `lists` are pairs of a key and results; what two engines have, is one. */
function merge(lists, limit) {
  const positions = lists.map(() => 0), merged = new Map();
  while (merged.size < limit) {
    let best = -1;
    lists.forEach(function ([, results], index) {
      const result = results[positions[index]];
      if (result && (best < 0 || result.order < lists[best][1][positions[best]].order)) best = index;
    });
    if (best < 0) break;
    const [key, results] = lists[best], result = results[positions[best]++];
    const path = result.package ? result.path : `${key}/${result.path}`, url = `${path}#${result.anchor}`;
    if (!merged.has(url)) merged.set(url, {key, result});
  }
  return Array.from(merged.values());
}

/** The search of the releases and the shelf with these `keys`, the first one's first among equals;
 * a release that is before the shelf, the reader's, has its results before all that match as well.
 *
 * Data is taken from `dconvSearch.data`, where files add it.
 */
function site(keys) {
  const engines = new Map(), places = new Map();
  const self = {
    /** The texts that have each word, from the words of the data of `key`. */
    places(key) {
      if (!places.has(key)) places.set(key, readPlaces(dconvSearch.data[key].words));
      return places.get(key);
    },
    /** The engine of a release, a shelf or a part of one, as far as its names are loaded. */
    engine(key) {
      const data = dconvSearch.data[key];
      if (!engines.has(key) && data && data.names) engines.set(key, engine(data));
      return engines.get(key);
    },
    /** Pass the data of a file to the engine of `key`. */
    added(key, file) {
      if (file !== "names" && engines.has(key)) engines.get(key).add(file, dconvSearch.data[key][file]);
    },
    /** Results, each with the key of its engine, and the files to load for better ones.
     *
     * `keys` are those to search; `here` is the reader's page: `document` and `texts`, the key of
     * its texts.  Other options are those of engines.
     */
    search(text, options) {
      const {limit = 20, keys: chosen = keys, here = {}} = options || {};
      const lists = [], files = [], loaded = chosen.filter(self.engine);
      const shelf = loaded.find((key) => self.engine(key).isShelf);
      if (shelf === undefined && loaded.length < 2) {
        for (const key of loaded) lists.push([key, self.engine(key).search(text, {...options, limit})]);
      } else {
        const siteWords = new Set(loaded.flatMap((key) => self.engine(key).textWords(text)));
        const siteOptions = {...options, limit, siteWords}, ownWords = siteWords.size;
        if (shelf !== undefined) {
          const names = searchNames(self, shelf, text, siteOptions, files);
          const parts = wantedParts(self, shelf, text, names, files, here);
          for (const part of parts) for (const word of self.engine(part).textWords(text)) siteWords.add(word);
          lists.push(...siteWords.size > ownWords ? searchNames(self, shelf, text, siteOptions, []) : names);
          lists.push(...searchParts(self, shelf, text, siteOptions, parts));
        }
        for (const key of loaded) {
          if (key === shelf) continue;
          const results = self.engine(key).search(text, siteOptions);
          if (key === keys[0] && shelf !== undefined) { // the reader is here
            lists.unshift([key, results.map((result) => ({...result, order: result.order - result.order % RANK_SIZE}))]);
          } else lists.push([key, results]);
        }
      }
      const topics = shelf === undefined ? new Map() : self.engine(shelf).topics(text);
      const results = merge(topics.size ? lists.map(([key, results]) => [key, onTopicFirst(results, topics)]) : lists, limit);
      for (const place of results) {
        const {result} = place, texts = result.textsKey && self.engine(result.textsKey);
        if (texts && !result.line) result.line = texts.lineAt(result.path, result.anchor);
      }
      return {results, files};
    },
  };
  return self;
}

/** The order of what a page or package has for the rest of the query, among results for the query. */
function scopedOrder(order, level) {
  const cost = level * LEVEL_COST + (order < SCORED * ORDER_SIZE ? SCOPE_COST : -SCOPED_TEXT_BONUS);
  return order + cost * RANK_SIZE;
}

/** `results`, where half of the scores counts of what is in no package that the query names. */
function onTopicFirst(results, topics) {
  return results.map(function (result) {
    if (result.order < SCORED * ORDER_SIZE || topics.has(result.textsKey)) return result;
    const score = SCORED * ORDER_SIZE + MAX_SCORE * RANK_SIZE - result.order;
    return {...result, order: result.order + Math.max(0, Math.floor(score / 2))};
  }).sort((result, other) => result.order - other.order);
}

/** The texts that have each word, by their indexes, with its highest levels there. */
function readPlaces(data) {
  const frequencies = decode(data.frequencies), gaps = decode(data.places);
  let start = 0;
  return new Map(decodeFrontCoded(data.terms).map(function (term, index) {
    const first = start, places = fromGaps(gaps.slice(first, start += frequencies[index]));
    return [term, places.map((place, number) => [place, VALUES[data.levels.charCodeAt(first + number)]])];
  }));
}

/** The first letter of a word, by which the data of a shelf is split. */
function letterOf(word) {
  return word[0] >= "a" && word[0] <= "z" ? word[0] : "0";
}

/** The results of the names of a shelf, and of those by letters. */
function searchNames(self, key, text, options, files) {
  const words = self.engine(key).contentWords(text), names = [[key, self.engine(key).search(text, options)]];
  const letters = new Set(words.map(letterOf));
  for (const letter of words.length ? letters : ["0"]) {
    if (!self.engine(key).letters.includes(letter)) continue;
    if (!self.engine(key + letter)) files.push(`search-names-${letter}.js`);
    else names.push([key + letter, self.engine(key + letter).search(text, options)]);
  }
  return names;
}

/** The keys of the texts of a shelf that matter to a query whose results are `names`; those that are
    not loaded are added to `files`. */
function wantedParts(self, key, text, names, files, here) {
  const {maxParts, textsKeys} = self.engine(key);
  const best = merge(names, MAX_RESULTS_WITH_PARTS).map(({result}) => result.textsKey);
  const scope = self.engine(key).scope(text);
  const scoped = scope ? scope.levels.flat().map(([, texts]) => texts).slice(0, maxParts) : [];
  const topics = self.engine(key).topics(text).keys(), others = textsKeys.length <= maxParts ? textsKeys : [];
  const withWords = scope ? [] : partsWithWords(self, key, text, files);
  const parts = [...here.texts ? [here.texts] : [], ...scoped, ...topics, ...best.splice(0, 1), ...withWords, ...best, ...others];
  const wanted = Array.from(new Set(parts)).slice(0, maxParts);
  for (const texts of wanted) if (!self.engine(texts)) files.push(`${texts}.js`);
  return wanted.filter((texts) => self.engine(texts));
}

/** The keys of the texts of a shelf that have words of a query, those with the rarest and most first;
    the files that say so are added to `files`. */
function partsWithWords(self, key, text, files) {
  const {textsKeys, wordLetters} = self.engine(key), weights = new Map();
  for (const word of dconvSearch.stem ? self.engine(key).contentWords(text).map(dconvSearch.stem) : []) {
    const letter = letterOf(word), data = dconvSearch.data[key + letter];
    if (!wordLetters.includes(letter)) continue;
    if (!data || !data.words) files.push(`search-words-${letter}.js`);
    const places = data && data.words && self.places(key + letter).get(word) || [];
    for (const [place, level] of places) weights.set(place, (weights.get(place) || 0) + level * Math.log2(2 * textsKeys.length / places.length));
  }
  return Array.from(weights.keys()).sort((place, other) => weights.get(other) - weights.get(place)).map((place) => textsKeys[place]);
}

/** The results of the texts of these `parts` of a shelf. */
function searchParts(self, key, text, options, parts) {
  const scope = self.engine(key).scope(text), topics = self.engine(key).topics(text), lists = [];
  for (const texts of parts) {
    const part = self.engine(texts), partOptions = {...options, isPart: true, topics: topics.get(texts)};
    (scope ? scope.levels : []).forEach(function (documents, level) {
      const paths = documents.filter(([, other]) => other === texts).map(([path]) => path);
      if (!paths.length) return;
      const inside = part.search(scope.rest, {...partOptions, paths})
        .filter((result) => level > NAMES_PAGE || result.kind !== "document"); // no page is in itself
      lists.push([texts, inside.map((result) => ({...result, order: scopedOrder(result.order, level)}))]);
    });
    lists.push([texts, part.search(text, partOptions)]);
  }
  return lists;
}

const host = typeof globalThis === "object" ? globalThis : self;
const dconvSearch = host.dconvSearch = host.dconvSearch || {};
dconvSearch.engine = engine;
dconvSearch.site = site;
dconvSearch.SHELF = SHELF;
/** Whether `key` is that of the texts of a part of a package. */
dconvSearch.isShelfKey = (key) => /[/]search(?:-\d+)?$/.test(key);
/** The file of a part of the sentences of a release. */
dconvSearch.partFile = (key, part) => `${key}/search-part-${part}.js`;
Object.assign(dconvSearch, { // for search-panel.js, search-marks.js and search-fulltext.js
  tokens, WORD, VALUES, lower, characters, append, decode, fromGaps, decodeFrontCoded, letterMask,
  countBits, distance, maxTypos, documentOf,
  IGNORING_SEPARATORS, LAST_EQUAL: ABBREVIATION, MISSPELT, NAME_PREFIX,
});
dconvSearch.data = dconvSearch.data || {};
/** What the data files call; a page that waits for them sets `dconvSearch.onDataAdded`. */
dconvSearch.add = function (release, file, data) {
  const files = dconvSearch.data[release] = dconvSearch.data[release] || {};
  files[file] = data;
  if (dconvSearch.onDataAdded) dconvSearch.onDataAdded(release, file);
};
if (typeof module === "object" && module.exports) module.exports = dconvSearch;
})();
