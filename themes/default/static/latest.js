// @ts-check
// Redirects to the latest release and keeps the fragment, which a meta refresh would lose.
(function () {
  "use strict";
  var script = document.currentScript;
  var to = script && script.getAttribute("data-to");
  if (to) location.replace(to + location.search + location.hash);
})();
