// Opens the search: by the control in the header, by the keys /, s and Ctrl+K, by ?q=… in the
// address.  All else is loaded on first use: search-panel.js, which shows results, search-engine.js,
// which finds them, and the data of the release.
// Without this script the control links to the names from A to Z.
// @ts-check
(function () {
"use strict";
const control = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a.search"));
if (!control || !window.HTMLDialogElement) return;
const data = control.dataset;
const page = document.documentElement;
const host = /** @type {any} */ (window);
/** @type {any} */
const search = host.dconvSearch = host.dconvSearch || {};
/** @type {HTMLDialogElement | null} */
let dialog = null;
const loaded = new Set();

/** Load a classic script of the site, once; they run in the order they are asked for. */
search.load = function (address, onLoad, onError) {
  if (loaded.has(address)) return;
  loaded.add(address);
  const script = document.createElement("script");
  const embedded = document.getElementById("-" + address); // of a document that is one file
  if (embedded) {
    script.textContent = embedded.textContent;
    document.head.append(script);
    onLoad?.();
    return;
  }
  script.async = false;
  if (onLoad) script.onload = onLoad;
  if (onError) script.onerror = onError;
  script.src = data.root + address;
  document.head.append(script);
};

/** Whether single letters open the search; readers who speak to their computer turn that off:
    `value` is "off" or "on". */
search.singleKeys = function (value) {
  return host.dconvReader?.setting("search-keys", value) !== "off"; // reader.js asks the same
};

/** `element` with these attributes. @returns {any} */
function setAttributes(element, attributes) {
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  return element;
}

/** A new element with these attributes. */
function createElement(name, attributes) {
  return setAttributes(document.createElement(name), attributes);
}

function loadStyles() {
  const href = data.root + data.sheet;
  if (!loaded.has(href)) document.head.append(createElement("link", {rel: "stylesheet", href}));
  loaded.add(href);
}

/** Load the engine and the panel, once. */
function preload() {
  loadStyles();
  search.load(data.engine, null, onLoadError);
  search.load(data.panel);
  search.loadData("names", onLoadError);
  search.loadData("lines");
}

/** Load a part of the data of all releases that are searched from here. */
search.loadData = function (file, onError) {
  for (const [folder] of JSON.parse(data.releases || "[]")) {
    search.load(`${folder}/search-${file}.js`, null, onError);
  }
};

function onLoadError() {
  search.failed = true;
  search.onLoadError?.();
}

/** Show the input at once, so that nothing typed is lost while the rest loads. */
function open(query) {
  preload();
  if (!dialog) {
    dialog = createElement("dialog", {class: "finder", "aria-label": "Search"});
    const box = createElement("input", {
      type: "text", inputmode: "search", enterkeyhint: "go", autocomplete: "off",
      autocapitalize: "off", autocorrect: "off", spellcheck: "false", maxlength: "200",
      placeholder: "A name, a part of one, or a few words", "aria-label": "Search",
    });
    box.addEventListener("input", () => search.openFirstWhenFound = false);
    box.addEventListener("keydown", function (event) {
      if (event.key === "Enter" && !event.isComposing) search.openFirstWhenFound = true; // until it is found
    });
    box.value = data.query || "";
    const field = createElement("div", {class: "field"});
    field.append(box);
    dialog.append(field);
    document.body.append(dialog);
    Object.assign(search, {dialog, box, control});
    search.panel?.();
  }
  const other = /** @type {any} */ (document.querySelector("dialog[open]"));
  if (other && other !== dialog) other.close(); // the list of keys
  if (!dialog.open) dialog.showModal();
  if (query === undefined) {
    search.box.select();
  } else {
    search.box.value = query; // and the caret behind it
  }
  search.onOpen?.();
}

function openSearch(event) {
  event.preventDefault();
  open();
}

document.addEventListener("keydown", function (/** @type {any} */ event) {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const command = event.ctrlKey || event.metaKey;
  const single = !command && (event.key === "/" || event.key === "s") && search.singleKeys();
  if (!(command && !event.shiftKey && event.key.toLowerCase() === "k")) {
    if (!single || document.querySelector("dialog[open]")
      || event.target.closest("input, textarea, select, [contenteditable]")) return;
  }
  openSearch(event);
});

setAttributes(control, {role: "button", "aria-haspopup": "dialog", "aria-keyshortcuts": "/ s Control+K"});
control.addEventListener("click", function (event) {
  if (!(event.ctrlKey || event.metaKey || event.shiftKey || event.button)) openSearch(event);
});
control.addEventListener("keydown", (event) => event.key === " " && openSearch(event));
for (const type of ["pointerenter", "focus", "touchstart"]) {
  control.addEventListener(type, preload, {once: true, passive: true});
}
page.classList.add("js");

const address = new URLSearchParams(location.search);
const words = address.get("mark");
if (words) {
  loadStyles();
  search.load(data.engine);
  search.load(data.marks, () => search.mark(words));
}
const query = address.get("q");
if (query !== null) open(query);
})();
