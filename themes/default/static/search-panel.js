// Shows search results: a combobox with a list of links in the dialog of search.js.
// The pattern is that of https://www.w3.org/WAI/ARIA/apg/patterns/combobox/.
// @ts-check
(function () {
"use strict";
const host = /** @type {any} */ (window);
/** @type {any} */
const search = host.dconvSearch = host.dconvSearch || {};
const MAX_RESULTS = 16; // results shown
const FIXED_RESULTS = 5; // results that keep their order whatever their groups
const MAX_REMOVED = 3; // removed names shown
const MAX_MARKED_WORDS = 12; // words to mark on the page that is opened
const MAX_SIMILAR_QUERY = 40; // letters of a query without results that nearest names are looked up for
const STATUS_DELAY = 250; // milliseconds without a key until the address and the count change
const SENTENCE_DELAY = 120; // and until the sentences of visible texts are loaded
const HANDOVER_PREFIX = "dconv-explain\n"; // begins what explain-page.js finds in the name of the window
const MAX_RECENT = 8; // pages viewed last that are shown
const RECENT = "Viewed last", SIMILAR = "Similar names", BEST = "Best matches", REMOVED = "No longer there", EXPLAIN = "What you have pasted";

/** Set the parameter `name` of the address, so that it can be shared and bookmarked; null removes it. */
search.setQueryParameter = function (name, value) {
  const address = new URL(location.href);
  if (value === null) address.searchParams.delete(name);
  else address.searchParams.set(name, value);
  try {
    if (address.href !== location.href) history.replaceState(history.state, "", address);
  } catch {
    // the browser limits how often an address may change
  }
};

search.panel = function () {
  const {dialog, box, control} = search;
  const data = control.dataset;
  /** @type {{folder: string, title: string}[]} */
  const releases = JSON.parse(data.releases).map(([folder, title]) => ({folder, title}));
  const site = search.site(releases.map((release) => release.folder));
  const shelf = releases.find((release) => release.folder === search.SHELF);
  let here = /** @type {any} */ ({}); // the page and its package on the shelf
  let shown = [], selectedIndex = -1, statusTimer = 0, textsLoaded = false;
  /** @type {{lineElement: any, result: any, release: any, matcher: any}[]} */
  let texts = [];
  let sentenceTimer = 0, filesTimer = 0, cachedMatcher = {key: "", matcher: null};
  let leaving = false;
  const explanations = JSON.parse(data.explain || "[]");
  let pasted = ""; // what a page can explain; it stays out of the address

  /* --- elements of the dialog ------------------------------------------------------ */

  const results = createElement("div", {
    class: "results", id: "-found", role: "listbox", "aria-label": "Results"});
  const close = createElement("button", {type: "button", class: "close", "aria-keyshortcuts": "Escape"}, "Close");
  const scope = scopes();
  const note = createElement("p", {class: "hint"}), status = createElement("p", {class: "result-count", role: "status"});
  const check = createElement("input", {type: "checkbox"});
  check.checked = search.singleKeys();
  const indexLink = createElement("a", {href: control.href}, "All names from A to Z");
  box.after(close);
  setAttributes(box, {role: "combobox", "aria-expanded": "false", "aria-controls": "-found",
    "aria-autocomplete": "list", "aria-label": `Search ${releases.map((release) => release.title).join(", ")}`});
  const keysLabel = createElement("label", {class: "single"});
  keysLabel.append(check, " Open with ", createElement("kbd", {}, "/"), " or ", createElement("kbd", {}, "s"));
  const keys = createElement("p", {class: "keys", "aria-hidden": "true"});
  for (const [key, meaning] of [["↑ ↓", "move"], ["Enter", "open"], ["Ctrl Enter", "new tab"], ["Esc", "close"]]) {
    keys.append(createElement("kbd", {}, key), ` ${meaning} `);
  }
  const footer = createElement("div", {class: "below"}), scopeLine = createElement("div", {class: "where"});
  scopeLine.append(scope, status);
  footer.append(keys, keysLabel);
  const indexNote = createElement("p", {class: "hint"});
  indexNote.append(indexLink);
  const body = createElement("div", {class: "body", tabindex: "0"}); // scrolls by keys, too
  body.append(note, results, indexNote);
  dialog.append(scopeLine, body, footer);

  function scopes() {
    const select = createElement("select", {"aria-label": "Where to search"});
    if (releases.length > 1) select.append(createElement("option", {value: ""}, "Everything"));
    releases.forEach((release, number) => select.append(createElement("option", {value: String(number)},
      releases.length > 1 || !data.document ? release.title : `All of ${release.title}`)));
    if (data.document) select.append(createElement("option", {value: "document"}, data.title));
    if (select.options.length > 1 || shelf) return select;
    return createElement("span", {class: "only"}, releases[0].title);
  }

  /* --- the data -------------------------------------------------------------------- */

  function isLoaded(release) {
    return Boolean(site.engine(release.folder));
  }

  /** Find the page and its package on the shelf, once: the package is a scope of its own. */
  function findHere() {
    if (!shelf || here.texts || !isLoaded(shelf)) return;
    const path = decodeURI(location.href).replace(/[?#].*/, "").slice(decodeURI(new URL(data.root || ".", location.href).href).length);
    here = site.engine(search.SHELF).here(data.document, path.replace(/(^|[/])$/, "$1index.html"));
    if (!here.folder) return;
    const option = createElement("option", {value: "package"}, here.title);
    scope.insertBefore(option, data.document ? scope.lastElementChild : null);
  }

  search.onDataAdded = function (folder, file) {
    const isRelease = releases.some((candidate) => candidate.folder === folder);
    if (file.startsWith("part-")) {
      for (const text of texts) if (text.release.folder === folder && `part-${text.result.part}` === file) showSentence(text);
      return;
    }
    site.added(folder, file);
    findHere();
    const isLast = folder.startsWith(search.SHELF) || file === "text"; // of a file with texts of a package
    if (isRelease ? file === "names" || box.value : isLast) show();
  };

  /** The releases that are chosen. */
  function chosenReleases() {
    const value = scope.value;
    if (value === "package") return [shelf];
    return releases.filter((_, number) => releases.length === 1
      || !value || value === "document" || value === String(number));
  }

  function documents() {
    return scope.value === "document" ? [data.document] : [];
  }

  /** The best results of the releases, with the releases they are of, and files for better ones. */
  function find(query) {
    const {results, files} = site.search(query, {
      limit: MAX_RESULTS, documents: documents(), keys: chosenReleases().map((release) => release.folder), here,
      packages: scope.value === "package" || scope.value === "document" && here.folder ? [here.folder] : [],
    });
    const matches = results.map(({key, result}) => ({
      result, release: releases.find((release) => release.folder === key) || {folder: key, title: result.package},
    }));
    return {matches, files};
  }

  /** Load the names of a letter at once, and the texts of packages when typing pauses. */
  function loadFiles(files) {
    clearTimeout(filesTimer);
    const names = files.filter((file) => !file.includes("/"));
    for (const file of names) search.load(file);
    if (files.length > names.length) filesTimer = setTimeout(() => files.forEach((file) => search.load(file)), SENTENCE_DELAY);
  }

  /** Names of older releases that the releases searched lack, the likeliest first. */
  function removedNames(query, results) {
    const resultNames = results.map(({result}) => result.name), removed = [];
    for (const release of chosenReleases().filter(isLoaded)) {
      for (const [rank, entry] of site.engine(release.folder).findRemovedNames(query, resultNames, documents())) {
        removed.push({rank, entry, release});
      }
    }
    return removed.sort((a, b) => a.rank - b.rank).slice(0, MAX_REMOVED);
  }

  /** The names nearest to a query without results: most like its beginning, or else its end. */
  function similarNames(query) {
    let best = [];
    for (const end of [false, true]) {
      for (let length = Math.min(query.length - 1, MAX_SIMILAR_QUERY); length > 1; length--) {
        const part = (end ? query.slice(-length) : query.slice(0, length)).trim();
        const names = find(part).matches.filter(({result}) => result.why === "name");
        if (names.length && (!best.length || names[0].result.band < best[0].result.band)) best = names;
      }
    }
    return best.slice(0, FIXED_RESULTS);
  }

  /* --- showing --------------------------------------------------------------------- */

  function show() {
    const query = box.value.trim();
    const loaded = releases.some(isLoaded);
    if (pasted) return showExplanations();
    if (!query) return showRecent(loaded);
    if (query && loaded && !textsLoaded) {
      textsLoaded = true;
      search.load(data.marks);
      search.load(data.fulltext);
      search.loadData("text");
    }
    let {matches, files} = query && loaded ? find(query) : {matches: [], files: []};
    loadFiles(files);
    const removed = query && loaded ? removedNames(query, matches) : [];
    const nothing = Boolean(query) && loaded && !matches.length && !removed.length;
    if (nothing) matches = similarNames(query);
    const groups = nothing ? [["Nearest names", matches]] : groupResults(matches);
    if (removed.length) {
      const equal = matches.length > 0 && matches[0].result.band <= search.IGNORING_SEPARATORS;
      const removedFirst = removed[0].rank !== search.NAME_PREFIX && !equal;
      groups.splice(removedFirst ? 0 : groups.length, 0, [REMOVED, removed]);
    }
    const selected = selectedIndex > 0 && shown[selectedIndex] ? shown[selectedIndex].href : "";
    shown = [];
    texts = [];
    results.replaceChildren(...groups.map(([title, rows], number) =>
      group(title, rows, number, query)));
    setAttributes(box, {"aria-expanded": String(shown.length > 0)});
    results.hidden = !shown.length;
    const place = selected ? shown.findIndex((link) => link.href === selected) : -1;
    select(place < 0 ? (shown.length ? 0 : -1) : place, false);
    hint(query, loaded, nothing, matches.length + removed.length);
    readSentences();
    if (search.openFirstWhenFound && loaded) {
      search.openFirstWhenFound = false;
      if (shown.length) openResult(shown[0], false);
    }
  }

  /** The pages of this site that were viewed last, newest first, as reader.js has kept them. */
  function recentPages() {
    const root = new URL(data.root || ".", location.href).href, isKept = ([href]) => href.startsWith(root) && href !== location.href;
    try {
      return JSON.parse(host.dconvReader.setting("recent") || "[]").filter(isKept).slice(0, MAX_RECENT);
    } catch {
      return []; // what is stored is not ours
    }
  }

  /** Offer the pages that were viewed last. */
  function showRecent(loaded) {
    const pages = recentPages();
    clearTimeout(filesTimer);
    search.openFirstWhenFound = false;
    shown = [];
    texts = [];
    results.replaceChildren(...pages.length ? [group(RECENT, pages.map(([href, title]) => ({href, title, recent: true})), 0, "")] : []);
    results.hidden = !pages.length;
    setAttributes(box, {"aria-expanded": String(pages.length > 0)});
    select(-1, false);
    hint("", loaded, false, 0);
  }

  function recentRow({href, title}) {
    const [name, ...where] = title.split(" - ");
    const element = createElement("a", {role: "option", tabindex: "-1", class: "result titled", "aria-selected": "false",
      id: `-result-${shown.length}`, href});
    shown.push(element);
    element.append(createElement("span", {class: "name"}, name), " ", createElement("span", {class: "line"}, where.join(" - ")));
    return element;
  }

  /** Offer the explanation pages for pasted text. */
  function showExplanations() {
    clearTimeout(filesTimer);
    shown = [];
    texts = [];
    results.replaceChildren(group(EXPLAIN, explanations.map(([title, href]) => ({title, href})), 0, ""));
    results.hidden = false;
    setAttributes(box, {"aria-expanded": "true"});
    select(0, false);
    hint("", true, false, explanations.length);
  }

  function explanationRow({title, href}) {
    const lines = pasted.trim().split("\n").length;
    const element = createElement("a", {role: "option", tabindex: "-1", class: "result titled", "aria-selected": "false",
      id: `-result-${shown.length}`, href, "data-explains": ""});
    shown.push(element);
    element.append(createElement("span", {class: "name"}, title), " ",
      createElement("span", {class: "line"}, `${lines === 1 ? "The line" : `${lines} lines`}, read in your browser alone: nothing is sent, nothing is kept`));
    return element;
  }

  /** Whether `text` has several lines, or looks like a log line. */
  function isExplained(text) {
    if (!explanations.length) return false;
    const isLogLine = text.length > 60 && text.trim().split(/\s+/).length > 7 && (text.match(/\d/g) || []).length > 10;
    return isLogLine || text.trim().includes("\n");
  }

  function hint(query, loaded, nothing, number) {
    let text = "";
    if (search.failed && !loaded) text = "The data of the search could not be loaded.";
    else if (!query && !pasted) text = "Names come first, then texts. Spaces, dashes and capitals make no difference.";
    else if (nothing) text = `Nothing found for “${query}”.`;
    note.textContent = text;
    note.hidden = !text;
    indexNote.hidden = Boolean(query || pasted) && !nothing && !search.failed;
    clearTimeout(statusTimer);
    statusTimer = setTimeout(function () {
      if (!dialog.open) return;
      status.textContent = !(query || pasted) || !loaded ? "" : nothing ? "Nothing found"
        : `${number}${number < MAX_RESULTS ? "" : "+"} ${number === 1 ? "result" : "results"}`;
      search.setQueryParameter("q", !pasted && box.value || null);
    }, STATUS_DELAY);
  }

  /** Results in groups, the group of the best first; where that would move one of the first
      ones, these are before as a group of their own. */
  function groupResults(matches) {
    const order = groupByTitle(matches);
    const flat = order.flatMap(([, rows]) => rows);
    const first = matches.slice(0, FIXED_RESULTS);
    if (first.every((result, number) => result === flat[number])) return order;
    return [[BEST, first], ...groupByTitle(matches.slice(FIXED_RESULTS))];
  }

  function groupByTitle(matches) {
    /** @type {Map<string, any[]>} */
    const groups = new Map();
    for (const row of matches) {
      const title = groupTitle(row.result);
      const rows = groups.get(title);
      if (rows) rows.push(row); else groups.set(title, [row]);
    }
    return [...groups];
  }

  function groupTitle(result) {
    if (result.why === "text") return "Text";
    if (result.band >= search.MISSPELT) return SIMILAR;
    if (result.package && result.kind === "document") return "Pages";
    return result.kind === "section" || result.kind === "document" ? "Sections" : "Keywords";
  }

  function group(title, rows, number, query) {
    const identity = `-group-${number}`;
    const element = createElement("div", {role: "group", "aria-labelledby": identity});
    element.append(createElement("div", {class: "title", id: identity}, title));
    for (const place of rows) {
      element.append(...(place.result ? row(place.result, place.release, query) : [otherRow(place, query)]));
    }
    return element;
  }

  /** A row that is not a result: a page viewed last, an explanation page, a removed name. */
  function otherRow(place, query) {
    if (place.recent) return recentRow(place);
    return place.href ? explanationRow(place) : removedRow(place, query);
  }

  /** Show the sentence that matches the query once it is loaded, without moving anything. */
  function showSentence({lineElement, result, release, matcher}) {
    const part = search.data[release.folder][`part-${result.part}`];
    const sentence = part && search.sentence(part[result.text] || [], matcher) || lineElement.textContent;
    lineElement.replaceChildren(...marked(sentence, search.ranges(sentence, matcher)));
  }

  /** Load the sentences of visible results when typing and scrolling pause. */
  function readSentences() {
    clearTimeout(sentenceTimer);
    if (texts.length) sentenceTimer = setTimeout(function () {
      const end = dialog.open ? body.getBoundingClientRect().bottom : 0;
      for (const {lineElement, result, release} of texts) {
        if (result.part >= 0 && lineElement.getBoundingClientRect().top < end) {
          search.load(search.partFile(release.folder, result.part));
        }
      }
    }, SENTENCE_DELAY);
  }

  /** The matcher of the query's words in texts: one for all results of a release. */
  function matcherOf({marks, weights}) {
    const key = marks.join(" ");
    if (cachedMatcher.key !== key) cachedMatcher = {key, matcher: search.matcher(marks, weights)};
    return cachedMatcher.matcher;
  }

  function row(result, release, query) {
    const matcher = result.why === "text" && search.matcher ? matcherOf(result) : null;
    const titled = result.kind === "section" || result.kind === "document" ? " titled" : "";
    const mark = matcher ? `?mark=${encodeURIComponent(result.marks.slice(0, MAX_MARKED_WORDS).join(" "))}` : "";
    const element = option(result, release, `result${titled}`, mark);
    const name = createElement("span", {class: "name"});
    name.append(...marked(result.name, matcher ? search.ranges(result.name, matcher) : matchedRanges(result.name, query)));
    const where = createElement("span", {class: "where"});
    where.append(createElement("span", {class: "kind"}, result.qualifier ? `${result.kind} (${result.qualifier})` : result.kind), " ",
      createElement("span", {class: "document"}, placeOf(result, release)), " ",
      createElement("span", {class: "number"}, result.section));
    element.append(name, " ");
    if (result.deprecated) element.append(createElement("span", {class: "badge deprecated"}, "deprecated"), " ");
    element.append(where);
    const line = result.line || (result.kind === "section" ? "" : result.sectionTitle);
    if (line || matcher) {
      const lineElement = createElement("span", {class: matcher ? "line sentence" : "line"}, line);
      element.append(" ", lineElement);
      if (matcher) {
        texts.push({lineElement, result, release, matcher});
        showSentence(texts[texts.length - 1]);
      }
    }
    if (!result.others.length) return [element];
    const others = createElement("div", {class: "others"});
    others.append(createElement("span", {"aria-hidden": "true"}, "also"), ...result.others.map(function (other) {
      const also = option(other, release, "also", "");
      if (other.name === result.name) also.append(createElement("span", {class: "hidden"}, `${result.name}: `));
      else also.append(createElement("code", {}, other.name), " ");
      also.append(`${other.kind} `,
        createElement("span", {class: "number"}, other.section));
      return also;
    }));
    return [element, others];
  }

  /** The origin of a result: its page and package on a shelf, else its release or document. */
  function placeOf(result, release) {
    if (!result.package) return releases.length > 1 ? release.title : result.document;
    return result.kind === "document" ? result.package : `${result.documentTitle} · ${result.package}`;
  }

  /** The row of a removed name: it leads to the last release that has it. */
  function removedRow({entry: [text, kind, version, address], release}, query) {
    const [path, anchor] = address.split("#");
    const element = option({path, anchor}, {folder: release.folder.replace(/[^/]+$/, version)}, "result", "");
    const name = createElement("span", {class: "name"}), where = createElement("span", {class: "where"});
    name.append(...marked(text, matchedRanges(text, query)));
    where.append(createElement("span", {class: "kind"}, kind), ` not in ${release.title}, last in ${version}`);
    element.append(name, " ", where);
    return element;
  }

  function option(place, release, kind, query) {
    const anchor = place.anchor ? `#${encodeURIComponent(place.anchor)}` : "";
    const isOnShelf = release.folder.startsWith(search.SHELF) || search.isShelfKey(release.folder);
    const path = encodeURI(isOnShelf ? place.path : `${release.folder}/${place.path}`);
    const here = location.href.replace(/[?#].*/, ""); // all there is of a document that is one file
    const element = createElement("a", {role: "option", tabindex: "-1", class: kind, "aria-selected": "false",
      id: `-result-${shown.length}`, href: "offline" in data ? here + anchor : data.root + path + query + anchor});
    shown.push(element);
    return element;
  }

  /* --- keyboard -------------------------------------------------------------------- */

  function select(number, scrollIntoView) {
    if (shown[selectedIndex]) setAttributes(shown[selectedIndex], {"aria-selected": "false"});
    selectedIndex = number;
    const link = shown[selectedIndex];
    if (!link) {
      box.removeAttribute("aria-activedescendant");
      return;
    }
    setAttributes(link, {"aria-selected": "true"});
    setAttributes(box, {"aria-activedescendant": link.id});
    if (scrollIntoView && selectedIndex) link.scrollIntoView({block: "nearest"});
    else if (scrollIntoView) body.scrollTop = 0;
  }

  function move(by) {
    if (shown.length) select((Math.max(selectedIndex, by < 0 ? 0 : -1) + by + shown.length) % shown.length, true);
  }

  function openResult(link, inNewTab) {
    if (inNewTab && !pasted) window.open(link.href, "_blank", "noopener");
    else link.click();
  }

  body.addEventListener("scroll", readSentences, {passive: true});
  box.addEventListener("paste", function (event) {
    const text = event.clipboardData ? event.clipboardData.getData("text/plain") : "";
    if (!isExplained(text)) return;
    event.preventDefault();
    pasted = text;
    box.value = text.trim().split("\n", 1)[0].slice(0, 200);
    selectedIndex = -1;
    show();
  });
  box.addEventListener("input", function () {
    pasted = "";
    selectedIndex = -1;
    body.scrollTop = 0;
    show();
  });
  box.addEventListener("keydown", function (event) {
    if (event.isComposing || event.altKey) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (event.shiftKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (releases.some(isLoaded)) search.openFirstWhenFound = false;
      if (shown[selectedIndex]) openResult(shown[selectedIndex], event.ctrlKey || event.metaKey);
    }
  });
  results.addEventListener("click", function (event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link && "explains" in link.dataset) {
      window.name = HANDOVER_PREFIX + pasted;
      search.setQueryParameter("q", null);
      return;
    }
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const here = location.href.replace(/[?#].*/, "");
    leaving = link.search !== "" || link.href.replace(/[?#].*/, "") !== here;
    search.setQueryParameter("q", leaving ? box.value : null); // readers who come back find the results again
    if (leaving) return;
    event.preventDefault(); // a place on this page
    search.setQueryParameter("mark", null);
    dialog.close();
    location.assign(link.hash || "#-main");
  });
  results.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the focus
  if (scope.tagName === "SELECT") {
    scope.addEventListener("change", function () {
      selectedIndex = -1;
      show();
    });
  }
  check.addEventListener("change", () => search.singleKeys(check.checked ? "on" : "off"));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", function (event) {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", function () {
    clearTimeout(statusTimer);
    search.openFirstWhenFound = false;
    if (pasted) pasted = box.value = "";
    if (!leaving) search.setQueryParameter("q", null);
  });
  search.onOpen = function () {
    leaving = false;
    check.checked = search.singleKeys(); // the list of keys has such a box, too
    show();
  };
  addEventListener("pageshow", () => leaving = false);
  search.onLoadError = show;
  findHere();
  show();
};

/* --- marks in texts ------------------------------------------------------------------ */

/** The places of the letters of `query` in `name`: as a whole, else word by word. */
function matchedRanges(name, query) {
  const places = [];
  let joined = "";
  const lowercase = name.toLowerCase();
  for (let index = 0; index < lowercase.length; index++) {
    if (/[\p{L}\p{N}]/u.test(lowercase[index])) {
      joined += lowercase[index];
      places.push(index);
    }
  }
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const joinedStart = joined.indexOf(words.join(""));
  if (joinedStart >= 0) {
    return words.length ? [[places[joinedStart], places[joinedStart + words.join("").length - 1] + 1]] : [];
  }
  const marked = new Set();
  for (const word of words) {
    const start = lowercase.search(new RegExp(`(?:^|[^\\p{L}\\p{N}])${word}`, "u"));
    const wordStart = lowercase.indexOf(word, Math.max(0, start));
    for (let index = wordStart; wordStart >= 0 && index < wordStart + word.length; index++) marked.add(index);
  }
  return runs([...marked].sort((a, b) => a - b));
}

function runs(places) {
  const ranges = [];
  for (const place of places) {
    const last = ranges[ranges.length - 1];
    if (last && last[1] === place) last[1]++; else ranges.push([place, place + 1]);
  }
  return ranges;
}

function marked(text, ranges) {
  const parts = [];
  let end = 0;
  for (const [start, stop] of ranges) {
    if (start > end) parts.push(text.slice(end, start));
    parts.push(createElement("mark", {}, text.slice(start, stop)));
    end = stop;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/* --- elements ------------------------------------------------------------------------ */

/** @returns {any} */
function createElement(name, attributes, text) {
  const element = document.createElement(name);
  setAttributes(element, attributes);
  if (text !== undefined) element.textContent = text;
  return element;
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

if (search.dialog) search.panel();
})();
