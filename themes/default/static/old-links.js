// Forwards links to the anchors of haproxy-dconv (configuration.html#4.2-acl) to the page of
// the section, before the body of the edition on one page is read.  That edition has all
// these anchors itself: `?one` in the address, or coming from the page itself, stays on it.
// The data and the rules are described in dconv/writers/legacy/forwarding.py and dconv/writers/legacy/old_anchors.py.
// @ts-check
"use strict";

/** @typedef {[number: string, file: string, top: string, title: string, names: string]} Row */

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
 * Called by the data of a document: goes to the place that the address means.
 * @param {string} folder of the document's pages, relative to this page
 * @param {Row[]} rows
 */
function oldAnchors(folder, rows) {
  const [navigation] = performance.getEntriesByType("navigation");
  const navigationType = /** @type {any} */ (navigation || {}).type;
  const here = location.href.replace(/[?#].*/, "");
  if (/[?&]one\b/.test(location.search)) return;
  if (navigationType === "reload" || navigationType === "back_forward") return;
  if (document.referrer.replace(/[?#].*/, "") === here) return;
  let oldAnchor = location.hash.slice(1);
  try {
    oldAnchor = decodeURIComponent(oldAnchor);
  } catch {
    // a lone percent sign: the anchor as it stands
  }
  const target = oldAnchor ? resolveOldAnchor(oldAnchor, rows) : null;
  if (!target) return;
  const hash = target.anchor ? `#${encodeURIComponent(target.anchor)}` : "";
  location.replace(`${folder}${encodeURI(target.file)}${hash}`);
}
