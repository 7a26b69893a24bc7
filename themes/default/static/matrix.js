// The filter of a matrix: words of the names, and columns that must all say yes.
// Loaded by pages that have a matrix alone; its markup is written by dconv/html/tables.py.
// @ts-check
"use strict";

/** Blanks, hyphens and underscores are the same. */
const plain = (/** @type {string} */ text) => text.toLowerCase().replace(/[-_\s]+/g, " ");

for (const filter of document.querySelectorAll(".filter")) {
  const rows = [...(filter.nextElementSibling?.querySelectorAll("tbody tr") || [])];
  const names = rows.map((row) => plain(row.firstElementChild?.textContent || ""));
  const output = filter.querySelector("output");
  const field = /** @type {HTMLInputElement} */ (filter.querySelector("[type=search]"));
  const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (
    filter.querySelectorAll("[type=checkbox]"));

  const apply = () => {
    const words = field.value.split(/\s+/).map(plain);
    const columns = [...boxes].filter((box) => box.checked).map((box) => Number(box.value));
    let shown = 0;
    rows.forEach((row, at) => {
      const fits = words.every((word) => names[at].includes(word))
        && columns.every((column) => row.children[column]?.classList.contains("yes"));
      row.toggleAttribute("hidden", !fits);
      shown += Number(fits);
    });
    const all = rows.length;
    if (output) output.textContent = shown < all ? `${shown} of ${all}` : `${all}`;
  };

  filter.addEventListener("input", apply);
  addEventListener("pageshow", apply); // a browser that comes back keeps what was typed
}
