// The page that explains configurations, upgrades, log lines and tables: explain-engine.js and
// explain-log.js read them, with the facts and steps of releases, which are loaded when they are asked for.
// What is pasted stays in this page: it is sent nowhere, and stored nowhere.  docs/explain.md says more.
// @ts-check
(function () {
"use strict";
const host = /** @type {any} */ (window);
const explain = host.dconvExplain, reader = host.dconvReader || {};
const form = byId("ask");
if (!form || !explain) return;
const {product, title} = form.dataset;
const releaseBox = byId("release"), fromBox = byId("from");
const text = byId("text"), logText = byId("log-text"), lines = byId("lines"), findingsBox = byId("findings");
const hints = byId("hints");
const READ_DELAY = 150; // milliseconds without a key until the text is read
const DRAW_TIME = 12; // milliseconds that are drawn at once, so that the page answers
const CHUNK = 100; // lines drawn together
const MAX_DRAWN_LINES = 20000;
const MAX_DRAWN_CHARACTERS = 2000; // of a line
const MAX_FILE = 4e6; // bytes of a file that are read
const MAX_ROWS = 1000; // of a group of findings
const MAX_PLACES = 8; // lines of the same finding that are listed
const MAX_LOG_LINES = 40;
const MAX_TABLE_ROWS = 3; // rows of a table whose values are shown
const HANDOVER_PREFIX = "dconv-explain\n"; // begins what the search has handed over
const FILE_LINE = /^#### (.+) ####$/; // is above each of several files
const COUNT = new Intl.NumberFormat("en");
const GROUPS = [
  {title: "Will not start", name: "wrong"},
  {title: "In a section where it is ignored or refused", name: "misplaced"},
  {title: "Deprecated and experimental", name: "old"},
  {title: "Changed", name: "differs"},
  {title: "May be misspelt", name: "doubt"},
];

/** @returns {any} */
function byId(name) {
  return document.getElementById(`-${name}`);
}

/** A new element with attributes and children: elements and texts. @returns {any} */
function element(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  node.append(...children);
  return node;
}

const plural = (number, word) => `${COUNT.format(number)} ${word}${number === 1 ? "" : "s"}`;
const code = (shown) => element("code", {translate: "no"}, shown);

/* --- data --------------------------------------------------------------------------------- */

const loading = new Map(), engines = new Map();

/** Load a script of data once; resolves to whether it came. */
function load(address) {
  let promise = loading.get(address);
  if (!promise) {
    promise = new Promise((resolve) => {
      const script = element("script", {src: address});
      script.onload = () => resolve(true);
      script.onerror = () => { loading.delete(address); resolve(false); };
      document.head.append(script);
    });
    loading.set(address, promise);
  }
  return promise;
}

/** The engine of a release, or null. */
async function engineOf(version) {
  if (engines.has(version)) return engines.get(version);
  if (!await load(`${encodeURIComponent(version)}/facts.js`)) return null;
  if (!engines.has(version)) engines.set(version, explain.engine(explain.data[`${product}/${version}`].facts));
  return engines.get(version);
}

/** The steps after the release `older` up to `newer`, in their order; none where a step is missing. */
async function stepsBetween(older, newer) {
  const versions = [];
  let at = newer;
  while (at && at !== older) {
    versions.unshift(at);
    at = [...releaseBox.options].find((option) => option.value === at)?.dataset.older;
  }
  if (!at) return [];
  const loads = await Promise.all(versions.map((version) => load(`${encodeURIComponent(version)}/steps.js`)));
  return loads.every(Boolean) ? versions.map((version) => explain.data[`${product}/${version}`].steps) : [];
}

/* --- links and sentences -------------------------------------------------------------------- */

/** A link into the manual of `version`, in a new tab, or the text alone where there is no address. */
function manualLink(shown, url, version, className) {
  if (!url) return element("span", className ? {class: className} : {}, shown);
  const link = element("a", {href: `${encodeURIComponent(version)}/${url}`, target: "_blank", rel: "noopener"}, shown);
  if (className) link.className = className;
  return link;
}

function groupOf({kind, doubtful}) {
  if (kind === "deprecated" || kind === "experimental") return GROUPS[2];
  if (kind === "changed") return GROUPS[3];
  if (kind === "undeclared" || kind === "unknown" && doubtful) return GROUPS[4];
  return GROUPS[kind === "wrong-section" && doubtful ? 1 : 0];
}

/** The sentence of a manual, unless it says no more than that something is deprecated. */
const advice = (sentence) => /^deprecated\.?$/i.test(sentence || "") ? "" : sentence || "";

/** What a finding says, without its word and its suggestions. */
function sentence(finding, version, from) {
  const explained = advice(finding.sentence);
  switch (finding.kind) {
    case "unknown": return finding.doubtful ? `The manual of ${version} does not list it here.` : `The manual of ${version} does not name it.`;
    case "removed": return `${from ? `Not in ${version}.` : "Removed."} ${explained}`.trim();
    case "renamed": return `Renamed.${explained ? ` ${explained}` : ""}`;
    case "deprecated": return explained || `The manual of ${version} says that it is deprecated.`;
    case "experimental": return explained || `The manual of ${version} says that it is experimental.`;
    default: return explained;
  }
}

function introductionOf({kind}) {
  return kind === "renamed" ? "Now" : kind === "removed" || kind === "deprecated" ? "Instead" : "Did you mean";
}

/** What changed of a default and of the arguments, these below each other. */
function changeParts({sentence, before, after}) {
  const parts = [sentence];
  if (before.length) parts.push(element("span", {class: "forms"}, element("span", {}, "was ", code(before.join(" / "))), " ", element("span", {}, "is ", code(after.join(" / ")))));
  return parts;
}

/** The elements of a finding after its line: word, sentence, suggestions. */
function findingParts(finding, {engine, version, from}) {
  const word = manualLink(code(finding.word), finding.suggestion && finding.kind === "unknown" ? "" : finding.url, version);
  if (finding.kind === "changed") return [word, " ", ...changeParts(finding)];
  const parts = [word, " ", sentence(finding, version, from)];
  const names = finding.suggestions.length ? finding.suggestions : finding.suggestion ? [finding.suggestion] : [];
  if (names.length) {
    parts.push(` ${introductionOf(finding)} `);
    names.forEach((name, at) => {
      const row = engine.byName.get(name)?.[0];
      parts.push(at ? (at === names.length - 1 ? " or " : ", ") : "", manualLink(code(name), row ? row.url : "", version));
    });
    parts.push(introductionOf(finding) === "Did you mean" ? "?" : ".");
  }
  if (finding.conditional) parts.push(" It is in a condition.");
  return parts;
}

/* --- a configuration ---------------------------------------------------------------------------- */

let updateNumber = 0, timer = 0, job = /** @type {any} */ (null), current = -1;

function say(shown) {
  const status = byId("status");
  if (status.textContent !== shown) status.textContent = shown;
}

/** Read the input with the chosen releases, and show the findings. */
async function update() {
  const thisUpdate = ++updateNumber, version = releaseBox.value, from = fromBox && fromBox.value !== version ? fromBox.value : "";
  const input = text.value;
  if (!input.trim() && !from) return showNothing();
  const [engine, older] = await Promise.all([engineOf(version), from ? engineOf(from) : null]);
  const steps = engine && older ? await stepsBetween(from, version) : [];
  if (thisUpdate !== updateNumber) return;
  if (!engine || from && !older) {
    showNothing();
    say(`The facts of ${engine ? from : version} could not be loaded.`);
    return;
  }
  const context = {engine, version, from};
  if (!input.trim()) return showComparison(explain.compare(older, engine, steps), context);
  const result = older ? explain.upgrade(input, older, engine, steps) : engine.read(input);
  showReading(input, result, context);
}

function showNothing() {
  job = null;
  say("");
  findingsBox.replaceChildren();
  lines.replaceChildren();
  hints.hidden = false;
  byId("report").hidden = true;
}

/** The file and the line in it of each line, where there are several files. */
function placesOf(input) {
  if (!input.startsWith("#### ")) return (line) => `line ${line}`;
  const files = [];
  let number = 1;
  for (let at = 0; at >= 0; at = input.indexOf("\n", at) + 1 || -1) {
    const end = input.indexOf("\n", at);
    const name = input.startsWith("#### ", at) && FILE_LINE.exec(input.slice(at, end < 0 ? undefined : end));
    if (name) files.push([number, name[1]]);
    number++;
  }
  return (line) => {
    const file = files.filter(([first]) => first < line).pop();
    return file ? `${file[1]}:${line - file[0]}` : `line ${line}`;
  };
}

function showReading(input, result, context) {
  const {version, from} = context;
  const count = input.split("\n").length - (input.endsWith("\n") ? 1 : 0);
  const findings = result.findings;
  const place = placesOf(input);
  hints.hidden = true;
  current = -1;
  const groups = GROUPS.map((group) => ({...group, rows: findings.filter((each) => groupOf(each) === group)})).filter((group) => group.rows.length);
  const about = from ? `From ${from} to ${version}: ` : "";
  const counts = groups.map((group) => `${COUNT.format(group.rows.length)} ${group.title.toLowerCase()}`).join(", ");
  const found = findings.length ? `${plural(findings.length, "finding")}: ${counts}` : from ? "nothing that this configuration has is affected" : "no findings";
  const notes = [...result.notes];
  if (count > MAX_DRAWN_LINES) notes.push(`Only the first ${COUNT.format(MAX_DRAWN_LINES)} lines are shown.`);
  const summary = `${about}${found}. ${plural(count, "line")}.`;
  say([summary.charAt(0).toUpperCase() + summary.slice(1), ...notes].join(" "));
  const boxes = groups.map((group) => findingGroup(group, context, place));
  if (result.absent?.length) boxes.push(absentDefaults(result.absent, context));
  if (result.unaffected?.length) boxes.push(unaffectedChanges(result.unaffected, context));
  findingsBox.replaceChildren(...boxes);
  if (findings.length) findingsBox.append(element("p", {class: "keys"}, element("kbd", {}, "F8"), " next finding, ", element("kbd", {}, "Shift F8"), " the one before"));
  byId("report").hidden = false;
  job = {input, result, context, place, count, at: 0, line: 1, token: 0, chunk: 0, byLine: linesOf(findings), tokens: result.tokens.slice().sort((a, b) => a.at - b.at)};
  draw(job);
}

function linesOf(findings) {
  const byLine = new Map();
  for (const finding of findings) {
    const sameLine = byLine.get(finding.line);
    if (sameLine) sameLine.push(finding); else byLine.set(finding.line, [finding]);
  }
  return byLine;
}

function findingGroup(group, context, place) {
  const list = element("ul", {});
  /** @type {Map<string, any[]>} */
  const same = new Map(); // what is found on several lines is listed once
  for (const finding of group.rows) {
    const key = [finding.kind, finding.word, finding.sentence, finding.suggestion, finding.conditional].join("\n");
    const sameFinding = same.get(key);
    if (sameFinding) sameFinding.push(finding); else same.set(key, [finding]);
  }
  for (const findings of [...same.values()].slice(0, MAX_ROWS)) {
    const row = element("li", {});
    findings.slice(0, MAX_PLACES).forEach((finding, at) => {
      const jump = element("a", {href: `#-line-${finding.line}`, class: "place"}, at ? place(finding.line).replace(/^line /, "") : place(finding.line));
      jump.addEventListener("click", (event) => { event.preventDefault(); goTo(finding); });
      row.append(at ? ", " : "", jump);
    });
    if (findings.length > MAX_PLACES) row.append(`, and ${COUNT.format(findings.length - MAX_PLACES)} more`);
    row.append(" ", ...findingParts(findings[0], context));
    list.append(row);
  }
  const rest = same.size - MAX_ROWS;
  if (rest > 0) list.append(element("li", {}, `And ${COUNT.format(rest)} more, beside their lines.`));
  return element("section", {class: `group ${group.name}`, "aria-labelledby": `-group-${group.name}`},
    element("h2", {id: `-group-${group.name}`}, group.title, " ", element("small", {}, COUNT.format(group.rows.length))), list);
}

/** Defaults that changed, of what the configuration does not have: folded. */
function absentDefaults(absent, {version, from}) {
  const list = element("ul", {});
  for (const {name, kind, old, now, url} of absent) {
    list.append(element("li", {}, manualLink(code(name), url, version), " ", element("span", {class: "where"}, kind), ` The default was ${old} in ${from} and is ${now}.`));
  }
  return element("details", {class: "group absent"}, element("summary", {}, `${plural(absent.length, "changed default")} of what this configuration leaves to it`), list);
}

/** Signatures that changed, but not in what the configuration has of them: folded. */
function unaffectedChanges(changes, {version}) {
  const list = element("ul", {});
  for (const each of changes) list.append(element("li", {}, manualLink(code(each.row.name), each.row.url, version), kindOf(each.row), ...changeParts(each)));
  return element("details", {class: "group absent"}, element("summary", {}, `${plural(changes.length, "changed signature")} that your lines fit as they are`), list);
}

/* --- its lines --------------------------------------------------------------------------------- */

const tokenOf = new WeakMap();

/** Draw lines for a while, then let the page answer; `until` draws up to a line at once. */
function draw(drawing, until = 0) {
  const end = performance.now() + DRAW_TIME;
  const last = Math.min(drawing.count, MAX_DRAWN_LINES);
  while (drawing.line <= last && (drawing.line <= until || performance.now() < end)) {
    const list = element("ol", {start: drawing.line});
    list.style.setProperty("--digits", String(String(last).length));
    for (let n = 0; n < CHUNK && drawing.line <= last; n++) list.append(drawLine(drawing));
    const old = lines.children[drawing.chunk++];
    if (old) old.replaceWith(list); else lines.append(list);
  }
  if (drawing.line > last) while (lines.children.length > drawing.chunk) lines.lastElementChild.remove();
  else if (!until) setTimeout(() => job === drawing && draw(drawing));
}

function drawLine(drawing) {
  const {input, tokens, byLine, context} = drawing;
  const start = drawing.at, newline = input.indexOf("\n", start), end = newline < 0 ? input.length : newline;
  const stop = Math.min(end, start + MAX_DRAWN_CHARACTERS);
  const line = element("li", {id: `-line-${drawing.line}`});
  const findings = byLine.get(drawing.line) || [];
  const flags = new Map(findings.map((finding) => [start + finding.column - 1, groupOf(finding).name]));
  let at = start;
  const plain = (until) => {
    if (until <= at) return;
    const gap = input.slice(at, until), comment = gap.search(/^\s*#/) < 0 ? -1 : gap.indexOf("#");
    if (comment < 0) line.append(gap);
    else line.append(gap.slice(0, comment), element("span", {class: "com"}, gap.slice(comment)));
    at = until;
  };
  for (; drawing.token < tokens.length && tokens[drawing.token].at < end; drawing.token++) {
    const token = tokens[drawing.token];
    if (token.at < at || token.at >= stop) continue;
    const flag = flags.get(token.at), url = token.url;
    if (!url && !flag && !token.secret && token.role !== "operator") continue;
    plain(token.at);
    const shown = input.slice(token.at, Math.min(token.end, stop));
    const look = `${token.role}${flag ? ` flag ${flag}` : ""}`;
    const part = token.secret ? element("span", {class: `secret ${look}`}, element("span", {}, shown)) : manualLink(shown, url, context.version, look);
    if (url) tokenOf.set(part, token);
    line.append(part);
    at = Math.min(token.end, stop);
  }
  plain(stop);
  if (stop < end) line.append(element("span", {class: "more"}, `… ${plural(end - stop, "more character")}`));
  if (stop === start) line.append("\n");
  for (const finding of findings) line.append(element("p", {class: `explanation ${groupOf(finding).name}`}, ...findingParts(finding, context)));
  drawing.at = end + 1;
  drawing.line++;
  return line;
}

/** Show the line of a finding, here and in the text. */
function goTo(finding) {
  const {line} = finding;
  current = job.result.findings.indexOf(finding);
  draw(job, line);
  scrollText(line);
  const row = byId(`line-${line}`);
  if (!row) return text.focus();
  for (const old of lines.querySelectorAll("li[tabindex]")) old.removeAttribute("tabindex");
  row.tabIndex = -1;
  row.focus({preventScroll: true});
  row.scrollIntoView({block: "center"});
}

/** Let the text show `line`, and choose it. */
function scrollText(line) {
  let start = 0;
  for (let n = 1; n < line; n++) start = job.input.indexOf("\n", start) + 1;
  const end = job.input.indexOf("\n", start);
  text.setSelectionRange(start, end < 0 ? job.input.length : end);
  const height = parseFloat(getComputedStyle(text).lineHeight) || 20;
  text.scrollTop = Math.max(0, (line - 4) * height);
}

function step(by) {
  const findings = job ? job.result.findings : [];
  if (!findings.length) return;
  const next = current < 0 && by < 0 ? findings.length - 1 : (current + by + findings.length) % findings.length;
  goTo(findings[next]);
}

/** The findings as text. */
function report() {
  const {context, result, count, place} = job, {version, from} = context;
  const out = [`${title} ${from ? `${from} → ` : ""}${version}: ${plural(result.findings.length, "finding")} in ${plural(count, "line")}`, ...result.notes];
  for (const group of GROUPS) {
    const groupFindings = result.findings.filter((finding) => groupOf(finding) === group);
    if (groupFindings.length) out.push("", group.title);
    for (const finding of groupFindings) out.push(`  ${place(finding.line)}: ${findingParts(finding, context).map((part) => part.textContent ?? part).join("")}`);
  }
  if (result.absent?.length) out.push("", "Changed defaults of what is not there");
  for (const {name, old, now} of result.absent || []) out.push(`  ${name}: was ${old}, is ${now}`);
  return `${out.join("\n")}\n`;
}

/* --- two releases, without a configuration ---------------------------------------------------------- */

function showComparison(changes, {version, from}) {
  job = null;
  lines.replaceChildren();
  hints.hidden = true;
  byId("report").hidden = true;
  const groups = [
    ["Removed", "wrong", changes.removed, ({row, sentence}) => [manualLink(code(row.name), row.url, from), kindOf(row), advice(sentence)]],
    ["Renamed or moved", "wrong", changes.renamed, ({row, to, kind, url}) => [manualLink(code(row.name), row.url, from), kindOf(row), ...(kind ? [`In ${version} only as ${kind}: `] : ["Now "]), ...to.flatMap((name, at) => [at ? ", " : "", manualLink(code(name), at ? "" : url, version)]), "."]],
    ["Deprecated", "old", changes.deprecated, ({row, sentence}) => [manualLink(code(row.name), row.url, version), kindOf(row), sentence]],
    ["Changed", "differs", changes.changed, (each) => [manualLink(code(each.row.name), each.row.url, version), kindOf(each.row), ...changeParts(each)]],
    ["Added", "", changes.added, ({row}) => [manualLink(code(row.name), row.url, version), kindOf(row), row.summary]],
  ].filter(([, , rows]) => rows.length);
  const counts = groups.map(([title, , rows]) => `${COUNT.format(rows.length)} ${title.toLowerCase()}`).join(", ");
  say(`From ${from} to ${version}: ${counts || "nothing changed"}. Paste a configuration to see what of it matters to you.`);
  findingsBox.replaceChildren(...groups.map(([title, look, rows, parts]) => {
    const list = element("ul", {});
    for (const row of rows.slice(0, MAX_ROWS)) list.append(element("li", {}, ...parts(row)));
    const group = element("details", {class: `group ${look}`}, element("summary", {}, element("h2", {}, title, " ", element("small", {}, COUNT.format(rows.length)))), list);
    group.open = title !== "Added" && rows.length < 60;
    return group;
  }));
}

function kindOf(row) {
  return element("span", {class: "where"}, ` ${row.kind} `);
}

/* --- log lines and tables --------------------------------------------------------------------------- */

let logUpdateNumber = 0;

async function updateLog() {
  const thisUpdate = ++logUpdateNumber, version = releaseBox.value, input = logText.value;
  const out = byId("log-lines"), status = byId("log-status");
  if (!input.trim()) {
    out.replaceChildren();
    status.textContent = "";
    return;
  }
  const engine = await engineOf(version);
  if (thisUpdate !== logUpdateNumber) return;
  if (!engine) return status.textContent = `The facts of ${version} could not be loaded.`;
  const columns = isTable(engine, input);
  if (columns) {
    status.textContent = `${plural(columns.length, "column")}, ${COUNT.format(columns.filter((each) => each.url).length)} of them in the manual of ${version}.`;
    return out.replaceChildren(tableBox(columns, input, version));
  }
  const all = input.split("\n").filter((line) => line.trim()), shown = all.slice(0, MAX_LOG_LINES);
  const formats = text.value.trim() ? engine.read(text.value).formats : [];
  const replies = shown.map((line) => engine.log(line, formats));
  const known = replies.filter((reply) => reply.format).length;
  status.textContent = `${plural(all.length, "line")}, ${COUNT.format(known)} understood.`
    + (all.length > shown.length ? ` Only the first ${MAX_LOG_LINES} are explained.` : "")
    + (known < shown.length && !text.value.trim() ? " If your lines have a log-format of your own, paste your configuration into the other tab." : "");
  out.replaceChildren(...replies.map((reply, at) => logBox(reply, shown[at], at + 1, engine, version)));
}

/** The columns of what a program prints as a table, or null. */
function isTable(engine, input) {
  const start = input.slice(0, 100000);
  const columns = /,/.test(start.split("\n", 1)[0]) ? engine.table(start) : [];
  return columns.filter((each) => each.url).length > Math.max(2, columns.length / 2) ? columns : null;
}

/** Whether a text is log lines or a table rather than a configuration. */
function isLog(engine, input) {
  const line = input.slice(0, 200000).split("\n").find((each) => each.trim()) || "";
  if (engine.known(line.trim().split(/\s/)[0]) || line.trim()[0] === "#" && !line.includes(",")) return false;
  return Boolean(isTable(engine, line) || engine.log(line).format);
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
  if (reply.timers.length) box.append(...timerBox(reply.timers, engine.facts.timers, version));
  const body = element("tbody", {});
  for (const {name, text: value, url, summary} of reply.fields) {
    body.append(element("tr", {}, element("th", {scope: "row"}, manualLink(code(name), url, version)), element("td", {class: "value"}, value), element("td", {}, ...meaning(summary))));
  }
  box.append(element("div", {class: "table", role: "group", "aria-label": `Fields of line ${number}`, tabindex: "0"},
    element("table", {}, element("thead", {}, element("tr", {}, ...["Field", "Value", "Meaning"].map((shown) => element("th", {scope: "col"}, shown)))), body)));
  return box;
}

/** The letters of a state in words: together, then one by one. */
function stateBox({state, pair, cookie}, version) {
  const box = element("div", {class: "state"});
  for (const together of [pair, cookie]) {
    if (!together || !together.text) continue;
    const about = element("p", {}, manualLink(code(together.letters), together.url, version), " ", together.text);
    together.references.forEach(({name, url}, at) => about.append(at ? ", " : " See ", manualLink(code(name), url, version)));
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

/* --- summaries of words -------------------------------------------------------------------------------- */

const tip = element("div", {class: "tip", role: "tooltip", id: "-tip"});
tip.hidden = true;
document.body.append(tip);
let tipLink = /** @type {any} */ (null), tipTimer = 0;

function showTip(link) {
  clearTimeout(tipTimer);
  const token = tokenOf.get(link);
  if (!token || link === tipLink) return;
  hideTip();
  const row = token.row, parts = [element("p", {class: "name"}, code(row ? row.name : token.name), " ", element("span", {class: "where"}, token.kind))];
  if (row && row.summary) parts.push(element("p", {}, row.summary));
  if (row && row.defaultValue) parts.push(element("p", {class: "default"}, `Default: ${row.defaultValue}`));
  if (row && row.advice && row.advice !== row.summary) parts.push(element("p", {class: "advice"}, row.advice));
  tip.replaceChildren(...parts);
  tip.hidden = false;
  tipLink = link;
  link.setAttribute("aria-describedby", "-tip");
  const box = link.getClientRects()[0], tipSize = tip.getBoundingClientRect();
  const below = box.bottom + tipSize.height + 8 < innerHeight;
  tip.style.left = `${Math.max(8, Math.min(box.left, document.documentElement.clientWidth - tipSize.width - 8)) + scrollX}px`;
  tip.style.top = `${(below ? box.bottom + 4 : box.top - tipSize.height - 4) + scrollY}px`;
}

function hideTip() {
  clearTimeout(tipTimer);
  if (tipLink) tipLink.removeAttribute("aria-describedby");
  tipLink = null;
  tip.hidden = true;
}

const linkAt = (event) => event.target instanceof Element ? event.target.closest("a") : null;
lines.addEventListener("pointerover", (event) => {
  const link = linkAt(event);
  clearTimeout(tipTimer);
  if (link && event.pointerType === "mouse") tipTimer = setTimeout(() => showTip(link), 80);
  else if (tipLink && event.pointerType === "mouse") tipTimer = setTimeout(hideTip, 200);
});
lines.addEventListener("pointerleave", () => tipTimer = setTimeout(hideTip, 200));
tip.addEventListener("pointerenter", () => clearTimeout(tipTimer));
tip.addEventListener("pointerleave", hideTip);
lines.addEventListener("focusin", (event) => { const link = linkAt(event); if (link) showTip(link); });
lines.addEventListener("focusout", hideTip);
// a finger shows the summary first, and follows the link with the second touch
let touched = null;
lines.addEventListener("pointerdown", (event) => touched = event.pointerType === "touch" && linkAt(event) !== tipLink ? linkAt(event) : null);
lines.addEventListener("click", (event) => {
  const link = linkAt(event);
  if (!link || link !== touched || !tokenOf.get(link)) return;
  event.preventDefault();
  touched = null;
  showTip(link);
});

/* --- what the reader does --------------------------------------------------------------------------------- */

const tabs = {configuration: byId("tab-configuration"), log: byId("tab-log")};

function showTab(name, focus) {
  for (const key in tabs) {
    const chosen = key === name;
    tabs[key].setAttribute("aria-selected", String(chosen));
    tabs[key].tabIndex = chosen ? 0 : -1;
    byId(key).hidden = !chosen;
  }
  hideTip();
  if (focus) tabs[name].focus();
  if (name === "log") updateLog();
}

for (const name in tabs) {
  tabs[name].addEventListener("click", () => showTab(name, false));
  tabs[name].addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    showTab(name === "log" ? "configuration" : "log", true);
  });
}

/** Put `input` where it belongs: a log line or a table there, all else here. */
async function takeInput(input) {
  const engine = await engineOf(releaseBox.value);
  const name = engine && isLog(engine, input) ? "log" : "configuration";
  (name === "log" ? logText : text).value = input;
  if (name === "log") text.value = text.value === input ? "" : text.value;
  else logText.value = logText.value === input ? "" : logText.value;
  showTab(name, false);
  (name === "log" ? logText : text).focus();
  if (name === "configuration") update();
}

let reading = 0; // milliseconds that the last reading took: a long one waits longer
function afterDelay(callback) {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const start = performance.now();
    await callback();
    reading = performance.now() - start;
  }, Math.max(READ_DELAY, 2 * reading));
}

for (const [box, callback] of [[text, update], [logText, updateLog]]) {
  box.addEventListener("input", () => afterDelay(callback));
  box.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text/plain");
    if (box.value.trim() || !pasted) return;
    event.preventDefault();
    clearTimeout(timer);
    takeInput(pasted);
  });
}

async function open(files) {
  const all = await Promise.all([...files].map(async (file) => [file.name, await file.slice(0, MAX_FILE).text()]));
  if (all.length === 1) takeInput(all[0][1]);
  else if (all.length) takeInput(all.map(([name, content]) => `#### ${name.replace(/[\r\n]/g, " ")} ####\n${content}${content.endsWith("\n") ? "" : "\n"}`).join(""));
}

byId("files").addEventListener("change", (event) => { open(event.target.files); event.target.value = ""; });
for (const type of ["dragover", "drop"]) {
  document.addEventListener(type, (/** @type {any} */ event) => {
    if (!event.dataTransfer || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    form.classList.toggle("over", type === "dragover");
    if (type === "drop") open(event.dataTransfer.files);
  });
}
document.addEventListener("dragleave", () => form.classList.remove("over"));

function clear(box, callback) {
  box.value = "";
  callback();
  box.focus();
}
byId("clear").addEventListener("click", () => clear(text, update));
byId("clear-log").addEventListener("click", () => clear(logText, updateLog));
byId("copy").addEventListener("click", () => job && reader.callTool("copy", report()));
form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hideTip();
  if (event.key !== "F8" || byId("configuration").hidden) return;
  event.preventDefault();
  step(event.shiftKey ? -1 : 1);
});

for (const box of [releaseBox, fromBox]) {
  if (box) box.addEventListener("change", () => {
    const address = new URL(location.href);
    address.searchParams.set("release", releaseBox.value);
    address.searchParams.delete("from");
    if (fromBox && fromBox.value) address.searchParams.set("from", fromBox.value);
    history.replaceState(null, "", address);
    update();
    updateLog();
  });
}

/* --- how it begins ---------------------------------------------------------------------------------------- */

const asked = new URLSearchParams(location.search);
function choose(box, value) {
  if (box && value && [...box.options].some((option) => option.value === value)) box.value = value;
}
choose(releaseBox, asked.get("release"));
choose(fromBox, asked.get("from"));
showTab(location.hash === "#-log" ? "log" : "configuration", false);
addEventListener("hashchange", () => { if (location.hash === "#-log") showTab("log", false); });
if (host.name.startsWith(HANDOVER_PREFIX)) {
  const handedOver = host.name.slice(HANDOVER_PREFIX.length);
  host.name = "";
  takeInput(handedOver);
} else {
  update();
  engineOf(releaseBox.value);
}
})();
