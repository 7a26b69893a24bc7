// Forwards links to the anchors of haproxy-dconv (configuration.html#4.2-acl) to the page of
// the section, before the body of the single page is read.  The single page has all
// these anchors itself: `?one` in the address, or coming from that page itself, stays on it.
// The data and the rules are described in dconv/writers/legacy/forwarding.py and dconv/writers/legacy/old_anchors.py.
// @ts-check
"use strict";

/** @typedef {[number: string, file: string, top: string, title: string, names: string]} Row */
/** @typedef {[name: string, address: string, version?: string]} Other */

/**
 * The file and the anchor that an old anchor means, or null.
 * @param {string} oldAnchor the old anchor, decoded
 * @param {Row[]} rows
 * @returns {{file: string, anchor: string} | null}
 */
function resolveOldAnchor(oldAnchor, rows) {
  if (/^(top|bottom|(chapter-)?summary)$/.test(oldAnchor)) return null; // of the page itself
  const title = oldAnchor.replace(/^chapter-/, "");
  for (const [number, file] of rows) {
    if (number === title) return { file, anchor: "" };
  }
  for (const [number, file, top, sectionTitle, names] of rows) {
    const chapter = number.split(".")[0];
    const keywords = [oldAnchor];
    for (const prefix of [`${chapter}-`, `${number}-`]) {
      if (oldAnchor.startsWith(prefix)) keywords.push(oldAnchor.slice(prefix.length));
    }
    for (const suffix of [` (${top})`, ` (${sectionTitle})`]) {
      if (oldAnchor.endsWith(suffix)) keywords.push(oldAnchor.slice(0, -suffix.length));
    }
    let anchorPrefix = "";
    for (const item of names.split("|")) {
      const equals = item.indexOf("=");
      const name = equals < 0 ? item : item.slice(0, equals);
      if (equals === 0) anchorPrefix = item.slice(1);
      else if (keywords.some((keyword) => name === keyword || name.startsWith(`${keyword} `))) {
        const anchor = anchorPrefix + name.replace(/^no /, "").replace(/ /g, "-");
        return { file, anchor: equals < 0 ? anchor : item.slice(equals + 1) };
      }
    }
  }
  return null;
}

/**
 * The name, the address and, if it was removed, the last release of what `anchor` means, or null.
 * @param {string} anchor an old anchor, or one of ours: "4.2-reqadd", "action.deny"
 * @param {Row[]} rows
 * @param {Other[]} others
 * @param {string} folder
 * @returns {Other | null}
 */
function findMoved(anchor, rows, others, folder) {
  const fold = (/** @type {string} */ text) => text.replace(/ /g, "-");
  const name = fold(anchor.replace(/^\d[\d.]*-/, "").replace(/ \(.*\)$/, ""));
  const names = [name, name.replace(/^no-/, ""), name.replace(/^[a-z-]+\./i, "")];
  for (const wanted of names) {
    for (const other of others) if (fold(other[0]) === wanted) return other;
    for (const other of others) if (fold(other[0]).startsWith(`${wanted}-`)) return other;
    for (const [, file, , , keywords] of rows) {
      const keyword = keywords.split("|").find((item) => fold(item.replace(/=.*/, "")) === wanted);
      const place = keyword && resolveOldAnchor(keyword.replace(/=.*/, ""), rows);
      if (place) return [keyword, `${folder}${file}${place.anchor ? `#${place.anchor}` : ""}`];
    }
  }
  return null;
}

/**
 * Called by the data of a document: goes to the place that the address means.
 * @param {string} folder of the document's pages, below that of the release
 * @param {Row[]} rows
 * @param {Other[]} others
 */
function oldAnchors(folder, rows, others) {
  const host = /** @type {any} */ (window);
  host.dconvFindMoved = (/** @type {string} */ anchor) => findMoved(anchor, rows, others, folder);
  if (host.dconvReader) return; // a section asked for this, since its anchor is missing
  const [navigation] = performance.getEntriesByType("navigation");
  const navigationType = /** @type {any} */ (navigation || {}).type;
  let oldAnchor = location.hash.slice(1);
  try {
    oldAnchor = decodeURIComponent(oldAnchor);
  } catch {
    // not valid percent-encoding: keep the anchor as it is
  }
  const here = location.href.replace(/[?#].*/, "");
  if (/[?&]one\b/.test(location.search)) return;
  if (navigationType === "reload" || navigationType === "back_forward") return;
  if (document.referrer.replace(/[?#].*/, "") === here) return;
  const target = oldAnchor ? resolveOldAnchor(oldAnchor, rows) : null;
  const name = oldAnchor.replace(/^\d[\d.]*-/, "");
  const moved = target ? null : others.find((other) => other[0] === name && !other[2]);
  if (moved) location.replace(moved[1]); // reader-tools.js does the rest once the page is known to lack it
  if (!target) return;
  const hash = target.anchor ? `#${encodeURIComponent(target.anchor)}` : "";
  location.replace(`${folder}${encodeURI(target.file)}${hash}`);
}
