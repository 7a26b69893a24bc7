// The filter of a matrix: words of names, and columns that must all be "yes".
// Only pages with a matrix load it; dconv/writers/html/tables.py writes its markup.
// @ts-check
"use strict";

/** Treat blanks, hyphens and underscores as equal. */
const normalize = (/** @type {string} */ text) => text.toLowerCase().replace(/[-_\s]+/g, " ");

for (const filter of document.querySelectorAll(".filter")) {
  const [field, ...boxes] = filter.querySelectorAll("input");
  const output = /** @type {HTMLElement} */ (filter.querySelector("output"));
  /** @type {any} */
  const matrix = filter.nextElementSibling;
  const rows = [...matrix.querySelectorAll("tbody tr")];

  const apply = () => {
    const words = field.value.split(/\s+/).map(normalize);
    const columns = boxes.filter((box) => box.checked);
    let shown = 0;
    for (const row of rows) {
      const name = normalize(row.children[0].textContent);
      row.hidden = !words.every((word) => name.includes(word))
        || !columns.every((box) => row.children[box.value]?.matches(".yes"));
      if (!row.hidden) shown++;
    }
    output.textContent = shown < rows.length ? `${shown} of ${rows.length}` : `${shown}`;
  };

  filter.addEventListener("input", apply);
  addEventListener("pageshow", apply); // a browser that comes back keeps what was typed
}
