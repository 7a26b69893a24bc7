/* What an upgrade from one release to another changes, for a configuration or in general.
 *
 * Needs explain-engine.js, but no page, network or clock; docs/explain.md says how it compares.
 *
 *   dconvExplain.upgrade(text, older, newer, steps)   // {findings, absent, unaffected, tokens, notes}
 *   dconvExplain.compare(older, newer, steps)         // {added, removed, renamed, deprecated, changed}
 */
// @ts-check
(function () {
"use strict";

const root = /** @type {any} */ (globalThis);
const DEPRECATED = 1; // a flag of a name

const normalize = (text) => text.replace(/\s*([\[\]{}()|]|\.\.\.)\s*/g, "$1").replace(/\s+/g, " ").replace(/[[(] ?(?:deprecated|experimental) ?[\])]/gi, "").trim();
const SYNONYMS = new Map([["enabled", "on"], ["active", "on"], ["yes", "on"], ["disabled", "off"], ["inactive", "off"], ["no", "off"], ["zero", "0"], ["none", "unset"], ["not set", "unset"]]);
const sameValue = (a, b) => (SYNONYMS.get(a.toLowerCase()) || a.toLowerCase()) === (SYNONYMS.get(b.toLowerCase()) || b.toLowerCase());

/** The renamed and the removed names over all upgrade `steps`, by kind and name. */
function history(steps) {
  const moved = new Map(), removed = new Map();
  const key = (kind, name) => `${kind}\n${name}`;
  for (const step of steps) {
    const renamedHere = new Map(step.renamed.map(([kind, name, ...to]) => [key(kind, name), to]));
    for (const [from, to] of moved) for (const name of [...to[1]]) { const next = renamedHere.get(key(to[0], name)); if (next) moved.set(from, [next[0], next.slice(1)]); }
    for (const [from, to] of renamedHere) if (!moved.has(from)) moved.set(from, [to[0], to.slice(1)]);
    for (const [kind, name, advice] of step.removed) removed.set(key(kind, name), {advice, version: step.version});
  }
  return {moved: (row) => moved.get(key(row.kind, row.name)) || null, removed: (row) => removed.get(key(row.kind, row.name)) || null};
}

/** The least and the most arguments that `signature` takes in the brackets after its name. */
function arity(signature) {
  const inner = /^[^\s(]+\((.*)\)/.exec(signature)?.[1].trim() || "";
  if (!inner) return [0, 0];
  let depth = 0, least = inner[0] === "[" ? 0 : 1, most = inner.includes("...") ? Infinity : 1;
  for (let n = 0; n < inner.length; n++) {
    if (inner[n] === "[") depth++;
    else if (inner[n] === "]") depth--;
    else if (inner[n] === ",") { most++; if (!depth && !/^\s*\[/.test(inner.slice(n + 1))) least++; }
  }
  return [least, most];
}

/** Whether the words after a token do not fit its signatures. */
function isUnmatched({row, count, isUnmatched}) {
  if (count < 0) return isUnmatched;
  row.arities ??= row.signatures.map(arity);
  return !row.arities.some(([least, most]) => least <= count && count <= most);
}

/** The findings for a configuration that moves from `older` to `newer`, two engines.
 *
 * `steps` are the upgrade steps between them, in order; there may be none.
 */
function upgrade(text, older, newer, steps) {
  const before = older.read(text), after = newer.read(text), stepHistory = history(steps);
  const identity = (each) => `${each.line} ${each.kind} ${each.kind === "wrong-section" ? "" : each.word}`;
  const olderFindings = new Set(before.findings.map(identity));
  const positionOf = (each) => `${each.line} ${each.column}`;
  const linked = new Map(before.tokens.filter((each) => each.row).map((each) => [positionOf(each), each]));
  const findings = [];
  const reported = new Set();
  const standing = new Set(); // lines that are wrong with the older release, too
  for (const each of after.findings) {
    if (olderFindings.has(identity(each))) {
      if (WRONG.includes(each.kind) && (!each.doubtful || each.kind === "wrong-section")) standing.add(each.line);
      continue;
    }
    const token = linked.get(positionOf(each));
    const finding = {...each};
    if (each.kind === "unknown" || each.kind === "removed") {
      if (token) {
        const to = stepHistory.moved(token.row), removed = stepHistory.removed(token.row);
        // no step removed it, and it is a name of another kind now
        const other = steps.length && !to && !removed ? newer.byName.get(token.row.name)?.[0] : null;
        finding.word = token.row.name;
        finding.kind = to ? "renamed" : other ? "wrong-section" : "removed";
        finding.sentence = (removed && removed.advice) || token.row.advice || finding.sentence;
        if (other) {
          finding.sentence = `The manual of ${newer.release.version} describes it as: ${other.kind}.`;
          finding.url = other.url;
          finding.suggestions = [];
        } else if (to) { finding.suggestions = to[1]; finding.url = addressOf(newer, to[0], to[1][0]); }
        finding.suggestion = other ? "" : finding.suggestions[0] || firstKnownName(finding.sentence, newer, token.row.name);
      } else if (before.findings.some((old) => old.line === each.line && (old.kind === "unknown" || old.kind === "removed"))) continue;
    } else if (each.kind === "deprecated") {
      const to = token && stepHistory.moved(token.row);
      finding.suggestion = to ? to[1][0] : firstKnownName(each.sentence, newer, each.row ? each.row.name : "");
      if (to) finding.suggestions = to[1];
    }
    reported.add(positionOf(each));
    findings.push(finding);
  }
  const used = new Set(), seen = new Set(), unaffected = new Map();
  for (const [at, token] of after.tokens.entries()) {
    const old = linked.get(positionOf(token));
    if (!token.row || !old) continue;
    used.add(`${token.row.kind}\n${token.row.name}`);
    if (reported.has(positionOf(token)) || old.row.kind !== token.row.kind || old.row.name !== token.row.name) continue;
    const change = entryChange(old.row, token.row, givesValue(after.tokens, at)), key = `${token.line} ${token.row.kind} ${token.row.name}`;
    if (change && !seen.has(key)) {
      seen.add(key);
      // the line fits the new signature, too, or did not fit the old one
      if (!change.sentence && (!isUnmatched(token) || isUnmatched(old))) { unaffected.set(`${token.row.kind}\n${token.row.name}`, {row: token.row, ...change}); continue; }
      findings.push({line: token.line, column: token.column, kind: "changed", word: token.row.name, suggestion: "", suggestions: [], url: token.row.url, row: token.row, conditional: false, ...change});
    }
  }
  const absent = [];
  for (const row of newer.rows) {
    const old = older.get(row.kind, row.name);
    if (old && !used.has(`${row.kind}\n${row.name}`) && old.defaultValue && row.defaultValue && !sameValue(old.defaultValue, row.defaultValue)) absent.push({name: row.name, kind: row.kind, old: old.defaultValue, now: row.defaultValue, url: row.url});
  }
  findings.sort((a, b) => a.line - b.line || a.column - b.column);
  const notes = standing.size ? [...after.notes, standingNote(standing.size, older.release.version)] : after.notes;
  return {findings, absent, unaffected: [...unaffected.values()], tokens: after.tokens, notes, asksForSuggestions: after.asksForSuggestions || before.asksForSuggestions};
}

/** Whether the line of the directive or the option at `tokens[at]` says what its default would say. */
function givesValue(tokens, at) {
  const {line, row} = tokens[at];
  if (row.signatures.every((text) => text === row.name)) return true; // the word is the value
  let next = at + 1;
  while (tokens[next]?.name === row.name && !tokens[next].row) next++; // more words of the name
  return tokens[next]?.line === line && !["option", "operator"].includes(tokens[next].role);
}

const WRONG = ["unknown", "removed", "wrong-section"];
function standingNote(count, version) {
  const [lines, them] = count === 1 ? ["line is", "it"] : ["lines are", "them"];
  return `${count} more ${lines} wrong with ${version}, too: choose "no other release" to see ${them}.`;
}

function addressOf(engine, kind, name) { const row = engine.get(kind, name) || (engine.byName.get(name) || [])[0]; return row ? row.url : ""; }
/** What a sentence says that names what to use instead. */
const REPLACES = /\b(?:us(?:e|ed|ing)|replaced?|instead|prefer\w*|favou?r|alias|equivalent|superseded|newer|see)\b/i;
/** The first quoted name of `sentence` that the release has, if it names what to use instead. */
function firstKnownName(sentence, engine, ownName) {
  if (!REPLACES.test(sentence)) return "";
  for (const m of (sentence || "").matchAll(/"([^"]+)"/g)) if (m[1] !== ownName) {
    const names = [m[1], `${ownName.split(" ")[0]} ${m[1]}`];
    const replacement = names.find((name) => name !== ownName && engine.byName.has(name));
    if (replacement) return replacement;
  }
  return "";
}

/** What of an entry has changed: its default in words, unless it `isGiven`, and the signatures `before` and `after`; or null. */
function entryChange(old, now, isGiven = false) {
  const isSame = isGiven || !old.defaultValue || !now.defaultValue || sameValue(old.defaultValue, now.defaultValue);
  const sentence = isSame ? "" : `The default was ${old.defaultValue} and is ${now.defaultValue}.`;
  const before = old.signatures.map(withoutArgumentNames), after = now.signatures.map(withoutArgumentNames);
  if (before.every((each) => after.includes(each))) return sentence ? {sentence, before: [], after: []} : null;
  return {sentence, before: old.signatures, after: now.signatures};
}
/** A signature without the names of its arguments, which manuals change as they like. */
const withoutArgumentNames = (text) => normalize(text).replace(/<[^<>]*>/g, "<>").replace(/,\[/g, "[,");

/** Whether `engine` has `name` as an entry of any kind, or after the words of a rule set or without them. */
function isNamed(engine, name) {
  return engine.byName.has(name) || engine.byName.has(name.slice(name.indexOf(" ") + 1))
    || Object.values(engine.release.ruleSets).some((set) => engine.byName.has(`${set} ${name}`));
}

/** Everything that changed between two releases, for readers without a configuration. */
function compare(older, newer, steps) {
  const stepHistory = history(steps), result = {added: [], removed: [], renamed: [], deprecated: [], changed: []};
  const targets = new Set();
  for (const row of older.rows) {
    const now = newer.get(row.kind, row.name), to = stepHistory.moved(row);
    if (to) for (const name of to[1]) targets.add(`${to[0]}\n${name}`);
    if (to && !now && to[1].some((name) => row.name.endsWith(` ${name}`))) continue; // it is written as before
    if (to && !now) result.renamed.push({row, to: to[1], url: addressOf(newer, to[0], to[1][0])});
    else if (!now && newer.kindsOf("fetch").includes(row.kind) && newer.matched(row.name)) continue;
    else if (!now && newer.byName.has(row.name)) {
      if (stepHistory.removed(row)) result.renamed.push({row, to: [row.name], kind: newer.byName.get(row.name)[0].kind, url: newer.byName.get(row.name)[0].url});
    } else if (!now) { const removed = stepHistory.removed(row); if (removed || !steps.length && !isNamed(newer, row.name)) result.removed.push({row, sentence: removed ? removed.advice : row.advice}); }
    else {
      if (now.flags & DEPRECATED && !(row.flags & DEPRECATED)) result.deprecated.push({row: now, sentence: now.advice, to: to ? to[1] : []});
      const change = entryChange(row, now);
      if (change) result.changed.push({row: now, ...change});
    }
  }
  for (const row of newer.rows) if (!older.get(row.kind, row.name) && !targets.has(`${row.kind}\n${row.name}`)) result.added.push({row});
  return result;
}

Object.assign(root.dconvExplain, {upgrade, compare});
})();
