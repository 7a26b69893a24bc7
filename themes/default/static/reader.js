// Comforts for readers: the theme button, the list of the page's entries that follows scrolling,
// keyboard shortcuts, copy buttons.  reader-tools.js has what they do, and the menu of versions; it is
// loaded on first use.  The page is complete without these scripts.
// @ts-check
(function () {
"use strict";
const host = /** @type {any} */ (window);
const page = document.documentElement;
const main = find("main"), themeButton = find("button.theme");
const toc = find(".toc, .outline"), versionsMenu = find(".top .versions");
const {tools} = (find("[data-tools]") || page).dataset;
const MESSAGE_TIME = 1600; // milliseconds that a message stays
const MAX_RECENT = 11; // other pages that are kept
const reader = host.dconvReader = {find, createElement, setting, restoreSettings, showMessage, callTool, places, currentPlace, updateTarget, isAtTarget, findWideBlocks};

/** @returns {any} */
function find(selector, within) {
  return (within || document).querySelector(selector);
}

/** @returns {any} */
function createElement(name, className, textContent) {
  return Object.assign(document.createElement(name), {className, textContent});
}

/** Listen for the events `types` of an element, if there is one. */
function listen(element, types, listener) {
  for (const type of types.split(" ")) element?.addEventListener(type, listener);
}

/** Run `act` when the browser is idle. */
function whenIdle(act) {
  (window.requestIdleCallback || setTimeout)(act);
}

/** The setting `name` in local storage, or else of this page; stores `value` first, if given. */
function setting(name, value) {
  name = `dconv-${name}`;
  try {
    if (value) localStorage[name] = value;
    return localStorage[name];
  } catch {
    name = `data-${name}`;
    if (value) page.setAttribute(name, value);
    return page.getAttribute(name);
  }
}

const status = createElement("p", "notice", "");
let timer = 0;
status.setAttribute("role", "status");
document.body.append(status);

function showMessage(text) {
  clearTimeout(timer);
  status.textContent = text;
  timer = setTimeout(() => status.textContent = "", MESSAGE_TIME);
}

let toolsScript;

/** Call the function `name` of reader-tools.js once it is loaded; without a name only load it. */
function callTool(name, value) {
  if (!toolsScript && tools) {
    toolsScript = createElement("script", "", "");
    toolsScript.src = tools;
    listen(toolsScript, "error", () => toolsScript = showMessage("This could not be loaded")); // the next try is new
    document.head.append(toolsScript);
  }
  if (!name) return;
  if (reader.copy) return reader[name](value);
  listen(toolsScript, "load", () => reader[name](value));
}

/* --- settings of the reader --------------------------------------------------------------- */

function restoreSettings() {
  const name = page.dataset.theme = setting("theme") || page.dataset.theme || "auto";
  const wrap = setting("wrap");
  if (wrap) page.classList.toggle("wrap", wrap === "on");
  themeButton?.setAttribute("aria-label", themeButton.title = `Theme: ${name}`);
}

listen(themeButton, "click", () => callTool("switchTheme"));
listen(window, "pageshow", restoreSettings); // also after a return from the back/forward cache

/* --- buttons ----------------------------------------------------------------------------- */

function button(text, className, action, value) {
  const element = createElement("button", className, text);
  listen(element, "click", () => callTool(action, value || element));
  listen(element, "pointerenter focus", () => callTool());
  return element;
}

/** The buttons of a block of code: in the line above it, or in its corner. */
function addCodeButtons(block) {
  const element = createElement("span", "tools", "");
  element.append(button("Wrap", "wrap-toggle", "toggleWrap"), button("Copy", "", "copyCode", block));
  if (block.matches("figcaption + pre")) {
    block.previousElementSibling.append(element);
  } else {
    const holder = createElement("span", "bar", ""); // the bar hangs in it, and does not scroll
    holder.append(element);
    block[matchMedia("(pointer: coarse)").matches ? "append" : "prepend"](holder);
  }
  return element;
}

const blocks = [...main.querySelectorAll("pre")], codeButtons = new Map();

const blockObserver = new IntersectionObserver(function (records) {
  const shown = records.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
  const isWide = shown.map((block) => block.scrollWidth > block.clientWidth);
  shown.forEach(function (block, number) {
    const element = codeButtons.get(block) || addCodeButtons(block);
    codeButtons.set(block, element);
    element.classList.toggle("wide", isWide[number]);
    element.firstChild.setAttribute("aria-pressed", page.matches(".wrap"));
    block.role = isWide[number] ? "region" : null; // one that scrolls has a name
    block.ariaLabel = isWide[number] ? `Listing ${blocks.indexOf(block) + 1}` : null;
  });
}, {rootMargin: "400px"});

/** Measure again which blocks have lines that are too long. */
function findWideBlocks() {
  blockObserver.disconnect();
  for (const block of blocks) blockObserver.observe(block);
}

listen(window, "pageshow resize", () => whenIdle(findWideBlocks));

const linkButton = button("Copy link", "link", "copyLink");

function moveLinkButton(name) {
  if (name && name !== linkButton.previousSibling && !linkButton.matches(":focus-visible")) name.after(linkButton);
}

listen(main, "pointerover focusin", function (event) {
  moveLinkButton(event.target.closest(".entry > .name"));
  if (event.target.closest("a[href*='#'], .card")) callTool("pointAt", event);
});

/* --- the current place -------------------------------------------------------------------- */

let targetPlace = null, targetScroll = 0;
const pageTitle = document.title;
let placeList, margin; // computed on first use, because that takes time

/** The elements that shortcuts jump to: entries, and the sections of a short document, or titles. */
function places() {
  if (!placeList) {
    const entries = main.querySelectorAll(toc?.matches(".outline") ? ".entry, .section[id]" : ".entry");
    placeList = [...(entries.length ? entries : main.querySelectorAll("[id]:is(.title, .letter > h2)"))];
  }
  return placeList;
}

/** Where the target of a link is scrolled to, from the top of the window. */
function scrollLine() {
  return margin = margin || parseFloat(getComputedStyle(page).scrollPaddingTop) + 2;
}

/** Whether the page has not been scrolled since the last jump. */
function isAtTarget() {
  return !(Math.abs(scrollY - targetScroll) >= 2);
}

/** The current place: the last target of a link until the page is scrolled, else the last place above the line. */
function currentPlace() {
  return targetPlace && isAtTarget() ? targetPlace : lastAboveLine(places());
}

function lastAboveLine(elements) {
  let first = 0, last = elements.length;
  while (first < last) {
    const middle = first + last >> 1;
    if (elements[middle].getBoundingClientRect().top > scrollLine()) last = middle; else first = middle + 1;
  }
  return elements[first - 1];
}

/** Store the reading position for theme.js: browsers restore pixels, but guess heights of blocks off screen. */
listen(window, "scrollend pagehide", function () { // Firefox takes the state before pagehide when it reloads
  const part = lastAboveLine(main.querySelectorAll(".part")); // places in others have no layout
  const place = lastAboveLine((part || main).querySelectorAll(":is(.entry, .part > :first-child, :is(.letter, .change-kind) > h2)[id]"));
  history.replaceState({...history.state, place: place && [place.id, place.getBoundingClientRect().top]}, "");
});

function updateTarget(event) {
  const target = find(":target");
  const place = target?.closest(".entry") || target;
  targetPlace = place && places().includes(place) && place;
  targetScroll = NaN;
  const name = place?.matches(".entry") && find(".name > a", place);
  document.title = name ? `${name.textContent} - ${pageTitle}` : pageTitle; // for bookmarks and the history
  moveLinkButton(targetPlace && find(".entry > .name", targetPlace));
  if (location.hash && !main.contains(target)) callTool("handleOutsideTarget", event);
  if (document.body.matches(location.hash ? ":not(.explain)" : ".section, .document")) remember();
  requestAnimationFrame(function () {
    targetScroll = scrollY;
    highlightCurrent();
  });
}

/** Store the address for the search, which lists the pages viewed last. */
function remember() {
  let others = [];
  try {
    others = JSON.parse(setting("recent")).filter(([href]) => href !== location.href);
  } catch {
    // nothing is stored, or not by this script
  }
  setting("recent", JSON.stringify([[location.href, document.title], ...others.slice(0, MAX_RECENT)]));
}

/** Mark the current place in the list of the page, and scroll the list to it. */
function highlightCurrent() {
  if (!toc) return;
  const place = currentPlace();
  const current = place && find(`[href="#${CSS.escape(place.id)}"]`, toc);
  const previous = find("[aria-current]", toc);
  if (current === previous) return;
  previous?.removeAttribute("aria-current");
  if (!current) return;
  current.setAttribute("aria-current", "location");
  const height = toc.clientHeight, top = current.offsetTop - toc.scrollTop;
  if (top < 90 || top > height - 60) toc.scrollTop = current.offsetTop - height / 3;
}

listen(window, "hashchange load", updateTarget);
if (toc) {
  let placeObserver;
  const observePlaces = function () {
    placeObserver?.disconnect();
    placeObserver = new IntersectionObserver(highlightCurrent, {rootMargin: `9999999px 0px ${scrollLine() - innerHeight}px`});
    for (const place of places()) placeObserver.observe(place);
  };
  listen(window, "resize", observePlaces);
  whenIdle(observePlaces);
  const filter = find("input", toc);
  listen(filter, "input", () => callTool("filterToc", filter));
  listen(window, "pageshow", () => filter?.value && callTool("filterToc", filter));
}

/* --- shortcuts and menus --------------------------------------------------------------------- */

listen(document, "keydown", function (event) {
  if (/^[jknptyd?]$/.test(event.key) && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey
    && setting("search-keys") !== "off" && !find("dialog[open]")
    && !event.target.closest("input, textarea, select, [contenteditable]")) {
    event.preventDefault();
    callTool("pressKey", event.key);
  }
});
listen(find("button.keyboard"), "click", () => callTool("showKeys"));
listen(versionsMenu, "pointerenter focusin", () => callTool());
listen(versionsMenu, "toggle", () => callTool("updateVersions", versionsMenu));
})();
