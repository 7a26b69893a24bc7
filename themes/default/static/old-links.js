// Forwards links to the anchors of haproxy-dconv (configuration.html#4.2-acl) to the page of
// the section, before the body of the edition on one page is read.  That edition has all
// these anchors itself: `?one` in the address, or coming from the page itself, stays on it.
// The data and the rules are described in dconv/writers/legacy/forwarding.py and dconv/writers/legacy/old_anchors.py.
// @ts-check
"use strict";

/** @typedef {[number: string, file: string, top: string, title: string, names: string]} Row */

/**
 * The file and the anchor that an old anchor means, or null.
 * @param {string} wanted the old anchor, decoded
 * @param {Row[]} rows
 * @returns {{file: string, anchor: string} | null}
 */
function oldPlace(wanted, rows) {
  if (/^(top|bottom|(chapter-)?summary)$/.test(wanted)) return null; // of the page itself
  const title = wanted.replace(/^chapter-/, "");
  for (const [number, file] of rows) {
    if (number === title) return { file, anchor: "" };
  }
  for (const [number, file, top, own, names] of rows) {
    const chapter = number.split(".")[0];
    const keywords = [wanted];
    for (const front of [`${chapter}-`, `${number}-`]) {
      if (wanted.startsWith(front)) keywords.push(wanted.slice(front.length));
    }
    for (const back of [` (${top})`, ` (${own})`]) {
      if (wanted.endsWith(back)) keywords.push(wanted.slice(0, -back.length));
    }
    let front = "";
    for (const one of names.split("|")) {
      const at = one.indexOf("=");
      const name = at < 0 ? one : one.slice(0, at);
      if (at === 0) front = one.slice(1);
      else if (keywords.some((keyword) => name === keyword || name.startsWith(`${keyword} `))) {
        const anchor = front + name.replace(/^no /, "").replace(/ /g, "-");
        return { file, anchor: at < 0 ? anchor : one.slice(at + 1) };
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
  const again = /** @type {any} */ (navigation || {}).type;
  const here = location.href.replace(/[?#].*/, "");
  if (/[?&]one\b/.test(location.search) || again === "reload" || again === "back_forward") return;
  if (document.referrer.replace(/[?#].*/, "") === here) return;
  let wanted = location.hash.slice(1);
  try {
    wanted = decodeURIComponent(wanted);
  } catch {
    // a lone percent sign: the anchor as it stands
  }
  const found = wanted ? oldPlace(wanted, rows) : null;
  if (!found) return;
  const hash = found.anchor ? `#${encodeURIComponent(found.anchor)}` : "";
  location.replace(`${folder}${encodeURI(found.file)}${hash}`);
}
