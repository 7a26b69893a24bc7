// @ts-check
"use strict";
/* The filter above the names of all packages: words, a kind, a package. */
(function () {
const filter = /** @type {any} */ (document.querySelector(".filter"));
const words = filter.querySelector("input"), choices = [...filter.querySelectorAll("select")];
const output = filter.querySelector("output");
const rows = /** @type {any[]} */ ([...document.querySelectorAll(".letter li")]);

/** Whether the place `element` has the kind and the package that are chosen. */
function isChosen(element) {
  const values = element.dataset.of.split("|");
  return choices.every((choice) => !choice.value || values.includes(choice.value));
}

function update() {
  const typedWords = words.value.trim().toLowerCase();
  let count = 0;
  for (const row of rows) {
    const places = row.dataset.of ? [] : [...row.querySelectorAll("[data-of]")];
    for (const place of places) place.hidden = !isChosen(place);
    const hasChosenPlace = row.dataset.of ? isChosen(row) : places.some((place) => !place.hidden);
    row.hidden = !(hasChosenPlace && row.textContent.toLowerCase().includes(typedWords));
    count += row.hidden ? 0 : 1;
  }
  for (const letter of /** @type {any} */ (document.querySelectorAll(".letter"))) {
    letter.hidden = !letter.querySelector("li:not([hidden])");
  }
  output.textContent = count < rows.length ? `${count} of ${rows.length}` : "";
}

filter.addEventListener("input", update);
addEventListener("pageshow", update);
})();
