/* Reads log lines, and tables that a program prints, with the data of a release.
 *
 * Needs explain-engine.js, but no page, network or clock; docs/explain.md says how it reads.
 */
// @ts-check
(function () {
"use strict";

const root = /** @type {any} */ (globalThis);
const MAX_LOG = 16000; // characters of a log line
const MAX_ROWS = 5000; // of a table
const NAME = /^[A-Za-z0-9_.\/-]+/;

/** The reader of log lines and tables, with the data of an engine:
 *
 *   log(line, formats)    // {format, prefix, fields, state, pair, timers}
 *   table(text)           // the columns of a table that the program printed
 */
root.dconvExplain.logs = (engine) => engine.logs ||= logsOf(engine);
function logsOf({release, rows, get, kindsOf, byName}) {

  const aliases = kindsOf("alias"), states = release.stateFields;
  const optionalFields = new Map(Object.entries(release.optionalFields));

  /** The parts of a format: literal texts, and fields; or null if a part is unknown. */
  function pieces(text) {
    const list = [];
    let all = "", n = 0, literal = "", json = false; // all: options of all fields
    const close = () => { if (literal) list.push({literal}); literal = ""; };
    while (n < text.length) {
      const rest = text.slice(n, n + 2000);
      let m;
      if (rest.startsWith("%%")) { literal += "%"; n += 2; continue; }
      if ((m = /^<([a-z_ ]+)>/.exec(rest))) { close(); list.push({name: m[1], row: null, quoted: false}); n += m[0].length; continue; }
      if ((m = /^\$\{(\w+)[^}]*\}/.exec(rest))) {
        const format = release.logFormats.find(([, own, variable]) => variable === m[1] && compileFormat(own));
        if (format && text.length < MAX_LOG) text = text.slice(0, n) + format[1] + text.slice(n + m[0].length);
        else { close(); list.push({name: m[1], row: null, quoted: false}); n += m[0].length; }
        continue;
      }
      if ((m = /^%(?:\{([^}]*)\})?(?:\(([^)]*)\))?(?:\{([^}]*)\})?/.exec(rest))) {
        const option = (m[1] || "") + (m[3] || ""), label = m[2];
        const following = rest.slice(m[0].length);
        const has = (letter) => !option.includes(`-${letter}`) && (option + all).includes(letter);
        const quoted = has("Q"), hexadecimal = has("X");
        if (following[0] === "[") {
          let depth = 0, k = 0;
          for (; k < following.length; k++) { if (following[k] === "[") depth++; else if (following[k] === "]" && --depth === 0) break; }
          const expression = following.slice(1, k);
          close();
          list.push({name: expression, row: get(kindsOf("fetch"), NAME.exec(expression)?.[0] || ""), quoted, label, expression: true});
          n += m[0].length + k + 1;
          continue;
        }
        const word = /^[A-Za-z]+/.exec(following)?.[0] || "";
        let length = word.length;
        while (length && !get(aliases, word.slice(0, length))) length--;
        if (length) {
          const name = word.slice(0, length), row = get(aliases, name);
          n += m[0].length + length;
          if (name === "o" && option) {
            all = `${quoted ? "Q" : ""}${hexadecimal ? "X" : ""}`;
            json ||= option.includes("json");
            if (option.includes("cbor")) return null;
            continue;
          }
          close();
          list.push({name, row, quoted, hexadecimal, label});
          continue;
        }
        if (word) return null; // a field that this release does not have
      }
      literal += text[n++];
    }
    close();
    while (list.length && list[0].literal && !list[0].literal.trim()) list.shift();
    if (list.length && list[0].literal) list[0].literal = list[0].literal.trimStart();
    return json ? list.filter((piece) => piece.label).map((piece) => ({...piece, json})) : list;
  }

  const isNumber = (piece) => !!piece.row && !piece.expression && (release.timerFields.includes(piece.name) || / · numeric$/.test(piece.row.summary));

  const escapeText = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/ +/g, " +");

  function fieldPattern(list, n) {
    const piece = list[n], next = list[n + 1]?.literal || "", last = n === list.length - 1;
    if (states.includes(piece.name)) return "\"?([A-Za-z-]{1,4}?)\"?";
    if (isNumber(piece)) return `"?([+-]?${piece.hexadecimal ? "[0-9A-Fa-f]+" : "\\d+"}|-)"?`;
    if (next[0] === "\"") return "((?:[^\"\\\\]|\\\\.)*)"; // between quotes of the format
    if (next[0] === "]" && !piece.expression) return "([^\\]]+)";
    if (!last && !piece.quoted && piece.row && release.fieldPatterns[piece.name]) return `(${release.fieldPatterns[piece.name]})`;
    if (piece.quoted && piece.expression) return "\"?([^\"]*)\"?";
    if (piece.quoted) return last ? "(\".*?\"?)" : "(\"[^\"]*\"|\\S*?)";
    if (last) return "(.*)";
    if (piece.expression || !piece.row) return next ? `((?:(?!${escapeText(next)}).)*)` : "(\\S*?)"; // may have spaces
    return next[0] === " " ? "(\\S*)" : "(\\S*?)";
  }

  const compiled = new Map();
  /** The regular expressions of a format: of all of it, and of shorter and shorter prefixes. */
  function compileFormat(text) {
    let format = compiled.get(text);
    if (format !== undefined) return format;
    const list = pieces(text);
    format = null;
    if (list && list.some((piece) => !("literal" in piece))) {
      const parts = [], fields = [];
      list.forEach((piece, n) => {
        if (piece.literal !== undefined) {
          const trailing = optionalFields.has(list[n + 1]?.name) && piece.literal.endsWith(" ");
          const literal = trailing ? piece.literal.slice(0, -1) : piece.literal;
          parts.push(escapeText(literal));
          return;
        }
        fields.push([parts.length, piece]);
        parts.push(optionalFields.has(piece.name) ? `(?: +(${optionalFields.get(piece.name)}))?` : fieldPattern(list, n));
      });
      const full = new RegExp(`^${parts.join("")}\\s*$`), isJson = list[0].json;
      format = {fields, parts, isJson, match: (text) => isJson ? valuesOf(text, fields) : full.exec(text)};
    }
    if (compiled.size > 200) compiled.clear();
    compiled.set(text, format);
    return format;
  }

  /** The values of `fields` in a line of JSON, after an empty text as in a match; or null. */
  function valuesOf(text, fields) {
    if (text[0] !== "{") return null;
    try {
      const object = JSON.parse(text);
      return ["", ...fields.map(([, {label}]) => Object.hasOwn(object, label) ? String(object[label]) : undefined)];
    } catch { return null; }
  }

  /** The strings in a line of JSON that are not JSON themselves. */
  function textsOf(text) {
    try { return Object.values(JSON.parse(text)).filter((each) => typeof each === "string" && each[0] !== "{"); } catch { return []; }
  }

  const PREFIXES = [
    ["RFC 5424", /^(?:<\d+>)?\d \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[[^\]]*\])+) /],
    ["RFC 3164", /^(?:<\d+>)?[A-Z][a-z]{2} [ \d]?\d \d\d:\d\d:\d\d (?:[^\s:\[]+ )?(?:[\w.\/-]+(?:\[\d+\])?: )?/],
    ["ISO 8601", /^(?:<\d+>)?\d{4}-\d\d-\d\d[T ]\S+ (?:[^\s:\[]+ )?(?:[\w.\/-]+(?:\[\d+\])?: )?/],
    ["process", /^(?:<\d+>)?[\w.\/-]+(?:\[\d+\])?: /],
    ["priority", /^<\d+>/],
  ];

  function log(line, formats = []) {
    let text = line.replace(/^\ufeff|[\r\n]+$/g, "");
    const cut = text.length > MAX_LOG;
    if (cut) text = text.slice(0, MAX_LOG);
    const all = [...formats.map((each) => [each.name, each.text, "", true]), ...release.logFormats].map(([name, format, , isOwn]) => [name, compileFormat(format), isOwn]).filter((each) => each[1]);
    /** The first format of the configuration that fits, or of the manual where that has more fields:
     * a format that ends with any text fits many lines. */
    const fit = (rest) => {
      let own = null;
      for (const [name, format, isOwn] of all) {
        if (own && (isOwn || format.fields.length <= own.format.fields.length)) continue;
        const m = format.match(rest);
        if (m && !isOwn) return {name, format, m};
        if (m) own = {name, format, m};
      }
      return own;
    };
    // a line in a text of JSON, as containers write them
    for (const inner of text[0] === "{" && !fit(text)?.format.isJson ? textsOf(text) : []) {
      const reply = log(inner, formats);
      if (reply.format) return {...reply, prefix: {name: "JSON", text: reply.prefix.text}};
    }
    const starts = [["", 0]];
    for (const [name, pattern] of PREFIXES) { const m = pattern.exec(text); if (m) starts.push([name, m[0].length]); }
    starts.sort((a, b) => b[1] - a[1]);
    for (const [prefix, from] of starts) {
      const fitting = fit(text.slice(from));
      if (fitting) return result(fitting.name, fitting.format, fitting.m, prefix, text.slice(0, from), false);
    }
    // any other prefix, then truncated lines
    for (let from = text.indexOf(" "), tries = 0; from >= 0 && tries < 30; from = text.indexOf(" ", from + 1), tries++) {
      const fitting = fit(text.slice(from + 1));
      if (fitting) return result(fitting.name, fitting.format, fitting.m, "other", text.slice(0, from + 1), false);
    }
    let best = null;
    for (const [prefix, from] of starts) {
      for (const [name, format] of all) {
        if (format.isJson) continue;
        const least = !best ? 5 : isBeginning(format, best.format) ? best.k : best.k + 1;
        for (let k = format.fields.length - 1; k >= least; k--) {
          const m = new RegExp(`^${format.parts.slice(0, format.fields[k][0]).join("")}(?=[^\\n]{0,4000}$)`).exec(text.slice(from));
          if (m) { best = {k, name, format, m, prefix, before: text.slice(0, from)}; break; }
        }
      }
    }
    if (best) return result(best.name, best.format, best.m, best.prefix, best.before, true);
    return {format: "", prefix: {name: "", text: ""}, fields: [], state: [], pair: null, timers: [], cut: false};
  }

  /** Whether all fields of `format` are the first ones of `other`. */
  function isBeginning(format, other) {
    return format.fields.every(([, piece], n) => other.fields[n]?.[1].name === piece.name);
  }

  function result(name, format, m, prefix, before, cut) {
    const fields = [];
    let n = 1;
    for (const [, piece] of format.fields) {
      let text = m[n++];
      if (text === undefined) continue;
      if (piece.quoted) text = text.replace(/^"|"$/g, "");
      const row = piece.row;
      fields.push({name: piece.name, text, url: row ? row.url : "", summary: row ? row.summary : "", timer: release.timerFields.includes(piece.name)});
    }
    const field = fields.find((each) => states.includes(each.name));
    const timers = fields.filter((each) => each.timer).map((each) => ({name: each.name, milliseconds: Number(each.text), summary: each.summary, url: each.url}));
    return {format: name, prefix: {name: prefix, text: before}, fields, ...explainState(field ? field.text : ""), timers, cut};
  }

  /** What each letter of a state says, and what its first two letters say together. */
  function explainState(letters) {
    const stateRows = [...rows].filter((row) => row.kind === release.stateKind);
    const find = (name, place) => stateRows.find((row) => row.name === name && (place ? row.anchor.includes(`.${place}.`) : !release.statePlaces.some((each) => row.anchor.includes(`.${each}.`))));
    const shown = (row) => row ? {text: row.summary, url: row.url, references: (release.sparse.references[row.at] || []).map((name) => ({name, url: (byName.get(name) || [{url: ""}])[0].url}))} : {text: "", url: "", references: []};
    const state = [...letters].map((letter, n) => ({letter, place: release.statePlaces[n] || "", ...shown(find(letter, release.statePlaces[n] || "none") || find(letter, ""))}));
    const pair = letters ? find(letters.slice(0, 2), "") : null;
    const cookie = letters.length > 2 ? find(letters.slice(2, 4), release.statePlaces[release.statePlaces.length - 1]) : null;
    return {state, pair: pair ? {letters: pair.name, ...shown(pair)} : null, cookie: cookie ? {letters: cookie.name, ...shown(cookie)} : null};
  }

  /* --- tables that the program prints ------------------------------------------------------ */

  /** The columns of a table: names separated by commas, or "name: value" in lines. */
  function table(text) {
    const first = text.split("\n").find((line) => line.trim()) || "";
    const list = release.columnKind;
    const heads = /,/.test(first) ? first.replace(/^#\s*/, "").split(",") : text.split("\n", MAX_ROWS).map((line) => line.split(":")[0]);
    return heads.map((each) => each.trim()).filter(Boolean).map((name) => {
      const row = get(list, name);
      return {name, summary: row ? row.summary : "", url: row ? row.url : ""};
    });
  }

  return {log, table};
}
})();
