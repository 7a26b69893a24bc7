// Runs before the first paint, so that the reader's theme applies at once and nothing flashes or
// moves.  The class "js" shows the parts that need scripts.  Scrolls to the target of the address as
// soon as it is parsed: browsers would paint the top first, and scroll when the whole page is parsed.
// @ts-check
(function (page) {
"use strict";
let anchor;
page.classList.add("js");
try {
  page.dataset.theme = localStorage["dconv-theme"] || "auto";
  if (localStorage["dconv-wrap"] === "on") page.classList.add("wrap");
  anchor = decodeURIComponent(location.hash.slice(1));
} catch {
  // storage is not allowed, or the address is not valid percent-encoding
}
const isNew = /** @type {any} */ (performance.getEntriesByType("navigation")[0])?.type === "navigate";
const kept = !isNew && history.state?.place; // by reader.js, when the page was left
if (kept) history.scrollRestoration = "manual";
else if (!anchor || !isNew) return; // browsers scroll to where the reader was
const link = Object.assign(document.createElement("link"), {rel: "expect", href: kept ? "#-foot" : location.hash, blocking: "render"});
document.head.append(link);
const show = () => link.remove(); // while it is there, style.css hides the list of the page, and the entries above the opened one
setTimeout(show, 1000); // milliseconds, after which the top of the page is painted
let frames = 4; // entries above the target get their heights when they come near
requestAnimationFrame(function scroll() {
  const reading = document.readyState === "loading";
  const target = kept && reading ? null : document.getElementById(kept ? kept[0] : anchor);
  target?.closest(".entry")?.classList.add("opened");
  if (frames < 4) show();
  if (!kept && (!reading || frames > 3 && scrollY)) return show(); // others have scrolled
  target?.scrollIntoView();
  if (target && kept) {
    const part = target.parentElement;
    for (const {style} of [part, target, ...part.querySelectorAll(":scope > :not(.entry)")]) style.contentVisibility = "visible"; // else what is above may grow later
    scrollBy(0, target.getBoundingClientRect().top - kept[1]);
  }
  if (target ? --frames : reading) requestAnimationFrame(scroll);
  else {
    show();
    history.scrollRestoration = "auto";
  }
});
})(document.documentElement);
