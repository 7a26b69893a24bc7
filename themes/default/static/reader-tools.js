// What the buttons and keys of reader.js do: copies of code and of addresses, wrapped lines,
// the menu of versions for the entry at hand, the list of keys.
// @ts-check
(function () {
"use strict";
const host = /** @type {any} */ (window);
const page = document.documentElement;
const reader = host.dconvReader;
const {one, make, kept, say, at, landed} = reader;

function named(place) {
  return (one(".name > a", place) || place).textContent;
}

/* --- copies ----------------------------------------------------------------------------- */

reader.copy = function (text, what) {
  const told = () => say(what ? `${what} copied` : "Copied");
  const old = () => select(text) ? told() : say("This browser allows no copies");
  if (host.navigator.clipboard) navigator.clipboard.writeText(text).then(told, old);
  else old();
};

/** The way of older browsers, and of all on pages that come without TLS. */
function select(text) {
  const active = /** @type {HTMLElement} */ (document.activeElement);
  const box = make("textarea", "hidden", text);
  box.style.position = "fixed";
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  active.focus({preventScroll: true});
  return done;
}

// drawings and programs stay as they stand: a "\" at the end of a line is their own
const JOINED = /^language-(?!(?:c|http|json|lua)$)/;

/** The text of a block; of a session its commands, where prompts tell them.  Lines that the text has broken by a "\"
    are whole again: HAProxy reads no broken lines, and a shell needs none. */
reader.text = function (block) {
  const shown = block.cloneNode(true);
  const session = block.matches(".language-console"), prompts = one(".prompt", block);
  const left = session && prompts ? ".tools, .prompt, .output" : ".tools";
  for (const part of shown.querySelectorAll(left)) part.remove();
  let text = shown.textContent;
  if (session && !prompts) return text;
  if (session) text = text.split("\n").filter((line) => line.trim()).join("\n");
  if (!JOINED.test(block.className)) return text;
  return text.replace(/(\\?)([ \t]*)\\\n([ \t]*)/g, function (all, escape, before, after) {
    if (escape && !before) return all;
    return escape + (before || session && after ? " " : "");
  });
};

reader.code = function (block) {
  const session = block.matches(".language-console");
  reader.copy(reader.text(block), !session ? "Code" : one(".prompt", block) ? "Commands" : "");
};

/** What the page has been gone to, also within an entry; else the `place` at hand. */
function spot(place, within) {
  const target = landed() && one("main :target");
  return target && (!within || place.contains(target)) ? target : place;
}

/** The address for ever: of this release, and of the public site where this is a copy of it
    on a disk.  Pages of the latest release have led on to it before they are seen. */
reader.link = function (pressed) {
  const place = pressed ? pressed.parentNode : at();
  const base = location.protocol === "file:" && reader.address
    || location.href.replace(/[?#].*/, "");
  const aim = spot(place, pressed);
  reader.copy(base + (aim ? `#${encodeURI(aim.id)}` : ""),
    `Link to ${place ? named(place) : "this page"}`);
};

/* --- long lines --------------------------------------------------------------------------- */

/** Lines of code that are too long go on below; what was pressed stays where it is. */
reader.wrap = function (pressed) {
  const top = pressed.getBoundingClientRect().top;
  kept("wrap", page.classList.toggle("wrap") ? "on" : "off");
  for (const one of document.querySelectorAll(".fold")) {
    one.setAttribute("aria-pressed", String(page.matches(".wrap")));
  }
  scrollBy(0, pressed.getBoundingClientRect().top - top);
  reader.measure();
  say(page.matches(".wrap") ? "Long lines are wrapped" : "Long lines are scrolled");
};

/* --- versions ----------------------------------------------------------------------------- */

let plain = "";

/** What a page is called by its address: "section 8.2", which is no release. */
function file(address) {
  const name = address.pathname.replace(/.*\/|\.html$/g, "");
  return name === "index" ? "contents" : /^\d/.test(name) ? `section ${name}` : name;
}

/** Let the menu lead to the entry at hand, and say where that is not; else keep the hash.
    The last row of an entry's card says where it is, and has links where these are not the
    entry on the page that the menu knows. */
reader.versions = function (menu) {
  const list = one("ul", menu), place = at();
  list.innerHTML = plain = plain || list.innerHTML;
  for (const row of list.children) {
    const here = one("a", row);
    if (here.matches("[aria-current]")) continue;
    if (place && place.matches(".entry")) lead(row, here, place);
    else if (!one(".near", row) && !location.hash.startsWith("#-")) here.hash = location.hash;
    // without this the one page of the other version leads old anchors on to its sections
    if (here.hash && document.body.matches(".whole")) here.search = "?one";
  }
};

addEventListener("hashchange", function () {
  const menu = one(".top .versions");
  if (menu && menu.open) reader.versions(menu);
});

/** Whether an entry is not in `version` of `all`, newest first, as its card says:
    "in 2.2 and later, not in 2.6", or "in all 9 versions".  These words are from dconv/writers/pages/versions.py. */
reader.lacks = function (told, version, all) {
  const [most, but = ""] = told.split(/,? (?:not in|but) /);
  const [, from, way, to] = most.split(" "), at = all.indexOf(version), start = all.indexOf(from);
  if (but.split(", ").includes(version)) return true;
  if (start < 0) return false;
  if (way === "only") return at !== start;
  if (to === "earlier") return at < start;
  return at > start || way === "to" && at < all.indexOf(to);
};

function lead(row, here, place) {
  const version = here.textContent, title = one(".card > dt:last-of-type", place);
  const card = title && title.textContent === "Versions" && title.nextElementSibling;
  const links = card ? [...card.querySelectorAll("a")] : [];
  const there = links.find((one) => one.textContent === version);
  // "not in ", "as action: "
  const label = there ? there.parentNode.firstChild.data || "" : "";
  let said = label.replace(/:? $/, "");
  if (there) here.href = there.href;
  const all = () => [...row.parentNode.querySelectorAll("a")].map((one) => one.textContent);
  if (there ? label === "not in " : card && reader.lacks(card.textContent, version, all())) {
    said = `${named(place)} is not in ${version}, nearest: ${file(here)}`;
  } else {
    if (!there) here.hash = encodeURI(spot(place, true).id);
    if (!said && file(here) !== file(location)) said = `in ${file(here)}`;
  }
  const old = one("small", row);
  if (!said && !(old && old.matches(".near"))) return;
  if (old) old.remove();
  row.append(make("small", "near", said));
}

const menu = one(".top .versions");
if (menu) {
  addEventListener("click", (event) => menu.open = menu.open && menu.contains(event.target));
  menu.addEventListener("keydown", function (event) {
    if (event.key !== "Escape") return;
    menu.open = false;
    one("summary", menu).focus();
  });
}

/** What was gone to is not in the text: the list of sections, or nothing.  `event` tells how. */
reader.outside = function (event) {
  if (location.hash === "#-nav") uncovers = event.type === "hashchange";
  cover();
  if (!one(":target")) lost();
};

/** The address means nothing on this page: go to the entry of what is within it elsewhere,
    or say so.  Other versions have entries without one of their terms, or lack them. */
function lost() {
  let name = location.hash.slice(1);
  try {
    name = decodeURIComponent(name);
  } catch {
    // a lone percent sign
  }
  if (/^(|top|-.*)$/.test(name) || document.body.matches(".missing")) return;
  for (let front = name; front.includes(".");) {
    front = front.slice(0, front.lastIndexOf("."));
    if (!document.getElementById(front)) continue;
    location.replace(`#${encodeURI(front)}`);
    break;
  }
  say(`${name} is not on this page`);
}

/* --- the list of sections on small screens, and that of the page --------------------------- */

const side = one(".side");
let uncovers = false; // whether the way back leads to the page without the sheet

/** Where the sheet is open, nothing behind it can be reached. */
function cover() {
  const open = side && location.hash === "#-nav" && getComputedStyle(side).position === "fixed";
  if (!side || open === side.matches(".over")) return;
  side.classList.toggle("over", open);
  for (const behind of document.querySelectorAll(".skip, .top, main, .toc, .foot")) {
    behind.toggleAttribute("inert", open);
  }
  if (open) one(".close", side).focus({preventScroll: true});
  else one(".top .menu").focus({preventScroll: true});
}

/** Back to the address and the place before; a page that came with the sheet keeps its place. */
function uncover(event) {
  event.preventDefault();
  if (uncovers) return history.back();
  const top = scrollY;
  location.replace("#-main");
  scrollTo(0, top);
}

if (side) {
  addEventListener("hashchange", cover);
  addEventListener("resize", cover);
  one(".close", side).addEventListener("click", uncover);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && side.matches(".over") && !one("dialog[open]")) uncover(event);
  });
}

let count = null;

/** Show what of the list of the page has the words, and tell how much that is. */
reader.filter = function (box) {
  const wanted = box.value.trim().toLowerCase(), rows = [...one(".toc").querySelectorAll("li")];
  for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  if (!count) {
    count = make("p", "hidden", "");
    count.setAttribute("role", "status");
    box.after(count);
  }
  const shown = rows.filter((row) => !row.hidden).length;
  count.textContent = wanted ? `${shown} of ${rows.length}` : "";
};

/* --- ways ------------------------------------------------------------------------------------ */

reader.step = function (by) {
  const places = reader.places(), place = places[places.indexOf(at()) + by];
  if (!place) return;
  location.replace(`#${encodeURI(place.id)}`);
  reader.choose();
};

reader.turn = function (way) {
  const to = one(`link[rel=${way}]`);
  if (to) location.assign(to.href);
};

reader.top = function () {
  const current = one(".side [aria-current]");
  scrollTo(0, 0);
  (current && current.offsetParent ? current : one("main")).focus({preventScroll: true});
};

/* --- the list of keys ---------------------------------------------------------------------- */

const KEYS = [
  ["/ s", "search (also Ctrl K)"], ["j k", "next, previous entry"],
  ["n p", "next, previous page"], ["t", "top, and the list of sections"],
  ["y", "copy the link to the entry"], ["d", "theme: auto, light, dark"], ["?", "these keys"],
];
let dialog = null, check = null;

reader.help = function () {
  if (!dialog) {
    dialog = make("dialog", "help", "");
    dialog.setAttribute("aria-labelledby", "-help");
    const title = make("h2", "", "Keys"), list = make("ul", "", ""), label = make("label", "", "");
    const close = make("button", "", "Close");
    title.id = "-help";
    for (const [keys, sense] of KEYS) {
      const row = make("li", "", ""), caps = make("span", "", "");
      for (const key of keys.split(" ")) caps.append(make("kbd", "", key), " ");
      row.append(caps, sense);
      list.append(row);
    }
    check = make("input", "", "");
    check.type = "checkbox";
    check.onchange = () => kept("search-keys", check.checked ? "on" : "off");
    label.append(check, " Single keys act (Ctrl K always does)");
    close.type = "button";
    close.autofocus = true;
    close.onclick = () => dialog.close();
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.append(title, list, label, close);
    document.body.append(dialog);
  }
  check.checked = kept("search-keys") !== "off";
  if (!one("dialog[open]")) dialog.showModal();
};
})();
