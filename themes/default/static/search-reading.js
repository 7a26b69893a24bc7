/* The second tier of the search: texts by their words, and tasks by phrases.
 *
 * search-engine.js cuts words and search-marks.js their stems: both are loaded before.
 */
// @ts-check
(function () {
"use strict";
const host = /** @type {any} */ (typeof globalThis === "object" ? globalThis : self);
/** @type {any} */
const search = host.dconvSearch;
const {VALUES, put, decode, sums, restored, letters, bits, distance, allowed, stem} = search;
// texts: what share of a word's weight (in eighths) a word counts that stands for it: itself,
// its short form, a word it begins, its two parts, the nearest spelling, a synonym
const EIGHTHS = 8, ITSELF = 8, SHORT = 7, STARTS = 4, APART = 5, MISSPELT = 5, SYNONYM = 2;
const SHORTEST_START = 2, MOST_STARTS = 64, SHORTEST_PART = 2, MOST_KEPT = 256;
const TOP = 1000; // the score of the best text
// tasks: the same shares for words of phrases
const TASK_SHORT = 7, TASK_STARTS = 7, TASK_SYNONYM = 4;
// thousandths: a word in the query and the wording; in another wording of the phrase
const BOTH = 2000, ELSEWHERE = 600;
const WHOLE = 1000, NEAR_TASK = 300; // agreement: in full; from which on a phrase counts
const TASK_STEP = 100; // what each further place of a phrase loses
const LEAST = 4, STRANGE = 5; // weights of a word of all phrases, of a word of none

/** Reads the data of search-text.js for the engine that has `names`. */
search.reading = function (names, data) {
  const texts = readText(data, names.names.length);
  const tasks = readTasks(data, texts.phrases, names);
  return {
    wanted: (query) => wantedWords(names, texts, query),
    scores: (words) => textScores(texts, words),
    agreements: (query) => agreements(tasks, contentWords(texts, query)),
    marks: (words, query) => marksOf(texts, words, query),
    part: (row) => partOf(texts, row),
  };
};

/* --- data -------------------------------------------------------------------------- */

function readText(data, rows) {
  const terms = restored(data.terms);
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
    noise: new Set(data.noise), terms, starts, places, weights, total: data.texts, parts: data.parts,
    phrases: readPhrases(data, terms), synonyms: readSynonyms(data.synonyms),
    numbers: new Map(terms.map((term, at) => [term, at])),
    letters: Int32Array.from(terms, letters), corrections: new Map(),
    best: new Int32Array(rows), sums: new Int32Array(rows), covered: new Int32Array(rows),
  };
}

function readPhrases(data, terms) {
  const targets = decode(data.targets), wordings = decode(data.wordings), phrases = [];
  for (let at = 0, from = 0; at < targets.length;) {
    const count = targets[at], rows = targets.slice(at + 2, at += 2 + targets[at + 1]);
    for (let wording = 0; wording < count; wording++) {
      const stems = wordings.slice(from + 1, from += 1 + wordings[from]);
      phrases.push([stems.map((stem) => terms[stem]), rows]);
    }
  }
  return phrases;
}

function readSynonyms(groups) {
  const synonyms = new Map();
  for (const group of groups) {
    const [first, ...others] = group.split(" ");
    for (const other of others) put(synonyms, other, first);
  }
  return synonyms;
}

/** The wordings of all phrases: what each weighs, its phrase, and by stems those that have it. */
function readTasks(data, wordings, names) {
  const phraseOf = [], wordingsOf = new Map(), phrases = new Map(), rows = [];
  wordings.forEach(function ([stems, own], at) {
    if (!rows.length || rows[rows.length - 1].join() !== own.join()) rows.push(own);
    const phrase = rows.length - 1;
    phraseOf.push(phrase);
    for (const stem of stems) {
      put(wordingsOf, stem, at);
      const numbers = phrases.get(stem);
      if (!numbers) phrases.set(stem, [phrase]);
      else if (numbers[numbers.length - 1] !== phrase) numbers.push(phrase);
    }
  });
  const most = length(rows.length), weights = new Map();
  for (const [stem, numbers] of phrases) weights.set(stem, LEAST + most - length(numbers.length));
  return {
    phraseOf, wordingsOf, phrases, weights, rows, relatives: readRelatives(names, data.synonyms),
    own: wordings.map(([stems]) => stems.reduce((sum, stem) => sum + weights.get(stem), 0)),
    best: new Int32Array(wordings.length), shared: new Int32Array(wordings.length),
    anywhere: new Int32Array(rows.length),
  };
}

function readRelatives(names, synonyms) {
  const groups = new Map(), same = new Map(), relatives = new Map();
  for (const [short, word] of names.abbreviations) {
    const own = stem(word);
    if (!groups.has(own)) groups.set(own, new Set([own]));
    groups.get(own).add(stem(short));
  }
  for (const group of groups.values()) {
    for (const word of group) same.set(word, new Set([...same.get(word) || [], ...group]));
  }
  for (const [word, group] of same) {
    relatives.set(word, new Map(Array.from(group, (other) => [other, TASK_SHORT])));
  }
  for (const like of synonyms.map((group) => group.split(" "))) {
    const wide = new Set(like.flatMap((word) => [word, ...same.get(word) || []]));
    for (const word of like) {
      if (!relatives.has(word)) relatives.set(word, new Map());
      const own = relatives.get(word);
      for (const other of wide) if (!own.has(other)) own.set(other, TASK_SYNONYM);
    }
  }
  return relatives;
}

/* --- words of the query ------------------------------------------------------------- */

function frequency(texts, term) {
  return texts.starts[term + 1] - texts.starts[term];
}

function length(number) {
  return 32 - Math.clz32(number);
}

/** The words of the query but stopwords, unless it has no others. */
function contentWords(texts, query) {
  const words = query.words.filter((word) => !texts.noise.has(word));
  return words.length ? words : query.words;
}

function wantedWords(names, texts, query) {
  const wanted = [];
  const words = contentWords(texts, query);
  words.forEach(function (word, at) {
    const own = stem(word);
    if (wanted.some((other) => other.stem === own)) return;
    const number = texts.numbers.get(own);
    const last = at === words.length - 1;
    if (number !== undefined && !frequency(texts, number) && !last) return;
    const neighbours = at ? [words[at - 1] + word] : [];
    if (!last) neighbours.push(word + words[at + 1]);
    wanted.push(wantedWord(names, texts, word, own, neighbours, last));
  });
  return wanted;
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
  const present = candidates.size > 0 || texts.numbers.has(own) || synonyms.length > 0;
  const itself = Array.from(candidates.values());
  for (const synonym of synonyms) add(synonym, SYNONYM);
  if (last && word.length >= SHORTEST_START) {
    for (const number of starting(texts, word)) {
      if (frequency(texts, number)) set([number], STARTS);
    }
  }
  const wrong = !present && !candidates.size;
  if (wrong) for (const [numbers, eighths] of corrected(texts, word, own)) set(numbers, eighths);
  let most = 0;
  for (const [numbers] of itself.length ? itself : candidates.values()) {
    for (const number of numbers) most = Math.max(most, frequency(texts, number));
  }
  return {
    word, stem: own, candidates: Array.from(candidates.values()), present, corrected: wrong,
    weight: 1 + length(texts.total) - length(most),
  };
}

function starting(texts, word) {
  let start = 0, end = texts.terms.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    if (texts.terms[middle] < word) start = middle + 1; else end = middle;
  }
  const numbers = [];
  while (start < texts.terms.length && numbers.length < MOST_STARTS
         && texts.terms[start].startsWith(word)) {
    numbers.push(start++);
  }
  return numbers;
}

function corrected(texts, word, own) {
  const before = texts.corrections.get(word);
  if (before) return before;
  let corrections = [], best = 0;
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++) {
    const numbers = [word.slice(0, at), word.slice(at)].map((part) => texts.numbers.get(stem(part)));
    if (numbers.includes(undefined)) continue;
    const rarest = Math.min(...numbers.map((number) => frequency(texts, number)));
    if (rarest > best) {
      best = rarest;
      corrections = [[numbers, APART]];
    }
  }
  const other = nearest(texts, own);
  if (other >= 0) corrections.push([[other], MISSPELT]);
  if (texts.corrections.size >= MOST_KEPT) texts.corrections.clear();
  texts.corrections.set(word, corrections);
  return corrections;
}

function nearest(texts, own) {
  const most = allowed(own.length), mask = letters(own);
  let best = most + 1, commonest = 0, nearestTerm = -1;
  for (let number = 0; most && number < texts.terms.length; number++) {
    const term = texts.terms[number], often = frequency(texts, number);
    if (Math.abs(term.length - own.length) > most || !often) continue;
    if (bits(mask & ~texts.letters[number]) > most) continue;
    const apart = distance(own, term, most);
    if (apart < best || apart === best && apart <= most && often > commonest) {
      best = apart;
      commonest = often;
      nearestTerm = number;
    }
  }
  return nearestTerm;
}

/** The scores of texts by row; the columns of `texts` are scratch, and left as they were. */
function textScores(texts, words) {
  const {best, sums, covered} = texts;
  const total = words.reduce((sum, word) => sum + word.weight, 0);
  const rows = [];
  for (const word of words) {
    const touched = weigh(texts, word, best);
    for (const row of touched) {
      if (!sums[row]) rows.push(row);
      sums[row] += best[row];
      covered[row] += word.weight;
      best[row] = 0;
    }
  }
  let top = 0;
  for (const row of rows) {
    sums[row] = Math.floor(sums[row] * covered[row] * covered[row] / (total * total));
    if (sums[row] > top) top = sums[row];
  }
  const scores = new Map();
  for (const row of rows) {
    if (top) scores.set(row, Math.floor(sums[row] * TOP / top));
    sums[row] = covered[row] = 0;
  }
  return scores;
}

/** Put what `word` weighs at each text into `best`; the rows where it weighs something. */
function weigh(texts, word, best) {
  const touched = [];
  for (const [numbers, eighths] of word.candidates) {
    const own = numbers.length > 1 ? new Map() : null;
    for (const number of numbers) {
      for (let at = texts.starts[number]; at < texts.starts[number + 1]; at++) {
        const row = texts.places[at], weight = texts.weights[at];
        if (own) own.set(row, (own.get(row) || 0) + weight);
        else put(row, Math.floor(weight * eighths / EIGHTHS));
      }
    }
    if (own) {
      for (const [row, sum] of own) put(row, Math.floor(sum * eighths / (EIGHTHS * numbers.length)));
    }
  }
  function put(row, weight) {
    if (weight > best[row]) {
      if (!best[row]) touched.push(row);
      best[row] = weight;
    }
  }
  return touched;
}

/* --- tasks -------------------------------------------------------------------------- */

/** How well phrases agree with `words`, by rows; the columns of `tasks` are left as they were. */
function agreements(tasks, words) {
  const {shared, anywhere} = tasks, having = [], phrases = [];
  let total = 0;
  const stems = Array.from(new Set(words.map(stem)));
  stems.forEach(function (own, at) {
    const ways = waysOf(tasks, own, at === stems.length - 1 ? words[words.length - 1] : "");
    let weight = ways.length ? 0 : STRANGE;
    for (const [other] of ways) weight = Math.max(weight, tasks.weights.get(other));
    total += tasks.wordingsOf.has(own) ? tasks.weights.get(own) : weight;
    addGains(tasks, ways, tasks.wordingsOf, shared, having);
    addGains(tasks, ways, tasks.phrases, anywhere, phrases);
  });
  const agreed = new Map(), rows = new Map();
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
      rows.set(row, Math.max(rows.get(row) || 0, agreement - TASK_STEP * at));
    });
  }
  return rows;
}

/** Which words of wordings a word stands for, with eighths. */
function waysOf(tasks, own, start) {
  const ways = [];
  for (const [other, eighths] of tasks.relatives.get(own) || []) {
    if (other !== own && tasks.wordingsOf.has(other)) ways.push([other, eighths]);
  }
  if (tasks.wordingsOf.has(own)) {
    ways.push([own, EIGHTHS]);
  } else if (start.length > SHORTEST_START) {
    for (const other of tasks.wordingsOf.keys()) {
      if (other.startsWith(start)) ways.push([other, TASK_STARTS]);
    }
  }
  return ways;
}

/** Add the best gain of each that `lists` has for some of `ways` to `sums`. */
function addGains(tasks, ways, lists, sums, touched) {
  const {best} = tasks, gained = [];
  for (const [other, eighths] of ways) {
    const gain = tasks.weights.get(other) * eighths;
    for (const number of lists.get(other)) {
      if (!best[number]) gained.push(number);
      if (gain > best[number]) best[number] = gain;
    }
  }
  for (const number of gained) {
    if (!sums[number]) touched.push(number);
    sums[number] += best[number];
    best[number] = 0;
  }
}

/* --- what is shown ------------------------------------------------------------------ */

/** The words to mark in a text, with their weights: those of the query, and what they stand for. */
function marksOf(texts, words, query) {
  const marks = new Map(contentWords(texts, query).map((word) => [word, 1]));
  for (const {word, weight} of words) marks.set(word, weight);
  for (const {stem, weight, candidates} of words) {
    for (const [numbers, eighths] of candidates) {
      for (const number of eighths > STARTS ? numbers : []) {
        const term = texts.terms[number];
        if (term !== stem && !marks.has(term)) marks.set(term, weight);
      }
    }
  }
  return marks;
}

/** The number of the part with the sentences of a text, or -1. */
function partOf(texts, row) {
  let part = -1;
  while (part + 1 < texts.parts.length && texts.parts[part + 1] <= row) part++;
  return part;
}
})();
