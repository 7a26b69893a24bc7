// Tools of the explanation page: going to a finding, summaries of words, files, the report.
// The page loads this when the first of them is used.
// @ts-check
(function () {
"use strict";
const explain = /** @type {any} */ (globalThis).dconvExplain;
const MAX_FILE = 4e6; // bytes of a file that are read
const FILE_LINE = /^#### (.+) ####$/; // is above each of several files

explain.pages.tools = (page) => {
const {code, draw, element, findingParts, groupOf, GROUPS, lines, linkAt, plural, takeInput, text, title, tokenOf} = page;

/* --- findings -------------------------------------------------------------------------------------------- */

/** Show the line of a finding, here and in the text. */
function goTo(finding) {
  const {line} = finding;
  page.drawing.current = page.drawing.result.findings.indexOf(finding);
  draw(page.drawing, line);
  scrollText(line);
  const row = document.getElementById(`-line-${line}`);
  if (!row) return text.focus();
  for (const old of lines.querySelectorAll("li[tabindex]")) old.removeAttribute("tabindex");
  row.tabIndex = -1;
  row.focus({preventScroll: true});
  row.scrollIntoView({block: "center"});
}

/** Scroll the text to `line`, and select it. */
function scrollText(line) {
  let start = 0;
  for (let n = 1; n < line; n++) start = page.drawing.input.indexOf("\n", start) + 1;
  const end = page.drawing.input.indexOf("\n", start);
  text.setSelectionRange(start, end < 0 ? page.drawing.input.length : end);
  const height = parseFloat(getComputedStyle(text).lineHeight) || 20;
  text.scrollTop = Math.max(0, (line - 4) * height);
}

/** Go to the finding that is `by` further, 1 or -1. */
function nextFinding(by) {
  const findings = page.drawing?.result.findings || [];
  if (!findings.length) return;
  const {current} = page.drawing;
  const next = current < 0 && by < 0 ? findings.length - 1 : (current + by + findings.length) % findings.length;
  goTo(findings[next]);
}

/* --- the report ------------------------------------------------------------------------------------------ */

function copy() {
  if (page.drawing) /** @type {any} */ (globalThis).dconvReader?.callTool("copy", report(page.drawing));
}

/** The findings as text. */
function report({context, result, count}) {
  const {version, from, place} = context;
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

/** Write the chosen releases into the address of the page. */
function setAddress(chosen) {
  const address = new URL(location.href);
  for (const key in chosen) {
    if (chosen[key]) address.searchParams.set(key, chosen[key]);
    else address.searchParams.delete(key);
  }
  history.replaceState(null, "", address);
}

/* --- files --------------------------------------------------------------------------------------------- */

/** Read `files` as one text. */
async function open(files) {
  const all = await Promise.all(files.map(async (file) => [file.name, await file.slice(0, MAX_FILE).text()]));
  if (all.length === 1) takeInput(all[0][1]);
  else if (all.length) takeInput(all.map(([name, content]) => `#### ${name.replace(/[\r\n]/g, " ")} ####\n${content}${content.endsWith("\n") ? "" : "\n"}`).join(""));
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
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });

/** Show the summary of the link that the first event, before these listeners were there, was about. */
function showFirstTip(event) {
  const link = linkAt(event);
  if (link && (event.type === "focusin" ? link === document.activeElement : event.pointerType === "mouse" && link.matches(":hover"))) showTip(link);
}

return {copy, goTo, hideTip, open, nextFinding, placesOf, setAddress, showFirstTip, showTip};
};
})();
