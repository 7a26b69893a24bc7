// The explanation page for configurations, upgrades, log lines and tables: explain-engine.js reads them
// with the data of releases.  The data, and the scripts for suggestions, tools, upgrades and log lines,
// are loaded on demand.
// Pasted text stays in the page: it is neither sent nor stored.  See docs/explain.md.
// @ts-check
(function () {
"use strict";
const host = /** @type {any} */ (window);
const explain = host.dconvExplain;
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
const MAX_ROWS = 1000; // of a group of findings
const MAX_PLACES = 8; // lines of the same finding that are listed
const HANDOVER_PREFIX = "dconv-explain\n"; // begins what the search has handed over
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

const loading = {}, engines = {};

/** Load a script once; resolves to an event, or to null if it did not come. */
function load(address) {
  return loading[address] ||= new Promise((resolve) => {
    const script = element("script", {src: address});
    script.onload = resolve;
    script.onerror = () => resolve(loading[address] = null);
    document.head.append(script);
  });
}

/** The engine of a release, or null. */
async function engineOf(version) {
  return await load(`${encodeURIComponent(version)}/explain-data.js`) ? engines[version] ||= explain.engine(explain.data[`${product}/${version}`].release) : null;
}

const tokenOf = new WeakMap(); // by what is shown of it
const parts = /** @type {any} */ ({});
const page = {advice, code, COUNT, element, engineOf, findingParts, groupOf, GROUPS, drawing: /** @type {any} */ (null), lines, linkAt, load, logText, manualLink, MAX_DRAWN_CHARACTERS, MAX_ROWS, draw, plural, product, releaseBox, takeInput, text, title, tokenOf};
/** Load the scripts of "suggestions", "tools", an "upgrade" or a "log"; resolves to whether they came. */
async function loadScripts(name) {
  return (await Promise.all(form.dataset[name].split(" ").map(load))).every(Boolean);
}
/** The "tools", or what shows an "upgrade" or a "log", whose scripts are loaded first; or null. */
async function partOf(name) {
  return await loadScripts(name) ? parts[name] ||= explain.pages[name](page) : null;
}
/** Call the function `name` of the tools, which are loaded first. */
async function useTools(name, ...values) {
  (await partOf("tools"))?.[name](...values);
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
function advice(sentence) { return /^deprecated\.?$/i.test(sentence) ? "" : sentence; }

/** The sentence of a finding, without its word and its suggestions. */
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

/** The elements of a finding after its line: word, sentence, suggestions. */
function findingParts(finding, {engine, version, from, upgrade}) {
  const word = manualLink(code(finding.word), finding.suggestion && finding.kind === "unknown" ? "" : finding.url, version);
  if (finding.kind === "changed") return [word, " ", ...upgrade.changeParts(finding)];
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

let updateNumber = 0, timer = 0;

function say(shown) {
  const status = byId("status");
  if (status.textContent !== shown) status.textContent = shown;
}

/** Read the input with the chosen releases, and show the findings. */
async function update() {
  const thisUpdate = ++updateNumber, version = releaseBox.value, from = fromBox && fromBox.value !== version ? fromBox.value : "";
  const input = text.value;
  if (!input.trim() && !from) return showNothing();
  const [engine, tools, upgrade] = await Promise.all([engineOf(version), input.startsWith("#### ") && partOf("tools"), from && partOf("upgrade")]);
  const move = engine && upgrade ? await upgrade.move(from, engine) : null;
  if (thisUpdate !== updateNumber) return;
  if (!engine || from && !move) {
    showNothing();
    return say(`The data of ${engine ? from : version} could not be loaded.`);
  }
  const context = {engine, version, from, upgrade, place: tools ? tools.placesOf(input) : (line) => `line ${line}`};
  if (!input.trim()) {
    showNothing();
    hints.hidden = true;
    const {summary, groups} = move.comparison(context);
    say(summary);
    return findingsBox.replaceChildren(...groups);
  }
  const {read} = move || engine;
  let result = read(input);
  if (result.asksForSuggestions && await loadScripts("suggestions")) {
    if (thisUpdate !== updateNumber) return;
    result = read(input);
  }
  showReading(input, result, context);
}

function showNothing() {
  page.drawing = null;
  say("");
  findingsBox.replaceChildren();
  lines.replaceChildren();
  hints.hidden = false;
  byId("report").hidden = true;
}

function showReading(input, result, context) {
  const {version, from, upgrade} = context;
  const count = input.split("\n").length - (input.endsWith("\n") ? 1 : 0);
  const {findings} = result, all = findings.length, notes = [...result.notes];
  hints.hidden = true;
  const groups = GROUPS.map((group) => ({...group, rows: findings.filter((each) => groupOf(each) === group)})).filter((group) => group.rows.length);
  const counts = groups.map((group) => `${COUNT.format(group.rows.length)} ${group.title.toLowerCase()}`).join(", ");
  if (count > MAX_DRAWN_LINES) notes.push(`Only the first ${COUNT.format(MAX_DRAWN_LINES)} lines are shown.`);
  const summary = `${from ? `From ${from} to ${version}: ` : ""}${all ? `${plural(all, "finding")}: ${counts}` : from ? "nothing that this configuration has is affected" : "No findings"}. ${plural(count, "line")}.`;
  say([summary, ...notes].join(" "));
  findingsBox.replaceChildren(...groups.map((group) => findingGroup(group, context)), ...from ? upgrade.foldedGroups(result, context) : []);
  if (all) findingsBox.append(element("p", {class: "keys"}, element("kbd", {}, "F8"), " next finding, ", element("kbd", {}, "Shift F8"), " the one before"));
  byId("report").hidden = false;
  const tokens = result.tokens.slice().sort((a, b) => a.at - b.at);
  draw(page.drawing = {input, result, context, count, tokens, current: -1, at: 0, line: 1, token: 0, finding: 0, chunk: 0});
}

function findingGroup(group, context) {
  const {place} = context;
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
      jump.addEventListener("click", (event) => { event.preventDefault(); useTools("goTo", finding); });
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

/* --- its lines --------------------------------------------------------------------------------- */

/** Render lines in slices, so that the page stays responsive; up to the line `until` at once. */
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
  else if (!until) setTimeout(() => page.drawing === drawing && draw(drawing));
}

function drawLine(drawing) {
  const {input, tokens, result, context} = drawing, findings = [];
  const start = drawing.at, newline = input.indexOf("\n", start), end = newline < 0 ? input.length : newline;
  const stop = Math.min(end, start + MAX_DRAWN_CHARACTERS);
  const line = element("li", {id: `-line-${drawing.line}`});
  for (let each; (each = result.findings[drawing.finding])?.line === drawing.line; drawing.finding++) findings.push(each);
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
    const className = `${token.role}${flag ? ` flag ${flag}` : ""}`;
    const part = token.secret ? element("span", {class: `secret ${className}`}, element("span", {}, shown)) : manualLink(shown, url, context.version, className);
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

/* --- log lines and tables --------------------------------------------------------------------------- */

async function updateLog() {
  if (!parts.log && !logText.value.trim()) return;
  const log = await partOf("log");
  if (log) log.update();
  else byId("log-status").textContent = "The scripts could not be loaded.";
}

/* --- summaries of words ------------------------------------------------------------------------------- */

function linkAt(event) { return event.target.closest("a"); }
// the first of these events loads the tools, which handle all later ones
for (const type of ["pointerover", "focusin"]) {
  lines.addEventListener(type, (event) => { if (!parts.tools && linkAt(event)) useTools("showFirstTip", event); });
}
// touch: the first tap shows the summary, the second follows the link
let touched = null;
lines.addEventListener("pointerdown", (event) => {
  const link = linkAt(event);
  touched = event.pointerType === "touch" && tokenOf.has(link) && !link.hasAttribute("aria-describedby") ? link : null;
});
lines.addEventListener("click", (event) => {
  if (!touched || linkAt(event) !== touched) return;
  event.preventDefault();
  useTools("showTip", touched);
});

/* --- what the reader does --------------------------------------------------------------------------------- */

const tabs = {configuration: byId("tab-configuration"), log: byId("tab-log")};

function showTab(name) {
  for (const key in tabs) {
    const chosen = key === name;
    tabs[key].setAttribute("aria-selected", String(chosen));
    tabs[key].tabIndex = chosen ? 0 : -1;
    byId(key).hidden = !chosen;
  }
  parts.tools?.hideTip();
  if (name === "log") updateLog();
}

for (const name in tabs) {
  const other = name === "log" ? "configuration" : "log";
  tabs[name].addEventListener("click", () => showTab(name));
  tabs[name].addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    showTab(other);
    tabs[other].focus();
  });
}

/** Put `input` into the right box: log lines and tables into one, configurations into the other. */
async function takeInput(input) {
  const engine = await engineOf(releaseBox.value), [line = ""] = /\S.*/.exec(input.slice(0, 200000)) || [];
  const isLog = engine && line && !engine.isSection(line.split(/\s/)[0]) && (line[0] !== "#" || line.includes(",")) && (await partOf("log"))?.isLog(engine, line);
  const [box, other] = isLog ? [logText, text] : [text, logText];
  box.value = input;
  if (other.value === input) other.value = "";
  showTab(isLog ? "log" : "configuration");
  box.focus();
  if (!isLog) update();
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

// copy the list of files now: input and event do not keep it
byId("files").addEventListener("change", (event) => { useTools("open", [...event.target.files]); event.target.value = ""; });
for (const type of ["dragover", "drop"]) {
  document.addEventListener(type, (/** @type {any} */ event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    form.classList.toggle("over", type === "dragover");
    if (type === "drop") useTools("open", [...event.dataTransfer.files]);
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
byId("copy").addEventListener("click", () => useTools("copy"));
form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", (event) => {
  if (event.key !== "F8" || byId("configuration").hidden) return;
  event.preventDefault();
  useTools("nextFinding", event.shiftKey ? -1 : 1);
});

for (const box of [releaseBox, fromBox]) box?.addEventListener("change", () => {
  useTools("setAddress", {release: releaseBox.value, from: fromBox?.value});
  update();
  updateLog();
});

/* --- how it begins ---------------------------------------------------------------------------------------- */

const query = new URLSearchParams(location.search);
function choose(box, value) {
  if (box && value && [...box.options].some((option) => option.value === value)) box.value = value;
}
choose(releaseBox, query.get("release"));
choose(fromBox, query.get("from"));
showTab(location.hash === "#-log" ? "log" : "configuration");
addEventListener("hashchange", () => { if (location.hash === "#-log") showTab("log"); });
if (host.name.startsWith(HANDOVER_PREFIX)) {
  const handedOver = host.name.slice(HANDOVER_PREFIX.length);
  host.name = "";
  takeInput(handedOver);
} else {
  update();
  engineOf(releaseBox.value);
}
})();
