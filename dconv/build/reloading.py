"""What the preview puts into pages: a script that loads them anew, or tells what goes on."""

from __future__ import annotations

SCRIPT_PATH = "/dconv-reload.js"
STATE_PATH = "/dconv-state.json"

# Sets styles through the DOM, which the pages' content security policy allows.
SCRIPT = b"""\
"use strict";
(() => {
  const known = Number(document.currentScript.dataset.version);
  const bars = {};
  const show = (role, message, styles) => {
    if (!message) { bars[role]?.remove(); delete bars[role]; return; }
    if (!bars[role]) {
      bars[role] = document.createElement("pre");
      bars[role].setAttribute("role", role);
      Object.assign(bars[role].style, {
        position: "fixed", margin: "0", zIndex: "9999", color: "#fff", whiteSpace: "pre-wrap",
        font: "14px/1.5 monospace", ...styles,
      });
      document.body.append(bars[role]);
    }
    bars[role].textContent = message;
  };
  const ask = async () => {
    let busy = false;
    try {
      const state = await (await fetch("/dconv-state.json", { cache: "no-store" })).json();
      if (state.version !== known) { location.reload(); return; }
      show("alert", state.error, { inset: "auto 0 0 0", padding: "1rem", background: "#7a0010" });
      const early = state.stage === "checking" ? "not proved yet\\u2026" : "";
      show("status", early, { inset: "auto 0 0 auto", padding: "0 1ch", background: "#333" });
      busy = state.stage !== "";
    } catch { /* the server is gone, or starts anew */ }
    setTimeout(ask, document.hidden ? 3000 : busy ? 100 : 300);
  };
  ask();
})();
"""


def injected(page: bytes, version: int) -> bytes:
    """`page` with the script at the end of its head, which knows the `version` of the page."""
    tag = f'<script src="{SCRIPT_PATH}" data-version="{version}" defer></script>'
    return page.replace(b"</head>", f"{tag}</head>".encode(), 1)
