// @ts-check
// Leads on to the latest release and keeps the part of the address after "#",
// which a page's refresh would lose.
(function () {
  "use strict";
  var script = document.currentScript;
  var to = script && script.getAttribute("data-to");
  if (to) location.replace(to + location.search + location.hash);
})();
