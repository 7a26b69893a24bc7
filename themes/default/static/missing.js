// The 404 page: puts the missing name into the search field, and links to the same page in the
// latest release, or else to its nearest parent that the server has.
// @ts-check
(function () {
"use strict";
const nearestPage = /** @type {HTMLElement | null} */ (document.querySelector(".nearest-page"));
const link = nearestPage && nearestPage.querySelector("a");
if (!nearestPage || !link) return;
const root = nearestPage.dataset.root || "/";
const parts = location.pathname.slice(root.length).split("/");

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // not in UTF-8
  }
}

/** The name to search for: the fragment, or else the last part of the path. */
function missingName() {
  const name = decode(location.hash.slice(1)).replace(/^\d[\d.]*-/, "");
  const last = parts.filter((part) => part && !/^index\.\w+$/.test(part)).pop() || "";
  return (name || decode(last).replace(/\.\w*html?$|\.txt$/, "")).slice(0, 200);
}

/** Where the page may be in the latest releases, the best guess first. */
function* guesses() {
  const folders = (nearestPage.dataset.latest || "").split(" ").filter(Boolean);
  for (const folder of folders.filter((path) => path !== ".")) {
    const [name, version] = folder.split("/");
    const sameProduct = parts[0] === name;
    if (!sameProduct && !/^(?:\d+\.\d|dev$|latest$)/.test(parts[0])) continue;
    const rest = parts.slice(sameProduct ? 2 : 1);
    if (!rest[0]) continue;
    if (!sameProduct) yield `${name}/${parts.join("/")}`;
    if (!sameProduct || parts[1] !== version) yield `${folder}/${rest.join("/")}`;
    if (rest.length > 1) yield `${folder}/${rest[0]}/index.html`;
    if (sameProduct) yield `${name}/${parts[1]}/index.html`;
  }
  if (folders.includes(".") && parts.length > 1 && parts[0] !== "man") {
    yield `man/${parts[parts.length - 1]}`; // a shelf: a page of another release, or its package
    yield `${parts[0]}/index.html`;
  }
}

async function linkNearestPage() {
  for (const path of guesses()) {
    const response = await fetch(root + path, {method: "HEAD"}).catch(() => null);
    if (response && response.ok) {
      link.href = root + path + location.hash;
      link.textContent = path;
      link.parentElement.hidden = false;
      return;
    }
  }
}

const control = /** @type {HTMLElement | null} */ (document.querySelector("a.search"));
const words = missingName();
if (control && words) {
  control.dataset.query = words;
  control.setAttribute("aria-label", `Search for ${words}`);
  const shown = control.querySelector("span");
  if (shown) shown.textContent = words;
}
linkNearestPage();
})();
