// Marks words on a page that the search has led to: ?mark=rate+limit#stick-table
// Escape or a button takes the marks away.  Only texts are wrapped: no anchor changes.
// @ts-check
(function () {
"use strict";
const host = /** @type {any} */ (window);
/** @type {any} */
const search = host.dconvSearch = host.dconvSearch || {};
const LETTER = "[\\p{L}\\p{N}]";
const SHORT = 3; // letters up to which a word is marked alone, not as the beginning of others
const ENDING = 4; // letters that a longer word may go on with: "limit", "limited"
const MOST = 2000; // marks on one page

/** What matches the beginnings of words, as the index has them; null where there is none. */
function pattern(words) {
  const parts = words.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
  if (!parts.length) return null;
  const sorted = [...new Set(parts)].sort((a, b) => b.length - a.length);
  const each = sorted.map((word) => word + (word.length > SHORT ? `${LETTER}{0,${ENDING}}` : ""));
  return new RegExp(`(^|[^\\p{L}\\p{N}])(${each.join("|")})(?!${LETTER})`, "giu");
}

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

function wrap(text, found) {
  let rest = text, from = 0;
  const marks = [];
  for (const match of found) {
    const start = match.index + match[1].length - from;
    const word = rest.splitText(start);
    rest = word.splitText(match[2].length);
    from = match.index + match[0].length;
    const mark = document.createElement("mark");
    mark.className = "found";
    word.replaceWith(mark);
    mark.append(word);
    marks.push(mark);
  }
  return marks;
}

/** Mark the words of `words`; called again, those instead. */
search.mark = function (words) {
  const wanted = pattern(words), root = scope();
  if (!wanted || !root) return;
  const texts = [], marks = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent && !parent.closest("nav, .hidden, script, h1 .number")) texts.push(walker.currentNode);
  }
  for (const text of texts) {
    if (marks.length > MOST) break;
    marks.push(...wrap(text, [...(text.nodeValue || "").matchAll(wanted)]));
  }
  if (marks.length) bar(marks);
};

/** How many there are, the way to the next one, and the way to be rid of them. */
function bar(marks) {
  const box = document.createElement("div");
  box.className = "marks";
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "Marked words");
  const told = document.createElement("span");
  told.setAttribute("role", "status");
  const next = button("Next"), clear = button("Clear");
  clear.setAttribute("aria-keyshortcuts", "Escape");
  box.append(told, next, clear);
  document.body.append(box);
  told.textContent = marks.length === 1 ? "1 word marked" : `${marks.length} words marked`;
  let at = -1;
  next.onclick = function () {
    if (at >= 0) marks[at].classList.remove("current");
    at = (at + 1) % marks.length;
    marks[at].classList.add("current");
    marks[at].scrollIntoView({block: "center"});
    told.textContent = `${at + 1} of ${marks.length}`;
  };
  function remove() {
    for (const mark of marks) {
      const parent = mark.parentNode;
      mark.replaceWith(...mark.childNodes);
      if (parent) parent.normalize();
    }
    box.remove();
    document.removeEventListener("keydown", escape);
    search.address("mark", null);
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
