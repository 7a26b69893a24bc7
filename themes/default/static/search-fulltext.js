/* Full-text search: texts by their words, and tasks by phrases.
 *
 * Needs search-engine.js, which tokenizes, and search-marks.js, which stems.
 */
// @ts-check
(function () {
"use strict";
const host = /** @type {any} */ (typeof globalThis === "object" ? globalThis : self);
/** @type {any} */
const search = host.dconvSearch;
const {VALUES, append, decode, fromGaps, decodeFrontCoded, letterMask, countBits, distance, maxTypos, stem} = search;
// texts: the share of its weight, in eighths, that a word of a text counts if it is the word of
// the query, its abbreviation, a word that it begins, its two parts, a similar word, a synonym
const FULL_SHARE = 8, SAME_WORD_SHARE = 8, ABBREVIATION_SHARE = 7, PREFIX_SHARE = 4;
const TWO_PARTS_SHARE = 5, MISSPELT_SHARE = 5, SYNONYM_SHARE = 2;
const MIN_PREFIX = 2, MAX_PREFIX_MATCHES = 64, MIN_PART = 2, MIN_COMPOUND_PART = 4, MAX_CACHED = 256;
const CONTEXT_SHARE = 5; // a word that only the title or description of its page has
const MAX_SCORE = 1000; // the score of the best text
// tasks: the same shares for words of phrases
const TASK_ABBREVIATION_SHARE = 7, TASK_PREFIX_SHARE = 7, TASK_SYNONYM_SHARE = 4;
// thousandths: a word in the query and the wording; in another wording of the phrase
const SAME_WORDING_SCORE = 2000, OTHER_WORDING_SCORE = 600;
const FULL_PHRASE_SCORE = 1000, MIN_PHRASE_SCORE = 300; // of phrases: all words; the least that counts
const NEXT_PLACE_PENALTY = 100; // subtracted for each further place of a phrase
const MIN_WEIGHT = 4, UNKNOWN_WORD_WEIGHT = 5; // weights of a word of all phrases, of a word of none

/** Reads the data of search-text.js for the engine that has `names`. */
search.fullText = function (names, data) {
  const texts = readText(data, names.names.length);
  const tasks = readTasks(data, texts.phrases, names);
  return {
    queryWords: (query, siteWords) => queryWords(names, texts, query, siteWords),
    scores: (words, topics) => textScores(names, texts, words, topics),
    share: () => texts.share,
    rowsOf: (word) => rowsOf(texts, stem(word)),
    phraseScores: (query) => phraseScores(tasks, phraseWords(names, tasks, contentWords(texts, query))),
    marks: (words, query) => marksOf(texts, words, query),
    part: (row) => partOf(texts, row),
  };
};

/* --- data -------------------------------------------------------------------------- */

function readText(data, rows) {
  const terms = decodeFrontCoded(data.terms);
  const frequencies = decode(data.frequencies), gaps = decode(data.places);
  const starts = new Int32Array(terms.length + 1);
  frequencies.forEach((frequency, index) => starts[index + 1] = starts[index] + frequency);
  const places = new Int32Array(gaps.length), weights = new Uint16Array(gaps.length);
  const textRows = fromGaps(decode(data.rows));
  const order = frequencies.map((frequency, index) => frequency * 0x100000 + index);
  let position = 0;
  for (const key of Float64Array.from(order).sort()) {
    const word = key % 0x100000;
    let text = -1;
    for (let index = starts[word]; index < starts[word + 1]; index++) {
      text += gaps[position] + 1;
      places[index] = textRows[text];
      weights[index] = data.values[VALUES[data.levels.charCodeAt(position++)]];
    }
  }
  return {
    stopwords: new Set(data.stopwords), terms, starts, places, weights, total: data.texts, parts: data.parts,
    phrases: readPhrases(data, terms), synonyms: readSynonyms(data.synonyms),
    numbers: new Map(terms.map((term, index) => [term, index])),
    letterMasks: Int32Array.from(terms, letterMask), corrections: new Map(),
    share: 0, // of the words of the last query, by weight, that its best text has
    best: new Int32Array(rows), sums: new Int32Array(rows), foundWeights: new Float64Array(rows), foundWords: new Int32Array(rows),
  };
}

function readPhrases(data, terms) {
  const targets = decode(data.targets), wordings = decode(data.wordings), phrases = [];
  for (let index = 0, position = 0; index < targets.length;) {
    const count = targets[index], rows = targets.slice(index + 2, index += 2 + targets[index + 1]);
    for (let wording = 0; wording < count; wording++) {
      const stems = wordings.slice(position + 1, position += 1 + wordings[position]);
      phrases.push([stems.map((stem) => terms[stem]), rows]);
    }
  }
  return phrases;
}

function readSynonyms(groups) {
  const synonyms = new Map();
  for (const group of groups) {
    const [first, ...others] = group.split(" ");
    for (const other of others) append(synonyms, other, first);
  }
  return synonyms;
}

/** The wordings of all phrases: what each weighs, its phrase, and by stems those that have it. */
function readTasks(data, wordings, names) {
  const phraseOf = [], wordingsOf = new Map(), phrases = new Map(), rows = [];
  wordings.forEach(function ([stems, phraseRows], index) {
    if (!rows.length || rows[rows.length - 1].join() !== phraseRows.join()) rows.push(phraseRows);
    const phrase = rows.length - 1;
    phraseOf.push(phrase);
    for (const stem of stems) {
      append(wordingsOf, stem, index);
      const numbers = phrases.get(stem);
      if (!numbers) phrases.set(stem, [phrase]);
      else if (numbers[numbers.length - 1] !== phrase) numbers.push(phrase);
    }
  });
  const maxBits = bitLength(rows.length), weights = new Map();
  for (const [stem, numbers] of phrases) weights.set(stem, MIN_WEIGHT + maxBits - bitLength(numbers.length));
  return {
    phraseOf, wordingsOf, phrases, weights, rows, relatives: readRelatives(names, data.synonyms),
    wordingWeights: wordings.map(([stems]) => stems.reduce((sum, stem) => sum + weights.get(stem), 0)),
    best: new Int32Array(wordings.length), shared: new Int32Array(wordings.length),
    anywhere: new Int32Array(rows.length),
  };
}

function readRelatives(names, synonyms) {
  const groups = new Map(), equivalents = new Map(), relatives = new Map();
  for (const [short, word] of names.abbreviations) {
    const wordStem = stem(word);
    if (!groups.has(wordStem)) groups.set(wordStem, new Set([wordStem]));
    groups.get(wordStem).add(stem(short));
  }
  for (const group of groups.values()) {
    for (const word of group) equivalents.set(word, new Set([...equivalents.get(word) || [], ...group]));
  }
  for (const [word, group] of equivalents) {
    relatives.set(word, new Map(Array.from(group, (other) => [other, TASK_ABBREVIATION_SHARE])));
  }
  for (const synonymGroup of synonyms.map((group) => group.split(" "))) {
    const expanded = new Set(synonymGroup.flatMap((word) => [word, ...equivalents.get(word) || []]));
    for (const word of synonymGroup) {
      if (!relatives.has(word)) relatives.set(word, new Map());
      const shares = relatives.get(word);
      for (const other of expanded) if (!shares.has(other)) shares.set(other, TASK_SYNONYM_SHARE);
    }
  }
  return relatives;
}

/* --- words of the query ------------------------------------------------------------- */

function frequency(texts, term) {
  return texts.starts[term + 1] - texts.starts[term];
}

/** The rows of the texts that have the stem. */
function rowsOf(texts, wordStem) {
  const number = texts.numbers.get(wordStem);
  return number === undefined ? [] : Array.from(texts.places.subarray(texts.starts[number], texts.starts[number + 1]));
}

function bitLength(number) {
  return 32 - Math.clz32(number);
}

/** The words of the query but stopwords, unless it has no others. */
function contentWords(texts, query) {
  const words = query.words.filter((word) => !texts.stopwords.has(word));
  return words.length ? words : query.words;
}

/** The words of the query; those that are no words of these texts but `siteWords` are not misspelt. */
function queryWords(names, texts, query, siteWords) {
  const result = [];
  const words = contentWords(texts, query);
  words.forEach(function (word, index) {
    const wordStem = stem(word);
    if (result.some((other) => other.stem === wordStem)) return;
    const number = texts.numbers.get(wordStem);
    const isLast = index === words.length - 1;
    if (number !== undefined && !frequency(texts, number) && !isLast) return;
    const neighbors = index ? [words[index - 1] + word] : [];
    if (!isLast) neighbors.push(word + words[index + 1]);
    result.push(queryWord(names, texts, word, wordStem, neighbors, isLast, siteWords !== undefined && siteWords.has(word)));
  });
  return result;
}

function queryWord(names, texts, word, wordStem, neighbors, isLast, isSiteWord) {
  const candidates = new Map();
  function set(numbers, share) {
    const key = numbers.join();
    if (!candidates.has(key)) candidates.set(key, [numbers, share]);
  }
  function add(term, share) {
    const number = texts.numbers.get(term);
    if (number !== undefined && frequency(texts, number)) set([number], share);
  }
  add(wordStem, SAME_WORD_SHARE);
  for (const neighbor of neighbors) add(stem(neighbor), SAME_WORD_SHARE);
  if (names.abbreviations.has(word)) add(stem(names.abbreviations.get(word)), ABBREVIATION_SHARE);
  const synonyms = texts.synonyms.get(wordStem) || [];
  const present = isSiteWord || candidates.size > 0 || texts.numbers.has(wordStem) || synonyms.length > 0;
  const exactCandidates = Array.from(candidates.values());
  // "filesystem" is also "file system"
  for (const parts of names.shelf ? compoundParts(word) : []) {
    const numbers = parts.map((part) => texts.numbers.get(stem(part)));
    if (numbers.every((number) => number !== undefined && frequency(texts, number))) set(numbers, TWO_PARTS_SHARE);
  }
  for (const synonym of synonyms) add(synonym, SYNONYM_SHARE);
  if (isLast && word.length >= MIN_PREFIX) {
    for (const number of termsWithPrefix(texts, word)) {
      if (frequency(texts, number)) set([number], PREFIX_SHARE);
    }
  }
  const isMisspelt = !present && !candidates.size;
  if (isMisspelt) for (const [numbers, share] of findCorrections(texts, word, wordStem)) set(numbers, share);
  let maxFrequency = 0;
  for (const [numbers] of exactCandidates.length ? exactCandidates : candidates.values()) {
    for (const number of numbers) maxFrequency = Math.max(maxFrequency, frequency(texts, number));
  }
  return {
    word, stem: wordStem, candidates: Array.from(candidates.values()), present, corrected: isMisspelt,
    weight: 1 + bitLength(texts.total) - bitLength(maxFrequency),
  };
}

/** The pairs of long parts that `word` may be made of. */
function compoundParts(word) {
  const pairs = [];
  for (let index = MIN_COMPOUND_PART; index <= word.length - MIN_COMPOUND_PART; index++) {
    pairs.push([word.slice(0, index), word.slice(index)]);
  }
  return pairs;
}

function termsWithPrefix(texts, word) {
  let start = 0, end = texts.terms.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    if (texts.terms[middle] < word) start = middle + 1; else end = middle;
  }
  const numbers = [];
  while (start < texts.terms.length && numbers.length < MAX_PREFIX_MATCHES
         && texts.terms[start].startsWith(word)) {
    numbers.push(start++);
  }
  return numbers;
}

function findCorrections(texts, word, wordStem) {
  const cached = texts.corrections.get(word);
  if (cached) return cached;
  let corrections = [], best = 0;
  for (let index = MIN_PART; index <= word.length - MIN_PART; index++) {
    const numbers = [word.slice(0, index), word.slice(index)].map((part) => texts.numbers.get(stem(part)));
    if (numbers.includes(undefined)) continue;
    const rarest = Math.min(...numbers.map((number) => frequency(texts, number)));
    if (rarest > best) {
      best = rarest;
      corrections = [[numbers, TWO_PARTS_SHARE]];
    }
  }
  const other = nearest(texts, wordStem);
  if (other >= 0) corrections.push([[other], MISSPELT_SHARE]);
  if (texts.corrections.size >= MAX_CACHED) texts.corrections.clear();
  texts.corrections.set(word, corrections);
  return corrections;
}

function nearest(texts, wordStem) {
  const maxDistance = maxTypos(wordStem.length), mask = letterMask(wordStem);
  let best = maxDistance + 1, commonest = 0, nearestTerm = -1;
  for (let number = 0; maxDistance && number < texts.terms.length; number++) {
    const term = texts.terms[number], count = frequency(texts, number);
    if (Math.abs(term.length - wordStem.length) > maxDistance || !count) continue;
    if (countBits(mask & ~texts.letterMasks[number]) > maxDistance) continue;
    const typos = distance(wordStem, term, maxDistance);
    if (typos < best || typos === best && typos <= maxDistance && count > commonest) {
      best = typos;
      commonest = count;
      nearestTerm = number;
    }
  }
  return nearestTerm;
}

/** The scores of texts by row; the columns of `texts` are used as scratch space and reset.
 *
 * Each text is about the `topics`, which are words of the query.
 */
function textScores(names, texts, words, topics) {
  const {best, sums, foundWeights, foundWords} = texts;
  const total = words.reduce((sum, word) => sum + word.weight, 0);
  const rows = [], contexts = [];
  words.forEach(function (word, index) {
    const changedRows = addWeights(texts, word, best), context = new Map();
    for (const row of changedRows) {
      const document = names.isPart ? row - names.firstDocument : -1;
      const isPage = document >= 0 && document < names.documents.length;
      if (isPage) context.set(document, best[row]);
      if (!isPage || names.prefaced.has(document)) { // titles are answers of the own text of the site
        if (!foundWords[row]) rows.push(row);
        sums[row] += best[row];
        foundWeights[row] += word.weight;
        foundWords[row] |= 1 << index;
      }
      best[row] = 0;
    }
    contexts.push(context);
  });
  for (const row of names.isPart ? rows : []) {
    addContext(texts, words, contexts, topics, row, search.documentOf(names, row));
  }
  let top = 0;
  texts.share = 0;
  for (const row of rows) {
    sums[row] = Math.floor(sums[row] * foundWeights[row] * foundWeights[row] / (total * total));
    if (sums[row] > top) {
      top = sums[row];
      texts.share = foundWeights[row] / total;
    }
  }
  const scores = new Map();
  for (const row of rows) {
    if (top) scores.set(row, Math.floor(sums[row] * MAX_SCORE / top));
    sums[row] = foundWeights[row] = foundWords[row] = 0;
  }
  return scores;
}

/** Add to a text the words that it lacks, but its page or package has: "uuid of ext4" is -U of tune2fs. */
function addContext({sums, foundWeights, foundWords}, words, contexts, topics, row, document) {
  words.forEach(function ({word, weight}, index) {
    const gain = contexts[index].get(document) || 0;
    if (foundWords[row] >> index & 1 || !gain && !topics.has(word)) return;
    sums[row] += Math.floor(gain * CONTEXT_SHARE / FULL_SHARE);
    foundWeights[row] += weight * CONTEXT_SHARE / FULL_SHARE;
  });
}

/** Add the weights of `word` in texts to `best`; returns the rows of these texts. */
function addWeights(texts, word, best) {
  const changedRows = [];
  for (const [numbers, share] of word.candidates) {
    const sums = numbers.length > 1 ? new Map() : null;
    for (const number of numbers) {
      for (let index = texts.starts[number]; index < texts.starts[number + 1]; index++) {
        const row = texts.places[index], weight = texts.weights[index];
        if (sums) sums.set(row, (sums.get(row) || 0) + weight);
        else keepBest(row, Math.floor(weight * share / FULL_SHARE));
      }
    }
    if (sums) {
      for (const [row, sum] of sums) keepBest(row, Math.floor(sum * share / (FULL_SHARE * numbers.length)));
    }
  }
  function keepBest(row, weight) {
    if (weight > best[row]) {
      if (!best[row]) changedRows.push(row);
      best[row] = weight;
    }
  }
  return changedRows;
}

/* --- tasks -------------------------------------------------------------------------- */

/** The scores of phrases for `words`, by row; the columns of `tasks` are reset. */
function phraseScores(tasks, words) {
  const {shared, anywhere} = tasks, matchedWordings = [], phrases = [];
  let total = 0;
  const stems = Array.from(new Set(words.map(stem)));
  stems.forEach(function (wordStem, index) {
    const related = relatedStems(tasks, wordStem, index === stems.length - 1 ? words[words.length - 1] : "");
    let weight = related.length ? 0 : UNKNOWN_WORD_WEIGHT;
    for (const [other] of related) weight = Math.max(weight, tasks.weights.get(other));
    total += tasks.wordingsOf.has(wordStem) ? tasks.weights.get(wordStem) : weight;
    addBestScores(tasks, related, tasks.wordingsOf, shared, matchedWordings);
    addBestScores(tasks, related, tasks.phrases, anywhere, phrases);
  });
  const scores = new Map(), rows = new Map();
  for (const wording of matchedWordings) {
    const phrase = tasks.phraseOf[wording], gain = shared[wording];
    const gained = SAME_WORDING_SCORE * gain + OTHER_WORDING_SCORE * (anywhere[phrase] - gain);
    const phraseScore = Math.floor(gained / (FULL_SHARE * (tasks.wordingWeights[wording] + total)));
    scores.set(phrase, Math.max(scores.get(phrase) || 0, Math.min(FULL_PHRASE_SCORE, phraseScore)));
    shared[wording] = 0;
  }
  for (const phrase of phrases) anywhere[phrase] = 0;
  for (const [phrase, phraseScore] of scores) {
    if (phraseScore < MIN_PHRASE_SCORE) continue;
    tasks.rows[phrase].forEach(function (row, index) {
      rows.set(row, Math.max(rows.get(row) || 0, phraseScore - NEXT_PLACE_PENALTY * index));
    });
  }
  return rows;
}

/** On a shelf, the `words` with compounds that no phrase has in the parts that phrases have. */
function phraseWords(names, tasks, words) {
  const isKnown = (word) => tasks.wordingsOf.has(stem(word));
  return names.shelf
    ? words.flatMap((word) => isKnown(word) ? [word] : compoundParts(word).find((parts) => parts.every(isKnown)) || [word])
    : words;
}

/** The stems of wordings that a stem may mean, each with its share in eighths. */
function relatedStems(tasks, wordStem, prefix) {
  const related = [];
  for (const [other, share] of tasks.relatives.get(wordStem) || []) {
    if (other !== wordStem && tasks.wordingsOf.has(other)) related.push([other, share]);
  }
  if (tasks.wordingsOf.has(wordStem)) {
    related.push([wordStem, FULL_SHARE]);
  } else if (prefix.length > MIN_PREFIX) {
    for (const other of tasks.wordingsOf.keys()) {
      if (other.startsWith(prefix)) related.push([other, TASK_PREFIX_SHARE]);
    }
  }
  return related;
}

/** Add to `sums` the best weight of each number that `lists` has for some of `related`. */
function addBestScores(tasks, related, lists, sums, changedNumbers) {
  const {best} = tasks, gained = [];
  for (const [other, share] of related) {
    const gain = tasks.weights.get(other) * share;
    for (const number of lists.get(other)) {
      if (!best[number]) gained.push(number);
      if (gain > best[number]) best[number] = gain;
    }
  }
  for (const number of gained) {
    if (!sums[number]) changedNumbers.push(number);
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
    for (const [numbers, share] of candidates) {
      for (const number of share > PREFIX_SHARE ? numbers : []) {
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
