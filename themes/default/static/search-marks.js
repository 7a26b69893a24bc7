// The words of a query in texts: which they are, the sentence that has most of them, and
// marks on a page that the search has led to: ?mark=rate+limit#stick-table
// Words are cut by search-engine.js; dconv/writers/search/words.py cuts them to the same stems.
// @ts-check
(function () {
"use strict";
const host = /** @type {any} */ (globalThis);
/** @type {any} */
const search = host.dconvSearch = host.dconvSearch || {};
const LONGEST = 160; // characters of a sentence that are shown
const ROOM = 40; // of them are kept free behind the last word that is marked
const PROSE = /^[A-Z"<]/; // how a sentence begins that is no line of code
const SHORT = 3; // letters up to which a word is no beginning of others
const ENDING = 4; // letters that a longer word may go on with: limit, limiter
const MOST = 2000; // marks on one page

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

/* --- which words ---------------------------------------------------------------------- */

/** What finds `marks`, words of a query, in texts; `weights` are theirs, and 1 where missing. */
search.wanted = function (marks, weights) {
  const stems = new Map(), cache = new Map();
  marks.forEach(function (mark, at) {
    for (const form of [mark, search.stem(mark)]) if (!stems.has(form)) stems.set(form, at);
  });
  /** Which of the marks `word` is, or begins with; -1 for none. */
  function marked(word) {
    let at = cache.get(word);
    if (at === undefined) {
      at = stems.get(search.stem(word));
      if (at === undefined) {
        at = marks.findIndex((mark) => mark.length > SHORT && mark.length < word.length
          && word.length <= mark.length + ENDING && word.startsWith(mark));
      }
      cache.set(word, at);
    }
    return at;
  }
  return {marked, weights: marks.map((_, at) => at < weights.length ? weights[at] : 1)};
};

/** The places of the wanted words in `text`: start, end, which. */
search.ranges = function (text, wanted) {
  const ranges = [];
  for (const match of search.lower(text).matchAll(search.WORD)) {
    const at = wanted.marked(match[0]);
    if (at >= 0) ranges.push([match.index, match.index + match[0].length, at]);
  }
  return ranges;
};

/* --- the sentence --------------------------------------------------------------------- */

/** The first of `sentences` that has most of the wanted words, cut around them, or "". */
search.sentence = function (sentences, wanted) {
  let best = 0, place = -1;
  sentences.forEach(function (sentence, at) {
    const score = scoreOf(marksIn(sentence, wanted), wanted);
    if (score > best) {
      best = score;
      place = at;
    }
  });
  return place < 0 ? "" : filled(cut(sentences[place], wanted), sentences.slice(place + 1));
};

/** `text` and the prose `behind` it, as far as there is room: results keep the same height. */
function filled(text, behind) {
  for (const sentence of behind) {
    if (!text.endsWith(".") || !PROSE.test(sentence)) return text;
    const whole = text;
    for (const part of sentence.split(" ")) {
      const longer = text + " " + part;
      if (search.characters(longer) > LONGEST) return text === whole ? text : text + "…";
      text = longer;
    }
  }
  return text;
}

function marksIn(text, wanted) {
  return new Set(search.ranges(text, wanted).map((range) => range[2]));
}

function scoreOf(marks, wanted) {
  let sum = 0;
  for (const at of marks) sum += wanted.weights[at];
  return sum;
}

function cut(text, wanted) {
  if (search.characters(text) <= LONGEST) return text;
  const parts = text.split(" "), lengths = parts.map(search.characters);
  const marks = parts.map((part) => marksIn(part, wanted));
  let best = 0, first = 0;
  for (let start = 0; start < parts.length; start++) {
    const among = new Set(marks.slice(start, endOf(lengths, start)).flatMap((set) => [...set]));
    const score = scoreOf(among, wanted);
    if (score > best) {
      best = score;
      first = start;
    }
  }
  first = withRoom(lengths, marks, first);
  const end = endOf(lengths, first);
  return (first ? "…" : "") + parts.slice(first, end).join(" ") + (end < parts.length ? "…" : "");
}

/** The index after the last part from `start` on that has room, one at least. */
function endOf(lengths, start) {
  let length = lengths[start], end = start + 1;
  while (end < lengths.length && length + 1 + lengths[end] <= LONGEST) length += 1 + lengths[end++];
  return end;
}

/** `first` or a later start that leaves room behind the last mark, and loses none. */
function withRoom(lengths, marks, first) {
  let end = endOf(lengths, first), last = first;
  for (let at = first; at < end; at++) if (marks[at].size) last = at;
  while (!marks[first].size && end < lengths.length) {
    const length = lengths.slice(first, last + 1).reduce((sum, part) => sum + 1 + part, -1);
    if (length <= LONGEST - ROOM) break;
    end = endOf(lengths, ++first);
  }
  return first;
}

/* --- marks on a page ------------------------------------------------------------------ */

/** The entry that the address leads to, or else the whole text. */
function scope() {
  let anchor = location.hash.slice(1);
  try {
    anchor = decodeURIComponent(anchor);
  } catch {
    // a lone percent sign: the anchor as it stands
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
  const wanted = search.wanted(tokens, []), root = scope();
  if (!tokens.length || !root) return;
  const texts = [], marks = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent && !parent.closest("nav, .hidden, script, h1 .number")) texts.push(walker.currentNode);
  }
  for (const text of texts) {
    if (marks.length > MOST) break;
    marks.push(...wrap(text, search.ranges(text.nodeValue || "", wanted)));
  }
  if (marks.length) bar(marks);
};

/** How many there are, the way to the next one, and the way to be rid of them. */
function bar(marks) {
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
  let at = -1;
  next.onclick = function () {
    if (at >= 0) marks[at].classList.remove("current");
    at = (at + 1) % marks.length;
    marks[at].classList.add("current");
    marks[at].scrollIntoView({block: "center"});
    status.textContent = `${at + 1} of ${marks.length}`;
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
      // a browser that allows no more changes now
    }
  }
  function escape(event) {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) remove();
  }
  clear.onclick = remove;
  document.addEventListener("keydown", escape);
}

function button(text) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  return made;
}
})();
