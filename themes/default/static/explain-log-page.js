// The part of the explanation page for log lines and tables, loaded with explain-log.js.
// @ts-check
(function () {
"use strict";
const explain = /** @type {any} */ (globalThis).dconvExplain;
const MAX_LOG_LINES = 40;
const MAX_TABLE_ROWS = 3; // rows of a table whose values are shown

explain.pages.log = ({code, COUNT, element, engineOf, logText, manualLink, MAX_DRAWN_CHARACTERS, plural, releaseBox, text}) => {

let updateNumber = 0;

/** Explain the input with the chosen release. */
async function update() {
  const thisUpdate = ++updateNumber, version = releaseBox.value, input = logText.value;
  const engine = input.trim() ? await engineOf(version) : null;
  if (thisUpdate !== updateNumber) return;
  const {summary, boxes} = engine ? show(engine, version, input, text.value)
    : {summary: input.trim() && `The data of ${version} could not be loaded.`, boxes: []};
  document.getElementById("-log-status").textContent = summary;
  document.getElementById("-log-lines").replaceChildren(...boxes);
}

/** Whether `line` is a log line or the head of a table. */
function isLog(engine, line) { return Boolean(tableColumns(engine, line) || explain.logs(engine).log(line).format); }

/** The explanation of `input`, also with the formats of a `configuration`: a sentence, and boxes. */
function show(engine, version, input, configuration) {
  const columns = tableColumns(engine, input);
  if (columns) {
    return {
      summary: `${plural(columns.length, "column")}, ${COUNT.format(columns.filter((each) => each.url).length)} of them in the manual of ${version}.`,
      boxes: [tableBox(columns, input, version)],
    };
  }
  const all = input.split("\n").filter((line) => line.trim()), shown = all.slice(0, MAX_LOG_LINES);
  const formats = configuration.trim() ? engine.read(configuration).formats : [];
  const replies = shown.map((line) => explain.logs(engine).log(line, formats));
  const understood = replies.filter((reply) => reply.format).length;
  const summary = `${plural(all.length, "line")}, ${COUNT.format(understood)} understood.`
    + (all.length > shown.length ? ` Only the first ${MAX_LOG_LINES} are explained.` : "")
    + (understood < shown.length && !configuration.trim() ? " If your lines have a log-format of your own, paste your configuration into the other tab." : "");
  return {summary, boxes: replies.map((reply, at) => logBox(reply, shown[at], at + 1, engine, version))};
}

/** The columns of what a program prints as a table, or null. */
function tableColumns(engine, input) {
  const start = input.slice(0, 100000);
  const columns = /,/.test(start.split("\n", 1)[0]) ? explain.logs(engine).table(start) : [];
  return columns.filter((each) => each.url).length > Math.max(2, columns.length / 2) ? columns : null;
}

function tableBox(columns, input, version) {
  const rows = input.split("\n").slice(1).filter((line) => line.trim()).map((line) => line.split(","));
  const shown = rows.slice(0, MAX_TABLE_ROWS);
  const body = element("tbody", {});
  columns.forEach((column, at) => {
    if (column.name === "-") return;
    const row = element("tr", {}, element("th", {scope: "row"}, manualLink(code(column.name), column.url, version)), element("td", {}, column.summary));
    for (const cells of shown) row.append(element("td", {class: "value"}, cells[at] || ""));
    body.append(row);
  });
  const head = element("tr", {}, element("th", {scope: "col"}, "Column"), element("th", {scope: "col"}, "Meaning"),
    ...shown.map((cells) => element("th", {scope: "col"}, cells.slice(0, 2).join(" "))));
  const box = element("div", {class: "table", role: "group", "aria-label": "Columns", tabindex: "0"}, element("table", {}, element("thead", {}, head), body));
  return rows.length > shown.length ? element("div", {}, element("p", {}, `The first ${shown.length} of ${COUNT.format(rows.length)} rows.`), box) : box;
}

/** What a field means: its words, and the expression that gives the same. */
function meaning(summary) {
  const parts = summary.split(" · "), words = [], expressions = [];
  parts.forEach((part, at) => {
    if (/^%\[/.test(part)) expressions.push(part);
    else if (!at || at < parts.length - 1) words.push(part);
  });
  return words.length ? [words.join(" · ")] : expressions.map((each) => code(each));
}

function logBox(reply, line, number, engine, version) {
  const box = element("section", {class: "log-line", "aria-labelledby": `-log-line-${number}`});
  const row = engine.byName.get(reply.format)?.[0];
  const heading = element("h2", {id: `-log-line-${number}`}, `Line ${number} `);
  box.append(heading, element("p", {class: "raw", translate: "no"}, line.slice(0, MAX_DRAWN_CHARACTERS)));
  if (!reply.format) {
    box.append(element("p", {}, "No format of this release fits this line, nor does one of the configuration in the other tab."));
    return box;
  }
  heading.append(element("small", {}, manualLink(reply.format, row ? row.url : "", version), reply.cut ? ", cut short" : ""));
  if (reply.state.length) box.append(stateBox(reply, version));
  if (reply.timers.length) box.append(...timerBox(reply.timers, engine.release.timerFields, version));
  const body = element("tbody", {});
  for (const {name, text: value, url, summary} of reply.fields) {
    body.append(element("tr", {}, element("th", {scope: "row"}, manualLink(code(name), url, version)), element("td", {class: "value"}, value), element("td", {}, ...meaning(summary))));
  }
  box.append(element("div", {class: "table", role: "group", "aria-label": `Fields of line ${number}`, tabindex: "0"},
    element("table", {}, element("thead", {}, element("tr", {}, ...["Field", "Value", "Meaning"].map((shown) => element("th", {scope: "col"}, shown)))), body)));
  return box;
}

/** The meaning of a state: as a whole, then letter by letter. */
function stateBox({state, pair, cookie}, version) {
  const box = element("div", {class: "state"});
  for (const letters of [pair, cookie]) {
    if (!letters || !letters.text) continue;
    const about = element("p", {}, manualLink(code(letters.letters), letters.url, version), " ", letters.text);
    letters.references.forEach(({name, url}, at) => about.append(at ? ", " : " See ", manualLink(code(name), url, version)));
    box.append(about);
  }
  const list = element("ol", {class: "letters-of-state"});
  for (const {letter, text: words, url} of state) list.append(element("li", {}, manualLink(code(letter), url, version), " ", words || "The manual does not say."));
  box.append(list);
  return box;
}

/** What happened when: a bar of all times, and the same in words.  The last in order is the whole, where it is as long. */
function timerBox(timers, order, version) {
  const sorted = timers.slice().sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const length = ({milliseconds}) => Math.max(0, milliseconds || 0);
  const last = sorted[sorted.length - 1], before = sorted.slice(0, -1);
  const sum = before.reduce((all, each) => all + length(each), 0);
  const isWhole = before.length > 0 && length(last) >= sum;
  const parts = isWhole ? before : sorted;
  const bar = element("div", {class: "times", "aria-hidden": "true"}), list = element("ul", {class: "times-in-words"});
  const add = (className, milliseconds, ...shown) => {
    if (milliseconds > 0) {
      const piece = element("span", {class: className});
      piece.style.flexGrow = String(milliseconds);
      bar.append(piece);
    }
    list.append(element("li", {}, element("span", {class: `swatch ${className}`, "aria-hidden": "true"}), ...shown));
  };
  parts.forEach((each, at) => add(`time-${at % 6}`, length(each), manualLink(code(each.name), each.url, version), ` ${each.milliseconds < 0 ? "did not happen" : `${COUNT.format(each.milliseconds)} ms`} `, element("small", {}, ...meaning(each.summary))));
  if (isWhole && length(last) > sum) add("rest", length(last) - sum, `the rest ${COUNT.format(length(last) - sum)} ms`);
  if (isWhole) list.append(element("li", {class: "whole"}, manualLink(code(last.name), last.url, version), ` ${COUNT.format(last.milliseconds)} ms in all `, element("small", {}, ...meaning(last.summary))));
  return [bar, list];
}

return {isLog, update};
};
})();
