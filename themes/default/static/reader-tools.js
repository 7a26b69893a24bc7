// The actions of the buttons and shortcuts of reader.js: copy code and addresses, wrap lines, point
// the menu of versions to the current entry, compare releases of an entry, list the shortcuts.
// @ts-check
(function () {
"use strict";
const host = /** @type {any} */ (window);
const page = document.documentElement;
const reader = host.dconvReader;
const {find, createElement, setting, showMessage, currentPlace, isAtTarget} = reader;
const {address, oldAnchors, previews, sheet: styleSheet, source} = (find("[data-tools]") || page).dataset;

function placeName(place) {
  return (find(".name > a", place) || place).textContent;
}

const THEMES = ["auto", "light", "dark"];

reader.switchTheme = function () {
  setting("theme", THEMES[(THEMES.indexOf(page.dataset.theme) + 1) % 3]);
  reader.restoreSettings();
  showMessage(`Theme: ${page.dataset.theme}`);
};

/* --- copying ---------------------------------------------------------------------------- */

reader.copy = function (text, what) {
  const confirmCopy = () => showMessage(what ? `${what} copied` : "Copied");
  const copyBySelection = () => copySelection(text) ? confirmCopy() : showMessage("This browser allows no copies");
  if (host.navigator.clipboard) navigator.clipboard.writeText(text).then(confirmCopy, copyBySelection);
  else copyBySelection();
};

/** Copy `text` in older browsers, and on pages served without TLS. */
function copySelection(text) {
  const active = /** @type {HTMLElement} */ (document.activeElement);
  const box = createElement("textarea", "hidden", text);
  box.style.position = "fixed";
  document.body.append(box);
  box.select();
  const copied = document.execCommand("copy");
  box.remove();
  active.focus({preventScroll: true});
  return copied;
}

// ASCII drawings, programs and unknown text are copied as they are: a "\" at a line's end is part of them
const CONTINUED_LANGUAGES = /^language-(?!(?:c|http|json|lua|text)$)/;

/** The text of a block; of a session its commands, where prompts tell them.  Lines that the text has broken by a "\"
    are whole again: HAProxy reads no broken lines, and a shell needs none. */
reader.codeText = function (block) {
  const shown = block.cloneNode(true);
  const session = block.matches(".language-console"), prompts = find(".prompt", block);
  const omitted = session && prompts ? ".tools, .prompt, .output" : ".tools";
  for (const part of shown.querySelectorAll(omitted)) part.remove();
  let text = shown.textContent;
  if (session && !prompts) return text;
  if (session) text = text.split("\n").filter((line) => line.trim()).join("\n");
  if (!CONTINUED_LANGUAGES.test(block.className)) return text;
  return text.replace(/(\\?)([ \t]*)\\\n([ \t]*)/g, function (all, escape, before, after) {
    if (escape && !before) return all;
    return escape + (before || session && after ? " " : "");
  });
};

reader.copyCode = function (block) {
  const session = block.matches(".language-console");
  reader.copy(reader.codeText(block), !session ? "Code" : find(".prompt", block) ? "Commands" : "");
};

/** The target of the last link, also inside an entry; else the current `place`. */
function linkTarget(place, within) {
  const target = isAtTarget() && find("main :target");
  return target && (!within || place.contains(target)) ? target : place;
}

/** Copy the permanent address: of this release, and of the public site where this is a copy of it
    on a disk.  Pages of the latest release have led on to it before they are seen. */
reader.copyLink = function (button) {
  const place = button ? button.parentNode : currentPlace();
  const base = location.protocol === "file:" && address
    || location.href.replace(/[?#].*/, "");
  const target = linkTarget(place, button);
  reader.copy(base + (target ? `#${encodeURI(target.id)}` : ""),
    `Link to ${place ? placeName(place) : "this page"}`);
};

/* --- long lines --------------------------------------------------------------------------- */

/** Wrap long lines of code, or show them as they are; the button keeps its place. */
reader.toggleWrap = function (button) {
  const top = button.getBoundingClientRect().top;
  setting("wrap", page.classList.toggle("wrap") ? "on" : "off");
  for (const toggle of document.querySelectorAll(".wrap-toggle")) {
    toggle.setAttribute("aria-pressed", String(page.matches(".wrap")));
  }
  scrollBy(0, button.getBoundingClientRect().top - top);
  reader.findWideBlocks();
  showMessage(page.matches(".wrap") ? "Long lines are wrapped" : "Long lines are scrolled");
};

/* --- the source ------------------------------------------------------------------------------- */

const sourceLink = createElement("a", "link source", "Source");
sourceLink.rel = "external";

/** Put a link to the lines of an entry beside its name, where an address shows lines. */
function addSourceLink(name) {
  const entry = name.parentNode, before = find(".link", entry), texts = (find("main").dataset.source || "").split(" ");
  const at = [...document.querySelectorAll(".entry")].indexOf(entry);
  if (!source || !texts[at] || !before || sourceLink.matches(":focus-visible")) return;
  // "120+8 2+2": see entry_lines in dconv/writers/pages/footer.py
  const numbers = texts.slice(0, at + 1).join("+").split("+").map(Number);
  const last = numbers.reduce((sum, number) => sum + number, 0), first = last - numbers.at(-1);
  sourceLink.href = source.replace("{first}", String(first)).replace("{last}", String(last));
  sourceLink.title = last > first ? `Lines ${first} to ${last}` : `Line ${first}`;
  before.after(sourceLink);
  sourceLink.style.marginRight = `${before.offsetWidth + 6}px`; // floats without height do not make room
}

if (styleSheet) document.head.append(Object.assign(createElement("link", "", ""), {rel: "stylesheet", href: styleSheet}));

/* --- link previews ---------------------------------------------------------------------------- */

const SHOW_DELAY = 350, HIDE_DELAY = 250; // milliseconds
const MAX_SIGNATURES = 3, MAX_SENTENCE_LENGTH = 240; // characters
let previewCard, previewTimer, previewedLink;
let previewsOf = null; // by page and anchor, of this release; empty while they are loaded

reader.addPreviews = (pages) => previewsOf = pages;

/** What is pointed at or focused: the head of an entry gets what compares it and a link to its lines, another link
    a card. */
reader.pointAt = function (event) {
  const link = event.target.closest("a"), name = link && link.closest("h1, h2, h3, h4, h5, h6");
  if (event.target.closest(".entry > :is(.name, .card)")) addCompareButton(event.target.closest(".entry"));
  if (!link) return;
  if (name) addSourceLink(name);
  else if (event.pointerType !== "touch" && !link.closest("nav") && !link.matches(".self")) previewLink(link);
};

/** Show what `link` leads to, once it has been pointed at or focused for a moment. */
function previewLink(link) {
  if (link === previewedLink || !isWanted(link)) return clearTimeout(previewTimer);
  hidePreview();
  loadPreviews(link);
  previewTimer = setTimeout(() => showPreview(link), SHOW_DELAY);
  for (const type of ["pointerleave", "blur"]) link.addEventListener(type, hideSoon, {once: true});
}

function isWanted(link) {
  return link.matches(":hover, :focus-visible") || previewCard && previewCard.matches(":hover");
}

function isOnPage(link) {
  return link.pathname === location.pathname && link.host === location.host;
}

/** Load the previews of the release, once. */
function loadPreviews(link) {
  if (!previews || previewsOf || isOnPage(link)) return;
  previewsOf = {};
  const script = createElement("script", "", "");
  script.src = previews;
  script.onload = () => isWanted(link) && showPreview(link);
  document.head.append(script);
}

function showPreview(link) {
  const parts = isWanted(link) && (isOnPage(link) ? describePlace(link) : lookUpPreview(link));
  if (!parts) return;
  hidePreview();
  const [kind, signatures, sentence, releases] = parts;
  previewCard = createElement("div", "preview", "");
  previewCard.id = "-preview";
  previewCard.role = "tooltip";
  if (signatures) previewCard.append(createElement("code", "", signatures));
  if (sentence) previewCard.append(createElement("p", "", sentence));
  const note = [kind, releases].filter(Boolean).join(" · ");
  if (note) previewCard.append(createElement("small", "", note));
  find("main").append(previewCard); // in a landmark
  previewedLink = link;
  link.setAttribute("aria-describedby", previewCard.id);
  placePreview(link.getClientRects()[0]);
  previewCard.addEventListener("pointerenter", () => clearTimeout(previewTimer));
  previewCard.addEventListener("pointerleave", hideSoon);
}

/** Place the preview below the line of the link, or above it where there is more room. */
function placePreview(rect) {
  const {offsetWidth, offsetHeight, style} = previewCard;
  const below = rect.bottom + offsetHeight + 8 < innerHeight || rect.top < offsetHeight + 70;
  style.top = `${scrollY + (below ? rect.bottom + 4 : rect.top - offsetHeight - 4)}px`;
  style.left = `${Math.max(8, Math.min(rect.left, page.clientWidth - offsetWidth - 8))}px`;
}

function hidePreview() {
  clearTimeout(previewTimer);
  if (previewedLink) previewedLink.removeAttribute("aria-describedby");
  if (previewCard) previewCard.remove();
  previewCard = previewedLink = null;
}

function hideSoon() {
  clearTimeout(previewTimer);
  previewTimer = setTimeout(() => previewedLink && isWanted(previewedLink) || hidePreview(), HIDE_DELAY);
}

/** What the data of the release have of the place that `link` leads to. */
function lookUpPreview(link) {
  if (!previews) return null;
  const folder = new URL(previews, location.href).href.replace(/[^/]*$/, "");
  const [path, anchor] = link.href.split("#");
  if (!path.startsWith(folder)) return null;
  const places = (previewsOf || {})[decodeURI(path.slice(folder.length))];
  return places && places[decodeURIComponent(anchor)];
}

/** The same of a place on this page, from its card or its list; none for a place around the link. */
function describePlace(link) {
  const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
  if (!target || target.contains(link)) return null;
  const entry = target.closest(".entry");
  if (target.matches("dt")) {
    const text = target.nextElementSibling;
    return [entry ? placeName(entry) : "", target.textContent.replace(/#$/, ""), firstSentence(find("p", text) || text), ""];
  }
  if (!entry || target !== entry && !target.matches(".name, .signature")) return null;
  const signatures = target.matches(".signature") ? [target] : [...entry.querySelectorAll(".signature")];
  return [
    "",
    signatures.slice(0, MAX_SIGNATURES).map((signature) => signature.textContent)
      .concat(signatures[MAX_SIGNATURES] ? "…" : []).join("\n"),
    firstSentence(find(".lead, :scope > p", entry)), availability(entry),
  ];
}

function firstSentence(element) {
  const text = element ? element.textContent.trim().replace(/\s+/g, " ") : "";
  const sentence = text.split(/(?<=[.!?;])\s+(?=[A-Z"<(\x60])/)[0];
  return sentence.length > MAX_SENTENCE_LENGTH ? sentence.slice(0, MAX_SENTENCE_LENGTH).replace(/\s\S*$/, " …") : sentence;
}

addEventListener("pagehide", hidePreview);
document.addEventListener("keydown", (event) => event.key === "Escape" && hidePreview());

/* --- versions ----------------------------------------------------------------------------- */

let originalMenu = "";

/** The row "Versions" in the card of an entry, or a false value. */
function versionsRow(entry) {
  const title = find(".card > dt:last-of-type", entry);
  return title && title.textContent === "Versions" && title.nextElementSibling;
}

/** The text of that row: "in 2.2 and later". */
function availability(entry) {
  const row = versionsRow(entry);
  return row ? (find("summary", row) || row.firstChild).textContent : "";
}

/** The name of a page by its address: "section 8.2", so that nobody takes 8.2 for a release. */
function pageName(address) {
  const name = address.pathname.replace(/.*\/|\.html$/g, "");
  return name === "index" ? "contents" : /^\d/.test(name) ? `section ${name}` : name;
}

/** Let the menu lead to the current entry, and say where that is not; else keep the hash.
    The last row of an entry's card says where it is, and has links where these are not the
    entry on the page that the menu knows. */
reader.updateVersions = function (menu) {
  const list = find("ul", menu), place = currentPlace();
  list.innerHTML = originalMenu = originalMenu || list.innerHTML;
  for (const row of list.children) {
    const menuLink = find("a", row);
    if (menuLink.matches("[aria-current]")) continue;
    if (place && place.matches(".entry")) updateVersionRow(row, menuLink, place);
    else if (!find(".nearest", row) && !location.hash.startsWith("#-")) menuLink.hash = location.hash;
    // without this the single page of the other version redirects old anchors to its sections
    if (menuLink.hash && document.body.matches(".single-page")) menuLink.search = "?one";
  }
};

addEventListener("hashchange", function () {
  const menu = find(".top .versions");
  if (menu && menu.open) reader.updateVersions(menu);
});

/** Whether an entry is not in `version` of `versions`, newest first, as its card says:
    "in 2.2 and later, not in 2.6", or "in all 9 versions".  These words are from dconv/writers/pages/versions.py. */
reader.lacksVersion = function (text, version, versions) {
  const [range, exceptions = ""] = text.split(/,? (?:not in|but) /);
  const [, first, connector, last] = range.split(" ");
  const index = versions.indexOf(version), firstIndex = versions.indexOf(first);
  if (exceptions.split(", ").includes(version)) return true;
  if (firstIndex < 0) return false;
  if (connector === "only") return index !== firstIndex;
  if (last === "earlier") return index < firstIndex;
  return index > firstIndex || connector === "to" && index < versions.indexOf(last);
};

/** Point a row of the menu to `place`; returns whether its version lacks that entry. */
function updateVersionRow(row, menuLink, place) {
  const version = menuLink.textContent, card = versionsRow(place);
  const links = card ? [...card.querySelectorAll("a")] : [];
  const versionLink = links.find((link) => link.textContent === version);
  // "not in ", "as action: "
  const label = versionLink ? versionLink.parentNode.firstChild.data || "" : "";
  let note = label.replace(/:? $/, "");
  if (versionLink) menuLink.href = versionLink.href;
  const versions = () => [...row.parentNode.querySelectorAll("a")].map((link) => link.textContent);
  const isMissing = versionLink ? label === "not in " : card && reader.lacksVersion(availability(place), version, versions());
  if (isMissing) {
    note = `${placeName(place)} is not in ${version}, nearest: ${pageName(menuLink)}`;
  } else {
    if (!versionLink) menuLink.hash = encodeURI(linkTarget(place, true).id);
    if (!note && pageName(menuLink) !== pageName(location)) note = `in ${pageName(menuLink)}`;
  }
  const oldNote = find("small", row);
  if (note || oldNote && oldNote.matches(".nearest")) {
    if (oldNote) oldNote.remove();
    row.append(createElement("small", "nearest", note));
  }
  return isMissing || label.startsWith("not "); // "not by itself, but under http-request: "
}

const menu = find(".top .versions");
if (menu) {
  addEventListener("click", (event) => menu.open = menu.open && menu.contains(event.target));
  menu.addEventListener("keydown", function (event) {
    if (event.key !== "Escape") return;
    menu.open = false;
    find("summary", menu).focus();
  });
}

/* --- what changed in an entry ----------------------------------------------------------------- */

const MAX_CELLS = 4e6; // of a table of words: longer passages that differ are shown whole
const textsOf = {}; // by the address of a file: the passages of entries, by their anchors

reader.addTexts = (texts) => textsOf[/** @type {any} */ (document.currentScript).src] = texts;

/** Put a button that compares releases into the row "Versions" of an entry. */
function addCompareButton(entry) {
  const row = versionsRow(entry);
  if (!row || !menu || !previews || / only$/.test(availability(entry)) || find(":scope > :is(button, .comparison)", row)) return;
  const button = createElement("button", "", "Compare");
  button.onclick = function () {
    button.remove();
    row.append(createComparison(entry));
    find("select", row).focus();
  };
  row.append(" ", button);
}

/** Two lists of the releases that have `entry`, and below them what differs.  The blank before their names keeps
    "4" in its place. */
function createComparison(entry) {
  const box = createElement("div", "comparison", ""), result = createElement("div", "", "");
  const list = find("ul", menu).cloneNode(true), links = {};
  if (originalMenu) list.innerHTML = originalMenu;
  for (const row of list.children) {
    const link = find("a", row), isCurrent = link.matches("[aria-current]");
    if (isCurrent) link.hash = encodeURI(entry.id);
    if (isCurrent || !updateVersionRow(row, link, entry)) links[` ${link.textContent}`] = link;
  }
  const names = Object.keys(links).map((name) => name.slice(1)), current = find("[aria-current]", list).textContent;
  const newer = Math.min(names.indexOf(current), Math.max(0, names.length - 2));
  const [from, to] = ["From", "to"].map(function (text, side) {
    const label = createElement("label", "", `${text} `), select = createElement("select", "", "");
    for (const name of names) select.append(createElement("option", "", name));
    select.selectedIndex = Math.min(newer + 1 - side, names.length - 1);
    select.onchange = compare;
    label.append(select);
    box.append(label, " ");
    return select;
  });
  function compare() {
    const sides = [from.value, to.value].map((name) => links[` ${name}`]);
    loadTexts(sides[0], entry, (before) => loadTexts(sides[1], entry, function (after) {
      if (sides[0] === links[` ${from.value}`] && sides[1] === links[` ${to.value}`]) showDifferences(result, before, after);
    }));
  }
  result.setAttribute("aria-live", "polite");
  box.append(result);
  compare();
  return box;
}

/** Call `use` with the passages of `entry` at `link`, or with null. */
function loadTexts(link, entry, use) {
  const address = link.href.replace(/\.html(#.*)?$/, ".texts.js");
  const finish = function () {
    const texts = textsOf[address] || {};
    use(texts[decodeURIComponent(link.hash.slice(1))] || texts[entry.id] || null);
  };
  if (textsOf[address]) return finish();
  const script = createElement("script", "", "");
  script.src = address;
  for (const type of ["load", "error"]) script.addEventListener(type, finish);
  document.head.append(script);
}

function showDifferences(result, before, after) {
  result.replaceChildren();
  if (!before || !after) return result.append(createElement("p", "", "These texts cannot be loaded."));
  let block = [[], []];
  const showBlock = function () {
    const [old, recent] = block.map((passages) => passages.flatMap((text) => [...text.split(" "), "\n"]));
    if (old.length || recent.length) appendWords(result, align(old, recent));
    block = [[], []];
  };
  for (const [state, text] of align(before, after)) {
    if (state) block[state === "ins" ? 1 : 0].push(text); else showBlock();
  }
  showBlock();
  if (!result.firstChild) result.append(createElement("p", "", "The words are the same."));
}

/** Append paragraphs of words, those of one side as `del` or `ins`. */
function appendWords(result, words) {
  let paragraph = null, last = null;
  for (const [state, word] of words) {
    if (word === "\n") {
      paragraph = null;
      continue;
    }
    if (!paragraph) {
      paragraph = createElement("p", "", "");
      result.append(paragraph);
      last = null;
    }
    if (last && last.state === state) last.node.textContent += ` ${word}`;
    else {
      if (last) paragraph.append(" ");
      last = {state, node: state ? createElement(state, "", word) : document.createTextNode(word)};
      paragraph.append(last.node);
    }
  }
}

/** The items of two lists in order, each with where it is: "" in both, "del" or "ins".
    By the longest common subsequence. */
function align(old, recent) {
  const rows = old.length, columns = recent.length, width = columns + 1, result = [];
  if (rows * columns > MAX_CELLS) return [...old.map((item) => ["del", item]), ...recent.map((item) => ["ins", item])];
  const lengths = new Uint16Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      lengths[row * width + column] = old[row] === recent[column] ? lengths[(row + 1) * width + column + 1] + 1
        : Math.max(lengths[(row + 1) * width + column], lengths[row * width + column + 1]);
    }
  }
  for (let row = 0, column = 0; row < rows || column < columns;) {
    if (row < rows && column < columns && old[row] === recent[column]) {
      result.push(["", old[row++]]);
      column++;
    } else if (column === columns || row < rows && lengths[(row + 1) * width + column] >= lengths[row * width + column + 1]) {
      result.push(["del", old[row++]]);
    } else {
      result.push(["ins", recent[column++]]);
    }
  }
  return result;
}

/** Handle a target outside of the text: the list of sections, or none.  `event` caused it. */
reader.handleOutsideTarget = function (event) {
  if (location.hash === "#-nav") backClosesSheet = event.type === "hashchange";
  updateSheet();
  if (!find(":target")) redirectMissingAnchor();
};

/** No anchor of this page has the name in the address: go to where it is on another page,
    or say so.  Other versions have entries without one of their terms, or lack them. */
function redirectMissingAnchor() {
  let name = location.hash.slice(1);
  try {
    name = decodeURIComponent(name);
  } catch {
    // not valid percent-encoding
  }
  if (/^(|top|-.*)$/.test(name) || document.body.matches(".missing")) return;
  // haproxy-dconv's anchors: "4.2-reqadd"
  const isNumbered = /^\d[\d.]*-/.test(name);
  for (let prefix = isNumbered ? "" : name; prefix.includes(".");) {
    prefix = prefix.slice(0, prefix.lastIndexOf("."));
    if (!document.getElementById(prefix)) continue;
    location.replace(`#${encodeURI(prefix)}`);
    return showMessage(`${name} is not on this page`);
  }
  findMoved(name, (place) => place ? goToMoved(name, place) : showMessage(`${name} is not on this page`));
}

/** Call `use` with the new place of a name that moved or was removed, or with null. */
function findMoved(name, use) {
  const find = () => use(host.dconvFindMoved ? host.dconvFindMoved(name) : null);
  if (host.dconvFindMoved || !oldAnchors) return find();
  const script = createElement("script", "", "");
  script.src = oldAnchors;
  for (const type of ["load", "error"]) script.addEventListener(type, find);
  document.head.append(script);
}

/** Go to the new place; for a removed name show a notice above the text with its last place. */
function goToMoved(name, [title, path, version]) {
  const href = (document.body.matches(".single-page") ? "" : "../") + path;
  if (!version) return location.replace(href);
  const note = createElement("p", "banner unmaintained", ""), link = createElement("a", "", version);
  link.href = href;
  note.append(createElement("b", "", `${title} was removed.`), " It was last in ", link, ".");
  note.setAttribute("role", "status");
  find("h1").before(note);
  note.scrollIntoView({block: "center"});
}

/* --- dialog of sections on small screens, list of the page ---------------------------------- */

const sidebar = find(".side"), toc = find(".toc");
let backClosesSheet = false; // whether the way back leads to the page without the sheet

/** Make the page behind an open sheet inert; the sheet opens at the page's section, with the list of the page there. */
function updateSheet() {
  const open = sidebar && location.hash === "#-nav" && getComputedStyle(sidebar).position === "fixed";
  if (!sidebar || open === sidebar.matches(".over")) return;
  sidebar.classList.toggle("over", open);
  const section = find("[aria-current=page]", sidebar);
  if (toc) {
    (open && section ? section.parentNode : sidebar.parentNode).append(toc);
    const entry = open && find("[aria-current]", toc);
    if (entry) entry.scrollIntoView({block: "center"});
  }
  if (open && section) sidebar.scrollTop = section.offsetTop - sidebar.clientHeight / 4;
  for (const element of document.querySelectorAll(".skip, .top, main, .frame > .toc, .foot")) {
    element.toggleAttribute("inert", open);
  }
  if (open) find(".close", sidebar).focus({preventScroll: true});
  else find(".top .menu").focus({preventScroll: true});
}

/** Restore the address and the position; a page that was opened with the sheet keeps its position. */
function closeSheet(event) {
  event.preventDefault();
  if (backClosesSheet) return history.back();
  const top = scrollY;
  location.replace("#-main");
  scrollTo(0, top);
}

if (sidebar) {
  addEventListener("hashchange", updateSheet);
  addEventListener("resize", updateSheet);
  find(".close", sidebar).addEventListener("click", closeSheet);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && sidebar.matches(".over") && !find("dialog[open]")) closeSheet(event);
  });
}

let count = null;

/** Filter the list of the page by words, and show how many lines are left. */
reader.filterToc = function (box) {
  const words = box.value.trim().toLowerCase(), rows = [...box.parentNode.querySelectorAll("li")];
  for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(words);
  if (!count) {
    count = createElement("p", "hidden", "");
    count.setAttribute("role", "status");
    box.after(count);
  }
  const shown = rows.filter((row) => !row.hidden).length;
  count.textContent = words ? `${shown} of ${rows.length}` : "";
};

/* --- navigation by keyboard -------------------------------------------------------------------- */

reader.stepBy = function (by) {
  const places = reader.places(), place = places[places.indexOf(currentPlace()) + by];
  if (!place) return;
  location.replace(`#${encodeURI(place.id)}`);
  reader.updateTarget();
};

reader.openNeighbor = function (relation) {
  const neighbor = find(`link[rel=${relation}]`);
  if (neighbor) location.assign(neighbor.href);
};

reader.goToTop = function () {
  const current = find(".side [aria-current]");
  scrollTo(0, 0);
  (current && current.offsetParent ? current : find("main")).focus({preventScroll: true});
};

/* --- keys ------------------------------------------------------------------------------------ */

const KEY_ACTIONS = {
  j: ["stepBy", 1], k: ["stepBy", -1], n: ["openNeighbor", "next"], p: ["openNeighbor", "prev"],
  t: ["goToTop"], y: ["copyLink"], d: ["switchTheme"], "?": ["showKeys"],
};

/** Handle a key that reader.js passes on. */
reader.pressKey = function (key) {
  const [action, value] = KEY_ACTIONS[key];
  reader[action](value);
};

/* --- keyboard help ------------------------------------------------------------------------- */

const KEYS = [
  ["/ s", "search (also Ctrl K)"], ["j k", "next, previous entry"],
  ["n p", "next, previous page"], ["t", "top, and the list of sections"],
  ["y", "copy the link to the entry"], ["d", "theme: auto, light, dark"], ["?", "these keys"],
];
let dialog = null, checkbox = null;

reader.showKeys = function () {
  if (!dialog) {
    dialog = createElement("dialog", "help", "");
    dialog.setAttribute("aria-labelledby", "-help");
    const title = createElement("h2", "", "Keys"), list = createElement("ul", "", ""), label = createElement("label", "", "");
    const close = createElement("button", "", "Close");
    title.id = "-help";
    for (const [keys, meaning] of KEYS) {
      const row = createElement("li", "", ""), caps = createElement("span", "", "");
      for (const key of keys.split(" ")) caps.append(createElement("kbd", "", key), " ");
      row.append(caps, meaning);
      list.append(row);
    }
    checkbox = createElement("input", "", "");
    checkbox.type = "checkbox";
    checkbox.onchange = () => setting("search-keys", checkbox.checked ? "on" : "off");
    label.append(checkbox, " Single keys act (Ctrl K always does)");
    close.type = "button";
    close.autofocus = true;
    close.onclick = () => dialog.close();
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.append(title, list, label, close);
    document.body.append(dialog);
  }
  checkbox.checked = setting("search-keys") !== "off";
  if (!find("dialog[open]")) dialog.showModal();
};
})();
