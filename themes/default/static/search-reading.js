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
const EIGHTHS = 8, ITSELF = 8, SHORT = 7, STARTS = 4, APART = 5, MISSPELT = 5, SYNONYM = 2;
const SHORTEST_START = 2, MOST_STARTS = 64, SHORTEST_PART = 2, MOST_KEPT = 256, TOP = 1000;
const TASK_SHORT = 7, TASK_STARTS = 7, TASK_SYNONYM = 4, BOTH = 2000, ELSEWHERE = 600;
const WHOLE = 1000, NEAR_TASK = 300, TASK_STEP = 100, LEAST = 4, STRANGE = 5;

/** What `data`, that of search-text.js, tells of queries; `names` are those of the engine. */
search.reading = function (names, data) {
  const texts = readText(data, names.names.length);
  const tasks = readTasks(data, texts.phrases, names);
  return {
    wanted: (query) => wantedWords(names, texts, query),
    scores: (said) => textScores(texts, said),
    agreements: (query) => agreements(tasks, telling(texts, query)),
    marks: (said, query) => marksOf(texts, said, query),
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

/* --- words of the query ------------------------------------------------------------- */

function frequency(texts, term) {
  return texts.starts[term + 1] - texts.starts[term];
}

function length(number) {
  return 32 - Math.clz32(number);
}

function telling(texts, query) {
  const found = query.words.filter((word) => !texts.noise.has(word));
  return found.length ? found : query.words;
}

function wantedWords(names, texts, query) {
  const found = [];
  const said = telling(texts, query);
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

/* --- what is shown ------------------------------------------------------------------ */

function marksOf(texts, said, query) {
  const found = new Map(telling(texts, query).map((word) => [word, 1]));
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
  while (part + 1 < texts.parts.length && texts.parts[part + 1] <= row) part++;
  return part;
}
})();
