// The words of a query in texts: matching them, the sentence with most of them, and highlights on
// the page of a result: ?mark=rate+limit#stick-table
// search-engine.js tokenizes; the stems are those of dconv/writers/search/tokenizer.py.
// @ts-check
(function () {
"use strict";
const host = /** @type {any} */ (globalThis);
/** @type {any} */
const search = host.dconvSearch = host.dconvSearch || {};
const MAX_SENTENCE = 160; // characters of a sentence that are shown
const MIN_SPACE_AFTER_MARK = 40; // of them are kept free after the last word that is marked
const PROSE = /^[A-Z"<]/; // how a sentence begins that is no line of code
const MAX_SHORT_WORD = 3; // letters up to which a word is no beginning of others
const MAX_SUFFIX = 4; // letters that a longer word may go on with: limit, limiter
const MAX_MARKS = 2000; // marks on one page

/* --- stems ------------------------------------------------------------------------------ */

/** The word without its ending. */
search.stem = function (word) {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  word = withoutVerbEnding(withoutPlural(word));
  return word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word;
};

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

/* --- matching ------------------------------------------------------------------------- */

/** A matcher for `marks`, the words of a query; `weights` are those of the words, 1 if missing. */
search.matcher = function (marks, weights) {
  const stems = new Map(), cache = new Map();
  marks.forEach(function (mark, index) {
    for (const form of [mark, search.stem(mark)]) if (!stems.has(form)) stems.set(form, index);
  });
  /** Which of the marks `word` is, or begins with; -1 for none. */
  function markOf(word) {
    let index = cache.get(word);
    if (index === undefined) {
      index = stems.get(search.stem(word));
      if (index === undefined) {
        index = marks.findIndex((mark) => mark.length > MAX_SHORT_WORD && mark.length < word.length
          && word.length <= mark.length + MAX_SUFFIX && word.startsWith(mark));
      }
      cache.set(word, index);
    }
    return index;
  }
  return {markOf, weights: marks.map((_, index) => index < weights.length ? weights[index] : 1)};
};

/** The ranges of the words of `matcher` in `text`: start, end, index of the word. */
search.ranges = function (text, matcher) {
  const ranges = [];
  for (const match of search.lower(text).matchAll(search.WORD)) {
    const index = matcher.markOf(match[0]);
    if (index >= 0) ranges.push([match.index, match.index + match[0].length, index]);
  }
  return ranges;
};

/* --- the sentence --------------------------------------------------------------------- */

/** The first of `sentences` with most of the words of `matcher`, cut around them, or "". */
search.sentence = function (sentences, matcher) {
  let best = 0, bestIndex = -1;
  sentences.forEach(function (sentence, index) {
    const score = scoreOf(marksIn(sentence, matcher), matcher);
    if (score > best) {
      best = score;
      bestIndex = index;
    }
  });
  if (bestIndex < 0) return "";
  return extendSentence(cutSentence(sentences[bestIndex], matcher), sentences.slice(bestIndex + 1));
};

/** `text` and the prose `following` it, as far as there is room: results keep the same height. */
function extendSentence(text, following) {
  for (const sentence of following) {
    if (!text.endsWith(".") || !PROSE.test(sentence)) return text;
    const original = text;
    for (const part of sentence.split(" ")) {
      const longer = text + " " + part;
      if (search.characters(longer) > MAX_SENTENCE) return text === original ? text : text + "…";
      text = longer;
    }
  }
  return text;
}

function marksIn(text, matcher) {
  return new Set(search.ranges(text, matcher).map((range) => range[2]));
}

function scoreOf(marks, matcher) {
  let sum = 0;
  for (const index of marks) sum += matcher.weights[index];
  return sum;
}

function cutSentence(text, matcher) {
  if (search.characters(text) <= MAX_SENTENCE) return text;
  const parts = text.split(" "), lengths = parts.map(search.characters);
  const marks = parts.map((part) => marksIn(part, matcher));
  let best = 0, first = 0;
  for (let start = 0; start < parts.length; start++) {
    const marksInPart = new Set(marks.slice(start, endOfPart(lengths, start)).flatMap((set) => [...set]));
    const score = scoreOf(marksInPart, matcher);
    if (score > best) {
      best = score;
      first = start;
    }
  }
  first = withSpaceAfterMark(lengths, marks, first);
  const end = endOfPart(lengths, first);
  return (first ? "…" : "") + parts.slice(first, end).join(" ") + (end < parts.length ? "…" : "");
}

/** The index after the last part from `start` on that has room, one at least. */
function endOfPart(lengths, start) {
  let length = lengths[start], end = start + 1;
  while (end < lengths.length && length + 1 + lengths[end] <= MAX_SENTENCE) length += 1 + lengths[end++];
  return end;
}

/** `first` or a later start that leaves room after the last mark, and loses none. */
function withSpaceAfterMark(lengths, marks, first) {
  let end = endOfPart(lengths, first), last = first;
  for (let index = first; index < end; index++) if (marks[index].size) last = index;
  while (!marks[first].size && end < lengths.length) {
    const length = lengths.slice(first, last + 1).reduce((sum, part) => sum + 1 + part, -1);
    if (length <= MAX_SENTENCE - MIN_SPACE_AFTER_MARK) break;
    end = endOfPart(lengths, ++first);
  }
  return first;
}

/* --- highlights on a page ------------------------------------------------------------- */

/** The entry that the address leads to, or else the whole text. */
function markedElement() {
  let anchor = location.hash.slice(1);
  try {
    anchor = decodeURIComponent(anchor);
  } catch {
    // not valid percent-encoding: keep the anchor as it is
  }
  const target = anchor ? document.getElementById(anchor) : null;
  return target && target.closest(".entry") || document.querySelector("main");
}

function wrap(text, ranges) {
  const marks = [];
  for (const [start, end] of ranges.reverse()) {
    const word = text.splitText(start);
    word.splitText(end - start);
    const mark = document.createElement("mark");
    mark.className = "found";
    word.replaceWith(mark);
    mark.append(word);
    marks.unshift(mark);
  }
  return marks;
}

/** Mark the words of `words` on this page. */
search.mark = function (words) {
  const tokens = (search.lower(words).match(search.WORD) || []).filter((word) => word.length > 1);
  const matcher = search.matcher(tokens, []), root = markedElement();
  if (!tokens.length || !root) return;
  const texts = [], marks = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent && !parent.closest("nav, .hidden, script, h1 .number")) texts.push(walker.currentNode);
  }
  for (const text of texts) {
    if (marks.length > MAX_MARKS) break;
    marks.push(...wrap(text, search.ranges(text.nodeValue || "", matcher)));
  }
  if (marks.length) showMarkBar(marks);
};

/** Show how many marks there are, with buttons for the next one and to remove all. */
function showMarkBar(marks) {
  const box = document.createElement("div");
  box.className = "marks";
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "Marked words");
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  const next = button("Next"), clear = button("Clear");
  clear.setAttribute("aria-keyshortcuts", "Escape");
  box.append(status, next, clear);
  document.body.append(box);
  status.textContent = marks.length === 1 ? "1 word marked" : `${marks.length} words marked`;
  let index = -1;
  next.onclick = function () {
    if (index >= 0) marks[index].classList.remove("current");
    index = (index + 1) % marks.length;
    marks[index].classList.add("current");
    marks[index].scrollIntoView({block: "center"});
    status.textContent = `${index + 1} of ${marks.length}`;
  };
  function remove() {
    for (const mark of marks) {
      const parent = mark.parentNode;
      mark.replaceWith(...mark.childNodes);
      if (parent) parent.normalize();
    }
    box.remove();
    document.removeEventListener("keydown", escape);
    const address = new URL(location.href);
    address.searchParams.delete("mark");
    try {
      history.replaceState(history.state, "", address);
    } catch {
      // the browser limits how often an address may change
    }
  }
  function escape(event) {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) remove();
  }
  clear.onclick = remove;
  document.addEventListener("keydown", escape);
}

function button(text) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  return element;
}
})();
