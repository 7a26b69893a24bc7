// What helps to read a page: the theme's button, the list of the page that follows, keys, and
// the buttons for copies.  What these and the menu of versions do is in reader-tools.js,
// which is loaded when it is wanted first.  The page is complete without these scripts.
// @ts-check
(function () {
"use strict";
const host = /** @type {any} */ (window);
const page = document.documentElement, look = page.dataset;
const main = one("main"), theme = one("button.theme"), help = one("button.keyboard");
const toc = one(".toc"), menu = one(".top .versions");
const {tools, address} = (one("[data-tools]") || page).dataset;
const PAUSE = 1600; // milliseconds that a message stays
const THEMES = ["auto", "light", "dark"];
const reader = host.dconvReader = {one, make, kept, say, places, at, choose, landed, measure, address};

/** @returns {any} */
function one(selector, within) {
  return (within || document).querySelector(selector);
}

/** @returns {any} */
function make(name, kind, text) {
  const made = document.createElement(name);
  made.className = kind;
  made.textContent = text;
  return made;
}

/** Listen for the events `signs` of an element, if there is one. */
function listen(to, signs, act) {
  for (const sign of signs.split(" ")) to && to.addEventListener(sign, act);
}

/** Run `act` when the browser is idle. */
function idle(act) {
  (window.requestIdleCallback || setTimeout)(act);
}

/** The setting `name` in local storage, or else of this page; stores `value` first, if given. */
function kept(name, value) {
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

const status = make("p", "notice", "");
let timer = 0;
status.setAttribute("role", "status");
document.body.append(status);

function say(text) {
  clearTimeout(timer);
  status.textContent = text;
  timer = setTimeout(() => status.textContent = "", PAUSE);
}

let script;

/** Call the function `name` of reader-tools.js once it is loaded; without a name only load it. */
function tool(name, value) {
  if (!script && tools) {
    script = make("script", "", "");
    script.src = tools;
    listen(script, "error", () => script = say("This could not be loaded")); // the next try is new
    document.head.append(script);
  }
  if (!name) return;
  if (reader.copy) return reader[name](value);
  listen(script, "load", () => reader[name](value));
}

/* --- what the reader has chosen --------------------------------------------------------- */

function restore() {
  const name = look.theme = kept("theme") || look.theme || THEMES[0];
  const wrap = kept("wrap");
  if (wrap) page.classList.toggle("wrap", wrap === "on");
  if (theme) theme.setAttribute("aria-label", theme.title = `Theme: ${name}`);
}

function paint() {
  kept("theme", THEMES[(THEMES.indexOf(look.theme) + 1) % 3]);
  restore();
  say(`Theme: ${look.theme}`);
}

listen(theme, "click", paint);
listen(window, "pageshow", restore); // also after a return from the back/forward cache

/* --- buttons ----------------------------------------------------------------------------- */

function button(text, kind, act, value) {
  const made = make("button", kind, text);
  listen(made, "click", () => tool(act, value || made));
  listen(made, "pointerenter focus", () => tool());
  return made;
}

/** The buttons of a block of code: in the line above it, or in its corner. */
function bar(block) {
  const made = make("span", "tools", "");
  made.append(button("Wrap", "fold", "wrap"), button("Copy", "", "code", block));
  if (block.matches("figcaption + pre")) {
    block.previousElementSibling.append(made);
  } else {
    const holder = make("span", "bar", ""); // the bar hangs in it, and does not scroll
    holder.append(made);
    block[matchMedia("(pointer: coarse)").matches ? "append" : "prepend"](holder);
  }
  return made;
}

const blocks = [...main.querySelectorAll("pre")], bars = new Map();

/** A block that scrolls is a region with a name. */
function settle(block, wide) {
  block.role = wide ? "region" : null;
  block.ariaLabel = wide ? `Listing ${blocks.indexOf(block) + 1}` : null;
}

const near = new IntersectionObserver(function (seen) {
  const shown = seen.filter((one) => one.isIntersecting).map((one) => one.target);
  const wide = shown.map((block) => block.scrollWidth > block.clientWidth);
  shown.forEach(function (block, number) {
    const made = bars.get(block) || bar(block);
    bars.set(block, made);
    made.classList.toggle("wide", wide[number]);
    made.firstChild.setAttribute("aria-pressed", page.matches(".wrap"));
    settle(block, wide[number]);
  });
}, {rootMargin: "400px"});

/** Measure again which blocks have lines that are too long. */
function measure() {
  near.disconnect();
  for (const block of blocks) near.observe(block);
}

listen(window, "pageshow resize", () => idle(measure));

const link = button("Copy link", "link", "link");

function offer(name) {
  if (name && name !== link.previousSibling && !link.matches(":focus-visible")) name.after(link);
}

listen(main, "pointerover focusin", (event) => offer(event.target.closest(".entry > .name")));

/* --- the current place -------------------------------------------------------------------- */

let chosen = null, stood = 0;
let listed, margin; // computed on first use, because that takes time

/** All places that keys can go to: entries, or titles. */
function places() {
  if (!listed) {
    const entries = main.querySelectorAll(".entry");
    listed = [...(entries.length ? entries : main.querySelectorAll("[id]:is(.title, .letter > h2)"))];
  }
  return listed;
}

/** Where the target of a link is scrolled to, from the top of the window. */
function line() {
  return margin = margin || parseFloat(getComputedStyle(page).scrollPaddingTop) + 2;
}

/** Whether the page has not been scrolled since the last jump. */
function landed() {
  return !(Math.abs(scrollY - stood) >= 2);
}

/** The current place: the last target of a link until the page is scrolled, else the last place above the line. */
function at() {
  if (chosen && landed()) return chosen;
  let first = 0, last = places().length;
  while (first < last) {
    const middle = first + last >> 1;
    if (listed[middle].getBoundingClientRect().top > line()) last = middle; else first = middle + 1;
  }
  return listed[first - 1];
}

function choose(event) {
  const target = one(":target");
  const place = target && target.closest(".entry") || target;
  chosen = place && places().includes(place) && place;
  stood = NaN;
  offer(chosen && one(".entry > .name", chosen));
  if (location.hash && !main.contains(target)) tool("outside", event);
  requestAnimationFrame(function () {
    stood = scrollY;
    follow();
  });
}

/** Mark the current place in the list of the page, and scroll the list to it. */
function follow() {
  if (!toc) return;
  const place = at();
  const now = place && one(`[href="#${CSS.escape(place.id)}"]`, toc);
  const was = one("[aria-current]", toc);
  if (now === was) return;
  if (was) was.removeAttribute("aria-current");
  if (!now) return;
  now.setAttribute("aria-current", "location");
  const height = toc.clientHeight, top = now.offsetTop - toc.scrollTop;
  if (top < 90 || top > height - 60) toc.scrollTop = now.offsetTop - height / 3;
}

listen(window, "hashchange load", choose);
if (toc) {
  let watch;
  const observe = function () {
    if (watch) watch.disconnect();
    watch = new IntersectionObserver(follow, {rootMargin: `9999999px 0px ${line() - innerHeight}px`});
    for (const place of places()) watch.observe(place);
  };
  listen(window, "resize", observe);
  idle(observe);
  const filter = one("input", toc);
  listen(filter, "input", () => tool("filter", filter));
  listen(window, "pageshow", () => filter && filter.value && tool("filter", filter));
}

/* --- keys and menus -------------------------------------------------------------------------- */

const ACTS = {
  j: ["step", 1], k: ["step", -1], t: ["top"], n: ["turn", "next"], p: ["turn", "prev"],
  y: ["link"], d: [], "?": ["help"],
};

listen(document, "keydown", function (event) {
  const act = ACTS[event.key];
  if (act && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey
    && kept("search-keys") !== "off" && !one("dialog[open]")
    && !event.target.closest("input, textarea, select, [contenteditable]")) {
    event.preventDefault();
    if (act[0]) tool(...act); else paint();
  }
});
listen(help, "click", () => tool("help"));
listen(menu, "pointerenter focusin", () => tool());
listen(menu, "toggle", () => tool("versions", menu));
})();
