// Runs before anything is painted: what the reader has chosen is there from the start, and
// nothing flashes or moves.  The class "js" shows the parts that need scripts.  The target of the
// address is shown once it is read: browsers paint the top of a page, and scroll when all is read.
// @ts-check
(function (page) {
"use strict";
let anchor = "";
page.classList.add("js");
try {
  page.dataset.theme = localStorage["dconv-theme"] || "auto";
  if (localStorage["dconv-wrap"] === "on") page.classList.add("wrap");
  anchor = decodeURIComponent(location.hash.slice(1));
} catch {
  // no storage here, or a lone percent sign in the address
}
/** @type {any} */
const [navigation] = performance.getEntriesByType("navigation");
if (!anchor || navigation?.type !== "navigate") return; // else browsers scroll to where the reader was
const link = Object.assign(document.createElement("link"), {rel: "expect", href: location.hash, blocking: "render"});
document.head.append(link);
setTimeout(() => link.remove(), 1000); // milliseconds, after which the top of the page is painted
let frames = 3; // entries above the target get their heights when they come near
requestAnimationFrame(function scroll() {
  if (document.readyState !== "loading" || (frames === 3 && scrollY)) return; // others have scrolled
  const target = document.getElementById(anchor);
  target?.scrollIntoView();
  if (!target || --frames) requestAnimationFrame(scroll);
});
})(document.documentElement);
