// Reloads a page of the preview after a build, and shows why a build failed.  It sets styles through
// the DOM, which the content security policy of the pages allows.
"use strict";
(() => {
  const version = Number(document.currentScript.dataset.version);
  let bar = null;
  const showError = (message) => {
    if (!message) { bar?.remove(); bar = null; return; }
    if (!bar) {
      bar = document.createElement("pre");
      bar.setAttribute("role", "alert");
      Object.assign(bar.style, {
        position: "fixed", inset: "auto 0 0 0", margin: "0", padding: "1rem", zIndex: "9999",
        background: "#7a0010", color: "#fff", whiteSpace: "pre-wrap", font: "14px/1.5 monospace",
      });
      document.body.append(bar);
    }
    bar.textContent = message;
  };
  const checkState = async () => {
    let building = false;
    try {
      const state = await (await fetch("/dconv-state.json", { cache: "no-store" })).json();
      if (state.version !== version) { location.reload(); return; }
      showError(state.error);
      building = state.building;
    } catch { /* the server has stopped or restarts */ }
    setTimeout(checkState, document.hidden ? 3000 : building ? 100 : 300);
  };
  checkState();
})();
