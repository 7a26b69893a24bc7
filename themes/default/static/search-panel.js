// Shows what the search finds: a combobox with a list of links in the dialog of search.js.
// The pattern is that of https://www.w3.org/WAI/ARIA/apg/patterns/combobox/.
// @ts-check
(function () {
"use strict";
const host = /** @type {any} */ (window);
/** @type {any} */
const search = host.dconvSearch = host.dconvSearch || {};
const MOST = 16; // results shown
const LEADING = 5; // results that keep their order whatever their groups
const MOST_REMOVED = 3; // removed names shown
const MOST_WORDS = 12; // words to mark on the page that is opened
const LONGEST = 40; // letters of a query without results that nearest names are looked up for
const PAUSE = 250; // milliseconds without a key until the address and the count change
const GLANCE = 120; // and until the sentences of visible texts are loaded
const SIMILAR = "Similar names", BEST = "Best matches", REMOVED = "No longer there";

/** Keep `name` in the address, so that it can be shared and come back to; null takes it out. */
search.address = function (name, value) {
  const address = new URL(location.href);
  if (value === null) address.searchParams.delete(name);
  else address.searchParams.set(name, value);
  try {
    if (address.href !== location.href) history.replaceState(history.state, "", address);
  } catch {
    // a browser that allows no more changes now
  }
};

search.panel = function () {
  const {dialog, box, control} = search;
  const data = control.dataset;
  /** @type {{folder: string, title: string, engine: any}[]} */
  const releases = JSON.parse(data.releases).map(([folder, title]) => ({folder, title, engine: null}));
  let shown = [], at = -1, timer = 0, textsLoaded = false;
  /** @type {{below: any, hit: any, release: any, wanted: any}[]} */
  let texts = [];
  let glance = 0, sought = {key: "", wanted: null};
  let leaving = false;

  /* --- what the dialog holds ------------------------------------------------------- */

  const results = make("div", {
    class: "results", id: "-found", role: "listbox", "aria-label": "Results"});
  const close = make("button", {type: "button", class: "close", "aria-keyshortcuts": "Escape"}, "Close");
  const scope = scopes();
  const note = make("p", {class: "hint"}), status = make("p", {class: "told", role: "status"});
  const check = make("input", {type: "checkbox"});
  check.checked = search.keys();
  const every = make("a", {href: control.href}, "All names from A to Z");
  box.after(close);
  set(box, {role: "combobox", "aria-expanded": "false", "aria-controls": "-found",
    "aria-autocomplete": "list", "aria-label": `Search ${releases.map((release) => release.title).join(", ")}`});
  const switched = make("label", {class: "single"});
  switched.append(check, " Open with ", make("kbd", {}, "/"), " or ", make("kbd", {}, "s"));
  const keys = make("p", {class: "keys", "aria-hidden": "true"});
  for (const [key, sense] of [["↑ ↓", "move"], ["Enter", "open"], ["Ctrl Enter", "new tab"], ["Esc", "close"]]) {
    keys.append(make("kbd", {}, key), ` ${sense} `);
  }
  const foot = make("div", {class: "below"}), line = make("div", {class: "where"});
  line.append(scope, status);
  foot.append(keys, switched);
  const way = make("p", {class: "hint"});
  way.append(every);
  const body = make("div", {class: "body", tabindex: "0"}); // scrolls by keys, too
  body.append(note, results, way);
  dialog.append(line, body, foot);

  function scopes() {
    const select = make("select", {"aria-label": "Where to search"});
    if (releases.length > 1) select.append(make("option", {value: ""}, "Everything"));
    releases.forEach((release, number) => select.append(make("option", {value: String(number)},
      releases.length > 1 || !data.document ? release.title : `All of ${release.title}`)));
    if (data.document) select.append(make("option", {value: "document"}, data.title));
    if (select.options.length > 1) return select;
    return make("span", {class: "only"}, releases[0].title);
  }

  /* --- the data -------------------------------------------------------------------- */

  function ready(release) {
    const tiers = search.data && search.data[release.folder];
    if (!release.engine && tiers && tiers.names) release.engine = search.engine(tiers);
  }

  search.added = function (folder, tier) {
    const release = releases.find((candidate) => candidate.folder === folder);
    if (!release) return;
    if (tier === "names") {
      ready(release);
      show();
    } else if (tier.startsWith("part-")) {
      for (const text of texts) if (text.release === release && `part-${text.hit.part}` === tier) showSentence(text);
    } else if (release.engine) {
      release.engine.add(tier, search.data[folder][tier]);
      if (box.value) show();
    }
  };

  /** The releases that are chosen, as far as their names are loaded. */
  function searched() {
    const value = scope.value;
    return releases.filter((release, number) => release.engine && (releases.length === 1
      || !value || value === "document" || value === String(number)));
  }

  function documents() {
    return scope.value === "document" ? [data.document] : [];
  }

  /** The best of all releases in turn: those of a better band first, the first release's first. */
  function find(query) {
    const options = {limit: MOST, documents: documents()};
    const hits = [];
    for (const release of searched()) {
      for (const hit of release.engine.search(query, options)) hits.push({hit, release});
    }
    if (releases.length > 1) hits.sort((a, b) => a.hit.band - b.hit.band);
    return hits.slice(0, MOST);
  }

  /** Names of older releases that the releases searched lack, the likeliest first. */
  function removedNames(query, results) {
    const rivals = results.map(({hit}) => hit.name), removed = [];
    for (const release of searched()) {
      for (const [rank, entry] of release.engine.former(query, rivals, documents())) {
        removed.push({rank, entry, release});
      }
    }
    return removed.sort((a, b) => a.rank - b.rank).slice(0, MOST_REMOVED);
  }

  /** The names nearest to a query without results: most like its beginning, or else its end. */
  function nearest(query) {
    let best = [];
    for (const end of [false, true]) {
      for (let length = Math.min(query.length - 1, LONGEST); length > 1; length--) {
        const part = (end ? query.slice(-length) : query.slice(0, length)).trim();
        const names = find(part).filter(({hit}) => hit.why === "name");
        if (names.length && (!best.length || names[0].hit.band < best[0].hit.band)) best = names;
      }
    }
    return best.slice(0, LEADING);
  }

  /* --- showing --------------------------------------------------------------------- */

  function show() {
    const query = box.value.trim();
    const loaded = releases.some((release) => release.engine);
    if (query && loaded && !textsLoaded) {
      textsLoaded = true;
      search.load(data.marks);
      search.load(data.reading);
      search.tier("text");
    }
    let hits = query && loaded ? find(query) : [];
    const removed = query && loaded ? removedNames(query, hits) : [];
    const nothing = Boolean(query) && loaded && !hits.length && !removed.length;
    if (nothing) hits = nearest(query);
    const groups = nothing ? [["Nearest names", hits]] : grouped(hits);
    if (removed.length) {
      const equal = hits.length > 0 && hits[0].hit.band <= search.SQUASHED;
      const leads = removed[0].rank !== search.BEGUN && !equal;
      groups.splice(leads ? 0 : groups.length, 0, [REMOVED, removed]);
    }
    const selected = at > 0 && shown[at] ? shown[at].href : "";
    shown = [];
    texts = [];
    results.replaceChildren(...groups.map(([title, rows], number) =>
      group(title, rows, number, query)));
    set(box, {"aria-expanded": String(shown.length > 0)});
    results.hidden = !shown.length;
    const place = selected ? shown.findIndex((link) => link.href === selected) : -1;
    select(place < 0 ? (shown.length ? 0 : -1) : place, false);
    hint(query, loaded, nothing, hits.length + removed.length);
    readSentences();
    if (search.waiting && loaded) {
      search.waiting = false;
      if (shown.length) go(shown[0], false);
    }
  }

  function hint(query, loaded, nothing, number) {
    let text = "";
    if (search.failed && !loaded) text = "The data of the search could not be loaded.";
    else if (!query) text = "Names come first, then texts. Spaces, dashes and capitals make no difference.";
    else if (nothing) text = `Nothing found for “${query}”.`;
    note.textContent = text;
    note.hidden = !text;
    way.hidden = Boolean(query) && !nothing && !search.failed;
    clearTimeout(timer);
    timer = setTimeout(function () {
      if (!dialog.open) return;
      status.textContent = !query || !loaded ? "" : nothing ? "Nothing found"
        : `${number}${number < MOST ? "" : "+"} ${number === 1 ? "result" : "results"}`;
      search.address("q", box.value || null);
    }, PAUSE);
  }

  /** Results in groups, the group of the best first; where that would move one of the first
      ones, these stand before as a group of their own. */
  function grouped(hits) {
    const order = sorted(hits);
    const flat = order.flatMap(([, rows]) => rows);
    const first = hits.slice(0, LEADING);
    if (first.every((hit, number) => hit === flat[number])) return order;
    return [[BEST, first], ...sorted(hits.slice(LEADING))];
  }

  function sorted(hits) {
    /** @type {Map<string, any[]>} */
    const groups = new Map();
    for (const row of hits) {
      const title = titleOf(row.hit);
      const rows = groups.get(title);
      if (rows) rows.push(row); else groups.set(title, [row]);
    }
    return [...groups];
  }

  function titleOf(hit) {
    if (hit.why === "text") return "Text";
    if (hit.band >= search.DISTANT) return SIMILAR;
    return hit.kind === "section" || hit.kind === "document" ? "Sections" : "Keywords";
  }

  function group(title, rows, number, query) {
    const identity = `-group-${number}`;
    const made = make("div", {role: "group", "aria-labelledby": identity});
    made.append(make("div", {class: "title", id: identity}, title));
    for (const place of rows) {
      made.append(...(place.hit ? row(place.hit, place.release, query) : [removedRow(place, query)]));
    }
    return made;
  }

  /** Show the sentence about the query once its part is loaded: in place, nothing moves. */
  function showSentence({below, hit, release, wanted}) {
    const part = search.data[release.folder][`part-${hit.part}`];
    const line = part && search.sentence(part[hit.text] || [], wanted) || below.textContent;
    below.replaceChildren(...marked(line, search.ranges(line, wanted)));
  }

  /** Load the sentences of visible texts once no key is struck and nothing scrolls. */
  function readSentences() {
    clearTimeout(glance);
    if (texts.length) glance = setTimeout(function () {
      const end = dialog.open ? body.getBoundingClientRect().bottom : 0;
      for (const {below, hit, release} of texts) {
        if (hit.part >= 0 && below.getBoundingClientRect().top < end) {
          search.load(`${release.folder}/search-part-${hit.part}.js`);
        }
      }
    }, GLANCE);
  }

  /** What finds the words of the query in texts: one for all results of a release. */
  function finder({marks, weights}) {
    const key = marks.join(" ");
    if (sought.key !== key) sought = {key, wanted: search.wanted(marks, weights)};
    return sought.wanted;
  }

  function row(hit, release, query) {
    const wanted = hit.why === "text" && search.wanted ? finder(hit) : null;
    const titled = hit.kind === "section" || hit.kind === "document" ? " titled" : "";
    const mark = wanted ? `?mark=${encodeURIComponent(hit.marks.slice(0, MOST_WORDS).join(" "))}` : "";
    const made = option(hit, release, `hit${titled}`, mark);
    const name = make("span", {class: "name"});
    name.append(...marked(hit.name, wanted ? search.ranges(hit.name, wanted) : letters(hit.name, query)));
    const where = make("span", {class: "where"});
    where.append(make("span", {class: "kind"}, hit.kind), " ",
      make("span", {class: "document"}, releases.length > 1 ? release.title : hit.document), " ",
      make("span", {class: "number"}, hit.section));
    made.append(name, " ");
    if (hit.deprecated) made.append(make("span", {class: "badge deprecated"}, "deprecated"), " ");
    made.append(where);
    const line = hit.line || (hit.kind === "section" ? "" : hit.sectionTitle);
    if (line || wanted) {
      const below = make("span", {class: wanted ? "line sentence" : "line"}, line);
      made.append(" ", below);
      if (wanted) {
        texts.push({below, hit, release, wanted});
        showSentence(texts[texts.length - 1]);
      }
    }
    if (!hit.others.length) return [made];
    const others = make("div", {class: "others"});
    others.append(make("span", {"aria-hidden": "true"}, "also"), ...hit.others.map(function (other) {
      const also = option(other, release, "also", "");
      also.append(make("span", {class: "hidden"}, `${hit.name}: `), `${other.kind} `,
        make("span", {class: "number"}, other.section));
      return also;
    }));
    return [made, others];
  }

  /** The row of a removed name: it leads to the last release that has it. */
  function removedRow({entry: [text, kind, version, address], release}, query) {
    const [path, anchor] = address.split("#");
    const made = option({path, anchor}, {folder: release.folder.replace(/[^/]+$/, version)}, "hit", "");
    const name = make("span", {class: "name"}), where = make("span", {class: "where"});
    name.append(...marked(text, letters(text, query)));
    where.append(make("span", {class: "kind"}, kind), ` not in ${release.title}, last in ${version}`);
    made.append(name, " ", where);
    return made;
  }

  function option(place, release, kind, query) {
    const anchor = place.anchor ? `#${encodeURIComponent(place.anchor)}` : "";
    const path = encodeURI(`${release.folder}/${place.path}`);
    const made = make("a", {role: "option", tabindex: "-1", class: kind, "aria-selected": "false",
      id: `-result-${shown.length}`, href: data.root + path + query + anchor});
    shown.push(made);
    return made;
  }

  /* --- moving ---------------------------------------------------------------------- */

  function select(number, seen) {
    if (shown[at]) set(shown[at], {"aria-selected": "false"});
    at = number;
    const link = shown[at];
    if (!link) {
      box.removeAttribute("aria-activedescendant");
      return;
    }
    set(link, {"aria-selected": "true"});
    set(box, {"aria-activedescendant": link.id});
    if (seen && at) link.scrollIntoView({block: "nearest"});
    else if (seen) body.scrollTop = 0;
  }

  function move(by) {
    if (shown.length) select((at + by + shown.length) % shown.length, true);
  }

  function go(link, apart) {
    if (apart) window.open(link.href, "_blank", "noopener");
    else link.click();
  }

  body.addEventListener("scroll", readSentences, {passive: true});
  box.addEventListener("input", function () {
    at = -1;
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
      if (releases.some((release) => release.engine)) search.waiting = false;
      if (shown[at]) go(shown[at], event.ctrlKey || event.metaKey);
    }
  });
  results.addEventListener("click", function (event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const here = location.href.replace(/[?#].*/, "");
    leaving = link.search !== "" || link.href.replace(/[?#].*/, "") !== here;
    search.address("q", leaving ? box.value : null); // readers who come back find the results again
    if (leaving) return;
    event.preventDefault(); // a place on this page
    search.address("mark", null);
    dialog.close();
    location.assign(link.hash || "#-main");
  });
  results.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the focus
  if (scope.tagName === "SELECT") {
    scope.addEventListener("change", function () {
      at = -1;
      show();
    });
  }
  check.addEventListener("change", () => search.keys(check.checked ? "on" : "off"));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", function (event) {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", function () {
    clearTimeout(timer);
    search.waiting = false;
    if (!leaving) search.address("q", null);
  });
  search.opened = function () {
    leaving = false;
    check.checked = search.keys(); // the list of keys has such a box, too
    show();
  };
  addEventListener("pageshow", () => leaving = false);
  search.missing = show;
  releases.forEach(ready);
  show();
};

/* --- marks in texts ------------------------------------------------------------------ */

/** The places of the letters of `query` in `name`: as a whole, else word by word. */
function letters(name, query) {
  const places = [];
  let squashed = "";
  const small = name.toLowerCase();
  for (let at = 0; at < small.length; at++) {
    if (/[\p{L}\p{N}]/u.test(small[at])) {
      squashed += small[at];
      places.push(at);
    }
  }
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const whole = squashed.indexOf(words.join(""));
  if (whole >= 0) {
    return words.length ? [[places[whole], places[whole + words.join("").length - 1] + 1]] : [];
  }
  const marked = new Set();
  for (const word of words) {
    const start = small.search(new RegExp(`(?:^|[^\\p{L}\\p{N}])${word}`, "u"));
    const from = small.indexOf(word, Math.max(0, start));
    for (let at = from; from >= 0 && at < from + word.length; at++) marked.add(at);
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
    parts.push(make("mark", {}, text.slice(start, stop)));
    end = stop;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/* --- elements ------------------------------------------------------------------------ */

/** @returns {any} */
function make(name, attributes, text) {
  const made = document.createElement(name);
  set(made, attributes);
  if (text !== undefined) made.textContent = text;
  return made;
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

if (search.dialog) search.panel();
})();
