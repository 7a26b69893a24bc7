// Runs before anything is painted: what the reader has chosen is there from the start, and
// nothing flashes or moves.  The class "js" shows the parts that need scripts.
// @ts-check
(function (page) {
"use strict";
page.classList.add("js");
try {
  page.dataset.theme = localStorage["dconv-theme"] || "auto";
  if (localStorage["dconv-wrap"] === "on") page.classList.add("wrap");
} catch {
  // no storage here
}
})(document.documentElement);
