/* Reads configurations with the data of a release.  It needs no page, network or clock.
 *
 * docs/explain.md says how it reads; dconv/writers/explain/release_data.py writes the data.
 *
 *   const engine = dconvExplain.engine(release);
 *   engine.read(text)            // {tokens, findings, notes, formats}
 */
// @ts-check
(function () {
"use strict";

const root = /** @type {any} */ (globalThis);
const {hasOwn} = Object, {max, min} = Math;
const DEPRECATED = 1, EXPERIMENTAL = 2;
const MAX_WORD = 8000; // characters of a word that is read, beyond which it is only shown
const MAX_LINE = 100000; // characters of a line
const MAX_LINES = 50000;
const MAX_FINDINGS = 5000;
const NOTES = {
  long: "Only the first 50,000 lines were read.",
  endless: "A line or a word was too long to be read.",
  many: "Only the first 5,000 findings are listed.",
  binary: "This has bytes that no text has.",
};
const EXPRESSION = /expr|sample|pattern|criteri|^key|field|fetch/;
const MUST_BE_EXPRESSION = /^<(?:[a-z_]+_)?(?:expr|expression|sample|sample[- ]expr)>$/;
const CALL = /^[a-z][\w.+]*(?:\(|,|$)/; // what an expression starts with
const SECRET = /passw|secret|authorization/i; // of a word or an argument: what is behind it is not printed
const ABOUT_SECRET = /\bsecret\b|password/i; // of a summary of a directive
const LUA = /^lua\./; // before names of the reader's own
const NONE = [];
const NAME = /^[A-Za-z0-9_.\/+-]+/;

/* --- words ---------------------------------------------------------------------------- */

/** @typedef {{text: string, at: number, end: number, line: number, starts: number[], map: number[] | null, quoted: boolean, hasVariable: boolean}} Word */

const BLANKS = /[ \t\r]*(?:#[^\n]*)?/y; // and a comment
const PLAIN = /[^\s\\"'#$]+/y; // a word without quotes, escapes and variables

/** The logical lines of `text`: lists of words, and comments.  A backslash joins lines. */
function split(text) {
  const lines = [], notes = new Set(), {length} = text, starts = [0]; // of the lines as they are written
  let words = [], i = 0;
  const close = () => { if (words.length) lines.push(words); words = []; };
  /** The length of the backslash and line end at `i`, or 0. */
  const joinLength = () => text[i] !== "\\" ? 0 : text[i + 1] === "\n" ? 2 : text[i + 1] === "\r" && text[i + 2] === "\n" ? 3 : 0;
  while (i < length) {
    BLANKS.lastIndex = i;
    BLANKS.test(text);
    i = BLANKS.lastIndex;
    if (i === length) break;
    if (text[i] === "\n") { close(); starts.push(++i); if (lines.length > MAX_LINES) { notes.add("long"); break; } continue; }
    const join = joinLength();
    if (join) { starts.push(i += join); continue; }
    if (i - starts[starts.length - 1] > MAX_LINE) { notes.add("endless"); while (i < length && text[i] !== "\n") i++; continue; }
    const at = i, line = starts.length;
    PLAIN.lastIndex = i;
    PLAIN.test(text);
    const last = PLAIN.lastIndex;
    if (last && last - i <= MAX_WORD && (last === length || " \n\t\r#".includes(text[last]))) {
      i = last;
      words.push({text: text.slice(at, i), at, end: i, line, starts, map: null, quoted: false, hasVariable: false});
      continue;
    }
    let word = "", quote = "", quoted = false, hasVariable = false;
    const map = [], add = (character, width) => { word += character; map.push(i); i += width; };
    while (i < length && text[i] !== "\n") { // the program refuses an end of line in quotes: the word ends
      const c = text[i], next = text[i + 1] || "";
      if (c === quote) { quote = ""; i++; }
      else if (quote === "'") add(c, 1);
      else if (c === "\\" && next) {
        const end = joinLength(), code = quote || next !== "x" ? "" : text.slice(i + 2, i + 4);
        if (end && !quote) break;
        if (end) starts.push(i += end);
        else if (quote && !"\\\"$".includes(next)) add(c, 1);
        else if (/^[0-9a-fA-F]{2}/.test(code)) add(String.fromCharCode(parseInt(code, 16)), 4);
        else add({n: "\n", r: "\r", t: "\t"}[quote ? "" : next] || next, 2);
      } else if (!quote && (c === "\"" || c === "'")) { quote = c; quoted ||= i === at; i++; }
      else if (!quote && " \t\r#".includes(c)) break;
      else { hasVariable ||= c === "$" && (quote ? /[A-Za-z_{]/ : /\{/).test(next); add(c, 1); }
    }
    if (word.length > MAX_WORD) { notes.add("endless"); word = word.slice(0, 100); hasVariable = true; } // nothing checks it then
    words.push({text: word, at, end: i, line, starts, map, quoted, hasVariable});
  }
  close();
  return {lines, notes};
}

/** The column of a word, from 1 on. */
const columnOf = (word) => word.at - word.starts[word.line - 1] + 1;

/** A part of a word, from character `from` to `to` of its text, as a word. */
function partOfWord(word, from, to) {
  const at = word.map ? word.map[from] ?? word.at : word.at + from;
  const end = word.map ? (word.map[to - 1] ?? word.end - 1) + 1 : word.at + to;
  let {line} = word;
  while (word.starts[line] <= at) line++; // the word may go on in more lines
  return {...word, text: word.text.slice(from, to), at, end, line, map: null};
}

/* --- signatures ------------------------------------------------------------------------- */

/** A signature without its name as a small automaton: edges of states.  An `open` item goes on in the same word. */
function compile(signature) {
  const tokens = [];
  const pattern = /\s*(<[^<>]*(?:<[^<>]*>[^<>]*)*>|\.\.\.|[\[\](){}|*,]|[^\s\[\](){}|*,<]+|<)/y;
  pattern.lastIndex = 0;
  for (let m; (m = pattern.exec(signature));) tokens.push({text: m[1], glued: m[0].length === m[1].length && m.index > 0});
  let n = 0;
  function sequence(closing) {
    const items = [];
    const choices = [items];
    let current = items;
    while (n < tokens.length) {
      const {text, glued} = tokens[n];
      if (text === closing) break;
      if (text === "|") { current = []; choices.push(current); n++; continue; }
      n++;
      const last = current[current.length - 1];
      if (text === "..." && tokens[n - 2]?.text === ",") continue; // more of them in the same word
      if (text === "*" || text === "...") {
        if (last) last.many = true;
        if (last && last.literal) { last.argument = last.literal; delete last.literal; } // [param*]
        continue;
      }
      if (text === ",") { if (last) last.open = true; continue; }
      const close = {"[": "]", "{": "}", "(": ")"}[text];
      if (close) {
        const choice = sequence(close);
        n++;
        if (glued && last && !last.choices) {
          last.open = true;
          if (tokens[n]?.glued && /^(?:\*|\.\.\.)$/.test(tokens[n].text)) n++; // <option>[,<option>]*: all in one word
          continue;
        }
        if (tokens[n]?.glued && !/^[\]})|*,]|^\.\.\./.test(tokens[n].text) && text === "[") { current.push({open: true}); n++; } else current.push(text === "(" ? {open: true} : {choices: choice, optional: text === "["});
        continue;
      }
      if (/^[\])}]$/.test(text)) continue;
      if (glued && last && !last.choices) { last.open = true; last.secret ||= SECRET.test(text); if (!last.argument && text[0] === "<") last.prefix = last.literal; delete last.literal; continue; }
      if (text[0] === "<") current.push({argument: text, secret: SECRET.test(text)}); else current.push({literal: text});
    }
    return choices;
  }
  const choices = sequence("");
  const states = [[]]; // lists of edges: [item or null, target]
  const newState = () => states.push([]) - 1;
  function chain(items, at) {
    for (const item of items) {
      const from = at, {choices} = item;
      // optional parts may come in any order
      if (!item.optional) at = newState();
      if (choices) for (const choice of choices) states[chain(choice, from)].push([null, at]);
      else states[from].push([item, at]);
      if (item.many) states[at].push([null, from]);
    }
    return at;
  }
  const end = newState();
  for (const choice of choices) states[chain(choice, 0)].push([null, end]);
  return {edges: states, end};
}

/** The epsilon closure of `from`: all states reached without a word. */
function closure(machine, from) {
  const reached = new Set(from);
  for (const place of reached) for (const [item, to] of machine.edges[place]) if (!item) reached.add(to);
  return [...reached];
}

/** The state in which the automata of all signatures of `row` are at `active`: a list of states for
 * each.  It and its transitions are computed once, on demand (a lazy subset construction). */
function stateOf(row, active) {
  const key = active.join(";");
  let state = row.states.get(key);
  if (state) return state;
  state = {row, active, isComplete: false, literals: new Map(), beginnings: [], arguments: [], others: null, values: null};
  active.forEach((places, n) => {
    const machine = row.machines[n];
    if (places.includes(machine.end)) state.isComplete = true;
    for (const place of places) for (const [item] of machine.edges[place]) {
      if (!item) continue;
      const literal = item.literal ?? item.prefix;
      if (literal !== undefined) {
        state.literals.set(literal, null);
        if (item.open || item.prefix) state.beginnings.push(literal);
      } else if (item.argument) state.arguments.push(item.argument);
    }
  });
  row.states.set(key, state);
  return state;
}

/** The transition of `state` on the text of a word: literals first, then arguments. */
function transitionOf(state, text) {
  let transition = state.literals.get(text);
  if (transition) return transition;
  if (transition === null) state.literals.set(text, transition = follow(state, text));
  else if (state.beginnings.some((beginning) => text.startsWith(beginning))) return follow(state, text);
  return transition || (state.others ||= follow(state, null));
}
function follow({row, active, literals}, text) {
  const transition = {state: null, literal: text || "", argument: "", secret: false, isOnlyArgument: false, isExpression: false};
  let isAlone = !literals.size, isPossible = false;
  const next = active.map((places, n) => {
    const machine = row.machines[n], reached = [];
    for (const place of places) for (const [item, to] of machine.edges[place]) {
      if (!item) continue;
      const literal = item.literal ?? item.prefix;
      if (text !== null) { if (literal === text || literal !== undefined && (item.open || item.prefix) && text.startsWith(literal)) reached.push(to); } else if (literal === undefined) {
        reached.push(to);
        transition.secret ||= item.secret;
        if (!item.argument || (transition.argument && item.argument !== transition.argument)) isAlone = false;
        transition.argument ||= item.argument || "";
      }
    }
    if (reached.length) isPossible = true;
    return closure(machine, reached);
  });
  if (isPossible) transition.state = stateOf(row, next);
  transition.isOnlyArgument = isAlone && !!transition.argument;
  transition.isExpression = EXPRESSION.test(transition.argument.replace(/[<>]/g, ""));
  return transition;
}

/** The names that `name` means, with the `values` that its placeholders may have. */
function spellings(name, values) {
  const placeholder = name.match(/<[^<>]*>/g)?.find((each) => values?.[each]), listed = values?.[placeholder];
  return listed ? listed.flatMap((value) => spellings(name.replace(placeholder, value), values)) : [name];
}

/* --- an engine ---------------------------------------------------------------------------- */

function engine(release) {
  const rows = [];
  const byKind = new Map(), byName = new Map(), placeholders = [];
  const slug = (text) => text.replace(/[<>"'\x60{}|\\^[\]#%&]+/g, "").trim().replace(/\s+/g, "-");
  const {names, columns, sparse} = release;
  /** A name of the release; properties that few names need are computed on demand. */
  class Row {
    constructor(at) {
      this.at = at;
      this.name = names[at];
      this.kind = release.kinds[columns.kind[at]];
      this.summary = columns.summary[at];
      this.uses = release.uses[columns.uses[at]];
      this.flags = columns.flags[at];
      this.defaultValue = sparse.default[at] || "";
      this.advice = sparse.advice[at] || "";
      this.values = sparse.values[at] || null;
      this.forms = sparse.forms[at] || {};
      this.bounds = sparse.bounds[at];
      this.experimental = sparse.experimental[at] || {};
    }
    get anchor() {
      const anchor = columns.anchor[this.at], own = slug(this.name);
      return anchor === 0 ? own : anchor === 1 ? `${slug(this.kind.toLowerCase())}.${own}` : anchor;
    }
    get url() {
      return this.address ??= release.pages[columns.page[this.at]] + (this.anchor && `#${this.anchor.replace(/[^A-Za-z0-9/?:@!$&'()*+,;=._~-]/g, encodeURIComponent)}`);
    }
    get signatures() {
      return this.texts ??= columns.signatures[this.at].map((text) => text[0] === "~" ? this.name + text.slice(1) : text);
    }
  }
  for (let at = 0; at < names.length; at++) {
    const row = new Row(at), {name, kind} = row;
    rows.push(row);
    let rowsByName = byKind.get(kind);
    if (!rowsByName) byKind.set(kind, rowsByName = new Map());
    const key = name.replace(/\(.*$/, "");
    for (const each of spellings(key, row.values)) {
      if (/[<[]/.test(each)) placeholders.push({kind, row, start: each.replace(/[<[].*$/, ""), pattern: new RegExp(`^${each.replace(/[.*+?^${}()|\\]/g, "\\$&").replace(/<[^>]*>|\[[^\]]*\]/g, "[\\w-]+")}$`)});
      if (!rowsByName.has(each)) rowsByName.set(each, row);
      const all = byName.get(each);
      if (all) all.push(row); else byName.set(each, [row]);
    }
  }
  const removed = new Map(release.removed.map(([name, , version, address]) => [name, {version, url: `../${version}/${address}`}]));
  const sections = release.sections;
  const isSection = (word) => hasOwn(sections, word);
  const sectionWords = Object.keys(sections);
  const setWords = Object.values(release.ruleSets);
  /** The kinds of names that are a `role`, as "fetch". */
  const kindsOf = (role) => release.roles[role] || NONE;
  const optionLines = release.lines.map(([text, after, options]) => ({words: text.split(" ").filter((word) => word[0] !== "<"), after, options}));
  /** The names of a kind or a list of kinds, which is joined once: rows by name, names with placeholders,
   * and the most words that a name has by its first word. */
  const joined = new Map();
  function namesOf(kinds) {
    let group = joined.get(kinds);
    if (group) return group;
    const rowsByName = new Map(), lengths = new Map();
    for (const kind of [kinds].flat()) for (const [name, row] of byKind.get(kind) || NONE) if (!rowsByName.has(name)) {
      const words = name.split(" "), [first] = words;
      rowsByName.set(name, row);
      lengths.set(first, max(words.length, lengths.get(first) || 1));
    }
    joined.set(kinds, group = {rowsByName, lengths, patterns: placeholders.filter((each) => [kinds].flat().includes(each.kind))});
    return group;
  }
  function get(kinds, name) {
    const {rowsByName, patterns} = namesOf(kinds), row = rowsByName.get(name);
    if (row) return row;
    for (const each of patterns) if (name.startsWith(each.start) && each.pattern.test(name)) return each.row;
    return null;
  }
  const keys = (kinds) => [...namesOf(kinds).rowsByName.keys()];
  /** Suggestions for misspelt words from explain-suggestions.js: none until it is loaded. */
  let suggestions = null, asksForSuggestions = false;
  function suggester() {
    suggestions ||= root.dconvExplain.suggestions?.();
    asksForSuggestions ||= !suggestions;
    return suggestions;
  }
  /** Those of `names`, which are those of `group`, that `word` may mean. */
  const suggest = (word, group, names = () => keys(group)) => suggester()?.suggest(word, group, names) || NONE;
  const nearValues = (word, names, most) => suggester()?.nearValues(word, names, most) || NONE;
  /** The state before the arguments of `row`. */
  function startOf(row) {
    if (!row.start) {
      row.machines = row.signatures.map((text) => compile(argumentsOf(text, row.name).replace(/<[^<>]*>/g, (argument) => row.forms[argument] || argument)));
      row.states = new Map();
      row.start = stateOf(row, row.machines.map((machine) => closure(machine, [0])));
    }
    return row.start;
  }
  /** A signature without its name, arguments attached to the name, and type. */
  function argumentsOf(text, name) {
    const rest = text.startsWith(name) ? text.slice(name.length) : text.replace(/^\S+/, "");
    return rest.replace(/^\((?:[^()]|\([^()]*\))*\)/, "").replace(/ : .*$/, "").replace(/[([]\s*(?:deprecated|experimental)\s*[)\]]/gi, "").replace(/([\w-]*)\.\.\.\s*\]/g, (all, word) => word ? `<${word}>]*` : "]*");
  }

  /* --- configurations ------------------------------------------------------------------- */

  function read(text) {
    const {lines, notes} = split(text);
    asksForSuggestions = false;
    const tokens = [], findings = [], formats = [];
    const acls = new Set();
    for (const words of lines) if (words.length > 1 && byName.get(words[0].text)?.some(declares)) acls.add(words[1].text);
    let section = "", sectionColumn = 1, hasSectionName = false, unknownSection = false, isIndented = false, conditional = 0;

    function addToken(word, role, row = null, shown = "") {
      const {line, at, end, text} = word, before = tokens[tokens.length - 1];
      const {name = shown, kind = "", url = ""} = row || {};
      const secret = role === "argument" && before?.line === line && (SECRET.test(before.word) || before.role === "directive" && ABOUT_SECRET.test(before.row?.summary));
      const token = {line, column: columnOf(word), at, end, word: text, secret, role, row, name, kind, url, isUnmatched: false, count: -1};
      tokens.push(token);
      if (row?.flags) {
        const whole = name.startsWith(`${text} `) ? name : "";
        if (row.flags & DEPRECATED) addFinding(word, "deprecated", row, NONE, row.advice, whole);
        if (row.flags & EXPERIMENTAL) addFinding(word, "experimental", row, NONE, row.advice, whole);
      }
      return token;
    }
    function linkToken(token, row) {
      const {name, kind, url} = row;
      Object.assign(token, {row, name, kind, url});
    }
    function addTokens(words, role, name) { for (const each of words) addToken(each, role, null, name); }
    function addLinkedToken(word, role, url = "") {
      Object.assign(addToken(word, role, null, word.text), {kind: "section", url});
    }
    /** Add a finding; it is doubtful where the manual need not list all possible words. */
    function addFinding(word, kind, row, suggestions, sentence, shown, doubtful = false) {
      if (findings.length >= MAX_FINDINGS) { notes.add("many"); return; }
      const name = shown || word.text, [suggestion = ""] = suggestions;
      let url = row?.url || "";
      if (kind === "unknown") {
        const lastEntry = removed.get(name) || removed.get(word.text);
        if (lastEntry) { kind = "removed"; url = lastEntry.url; sentence = `The manual of ${lastEntry.version} is the last that names it.`; }
        else url = byName.get(suggestion)?.[0].url || "";
      }
      findings.push({line: word.line, column: columnOf(word), kind, word: name, suggestion, suggestions, sentence, url, row, conditional: conditional > 0, doubtful});
    }
    /** Report that `name` is not one of `group`, unless it contains a variable. */
    function addUnknown(word, group, name = word.text, names) {
      if (!word.hasVariable) addFinding(word, "unknown", null, suggest(name, group, names), "", name);
    }
    /** Note that a word may be a typo of those that are `close`; returns whether there are some. */
    function addDoubt(word, close) {
      if (close.length && !word.hasVariable) addFinding(word, "unknown", null, close, "", "", true);
      return close.length > 0;
    }

    for (const words of lines) readLine(words);
    if (/[\0\ufffd]/.test(text)) notes.add("binary");
    findings.sort((a, b) => a.line - b.line || a.column - b.column);
    return {tokens, findings, notes: [...notes].map((note) => NOTES[note]), formats, asksForSuggestions};

    /** Whether `row` declares a test. */
    function declares(row) {
      return row.declares ??= row.signatures.some((text) => text.includes("<criterion>"));
    }

    function readLine(words) {
      let word = words[0], i = 0;
      if (/^\.[a-z]+$/.test(word.text) && kindsOf("predicate").length) return readCondition(words);
      if (word.hasVariable) return addTokens(words, "argument");
      const kinds = sections[section];
      if (isSection(word.text) && !(kinds && words.length === 1 && get(kinds, word.text) && word.text !== "global" && word.text !== "defaults")) return openSection(words, word.text);
      if (!kinds || unknownSection) {
        const close = suggest(word.text, "sections", () => sectionWords);
        if (close[0] && (!unknownSection || nearValues(word.text, [close[0]])[0])) return openMisspelt(words, close);
        if (!unknownSection) addFinding(word, "unknown", null, close, "");
        unknownSection = true;
        return addTokens(words, "argument");
      }
      isIndented ||= columnOf(word) > sectionColumn;
      let negated = false;
      if (release.directivePrefixes.includes(word.text) && words.length > 1) {
        const whole = get(kinds, word.text) && longest(words, 0, kinds), inner = longest(words, 1, kinds);
        if (!whole || inner && whole.length <= inner.length) { addToken(word, "operator"); i = 1; word = words[1]; negated = true; if (word.hasVariable) return; }
      }
      const directive = longest(words, i, kinds);
      if (!directive) return unknownDirective(words, i, kinds);
      const {row, length} = directive, next = words[i + length], nextKind = next && kindAfter(kinds, row);
      if (next && !next.hasVariable && !accepts(row, next) && addMisplaced(words, i, kinds, length)) return;
      const token = addToken(word, "directive", row);
      if (nextKind && !LUA.test(next.text)) addUnknown(next, nextKind, `${row.name} ${next.text}`);
      addTokens(words.slice(i + 1, i + length), "directive", row.name);
      checkSection(word, row);
      readArguments(words, i, i + length, row, token, negated);
    }

    /** The kind whose names all are that of `row` and a word more: "filter" has "filter cache". */
    function kindAfter(kinds, row) {
      return row.kindAfter ??= kinds.find((kind) => {
        const lengths = namesOf(kind).lengths;
        return kind !== row.kind && lengths.size === 1 && lengths.get(row.name) === 2;
      }) || "";
    }

    function openSection(words, name) {
      const first = words[0];
      enter(name, words);
      const row = get(sections[name], name);
      if (row) addToken(first, "section", row); else addLinkedToken(first, "section", release.homes[name]);
      for (const each of words.slice(1)) addToken(each, each.text === "from" ? "operator" : "name");
      if (words.length === 4 && words[2].text !== "from") addDoubt(words[2], nearValues(words[2].text, ["from"]));
      const optionLine = row && optionLineOf(words, 0);
      if (optionLine) readOptions(words, optionLine.after, optionLine.options, 1, row);
    }

    function enter(name, words) {
      section = name; unknownSection = isIndented = false; sectionColumn = columnOf(words[0]);
      hasSectionName = words.length > 1 && words[1].text !== "from";
    }

    function openMisspelt(words, close) {
      addFinding(words[0], "unknown", null, close, "");
      enter(close[0], words);
      addTokens(words, "name");
    }

    function readCondition(words) {
      const first = words[0].text;
      if (first === ".if") conditional++;
      if (first === ".endif" && conditional) conditional--;
      const kinds = kindsOf("predicate");
      addLinkedToken(words[0], "conditional", release.homes[kinds[0]]);
      for (const word of words.slice(1)) {
        const pattern = /([a-z_][a-z_0-9]*)\(/g;
        let any = false;
        for (let m; (m = pattern.exec(word.text));) {
          const piece = partOfWord(word, m.index, m.index + m[1].length), row = get(kinds, m[1]);
          addToken(piece, row ? "predicate" : "argument", row);
          any = true;
          if (!row && /if$/.test(first)) addDoubt(piece, suggest(m[1], kinds)); // manuals lack some
        }
        if (!any) addToken(word, "argument");
      }
    }

    /** The longest name of `kinds` that begins at word `i`, and how many words before `stop` it has. */
    function longest(words, i, kinds, stop = words.length) {
      const first = words[i].text;
      const maxWords = namesOf(kinds).lengths.get(first) || 1;
      const names = [first];
      for (let n = 1; n < maxWords && i + n < stop; n++) names.push(`${names[n - 1]} ${words[i + n].text}`);
      for (let n = names.length; n > 0; n--) {
        const name = names[n - 1];
        const row = get(kinds, name) || (name.includes("(") ? get(kinds, name.replace(/\([^ ]*$/, "")) : null);
        if (row) return {row, length: n};
      }
      return null;
    }

    function checkSection(word, row) {
      const allowed = sectionsOf(row), mustHaveName = allowed.includes(`${section}!`);
      if (mustHaveName ? hasSectionName : mayBeIn(row, section)) return;
      addFinding(word, "wrong-section", row, [], mustHaveName ? `Only in a section "${section}" that has a name.` : `Only in ${allowed.map((use) => use.replace("!", "")).join(", ")}.`, row.name, !mustHaveName);
    }

    function mayBeIn(row, where) {
      const allowed = sectionsOf(row);
      return !allowed.length || allowed.includes(where) || allowed.includes(`${where}!`);
    }

    /** The sections that allow `row`, if its text says so; with "!" only named ones. */
    function sectionsOf(row) {
      if (row.sections) return row.sections;
      let allowed = [];
      // "http-request deny" may be where "http-request" may, unless it says more
      for (let name = row.name; name && !allowed.length; name = name.slice(0, max(0, name.lastIndexOf(" ")))) {
        const entry = name === row.name ? row : get(row.kind, name);
        if (entry) allowed = entry.uses.filter((use) => hasOwn(sections, use.replace("!", "")));
      }
      return row.sections = allowed;
    }

    /** Add a finding and return true if a name of other sections, of more than `least` words or of values that
     * it lists, begins at word `i`. */
    function addMisplaced(words, i, kinds, least) {
      const rest = words.slice(i), first = tokens.length;
      const other = suggester()?.inOtherSections(engine, kinds, rest.map((each) => each.text), least, mayBeIn);
      if (!other) return false;
      const {row} = other;
      addTokens(rest, "argument");
      linkToken(tokens[first], row);
      addFinding(words[i], "wrong-section", row, NONE, `Only in ${other.sections.join(", ")}.`, row.name);
      return true;
    }
    /** Whether the first argument of `row` may be `word`. */
    function accepts(row, word) {
      const transition = transitionOf(startOf(row), word.text), values = row.values?.[transition.argument];
      return transition.state !== null && (!values || values.includes(word.text));
    }

    /** Report that no directive begins at word `i`, with suggestions from explain-suggestions.js. */
    function unknownDirective(words, i, kinds) {
      const firstKnown = namesOf(kinds).lengths.has(words[i].text);
      if (addMisplaced(words, i, kinds, firstKnown && words[i + 1] ? 1 : 0)) return;
      const first = tokens.length, rest = words.slice(i);
      addTokens(rest, "argument");
      const {row = null, at = 0, close, name, isTitle} = suggester()?.directive(engine, kinds, section, rest.map((each) => each.text), firstKnown, removed) || {close: NONE};
      if (isTitle && columnOf(words[i]) <= sectionColumn) {
        tokens.length = first;
        openMisspelt(rest, close);
      } else if (row) linkToken(tokens[first], row);
      else if (!rest[at].hasVariable) {
        addFinding(rest[at], "unknown", null, close, "", name);
        unknownSection = isIndented && columnOf(words[i]) <= sectionColumn; // another release may have such sections
      }
    }

    function optionLineOf(words, i) {
      return optionLines.find((line) => line.words.every((each, n) => words[i + n]?.text === each));
    }

    function readArguments(words, i, j, row, token, negated) {
      const optionLine = optionLineOf(words, i);
      const isRule = setWords.includes(row.name);
      let stop = words.length;
      row.conditional ??= isRule || row.signatures.some((text) => text.split(/[\s{}[\]|]+/).some((word) => release.conditionWords.includes(word))) || setWords.some((set) => row.name.startsWith(`${set} `));
      if (row.conditional) {
        const at = words.findIndex((word, n) => n >= j && release.conditionWords.includes(word.text) && !word.quoted);
        if (at >= 0) stop = at;
      }
      if (declares(row)) {
        if (words[j]) addToken(words[j], "aclname");
        readTest(words.slice(j + 1));
        return;
      }
      let head = row, headToken = token, k = j;
      if (isRule && words[j] && j < stop) {
        const action = longest(words, j, kindsOf("action"), stop);
        if (action) {
          head = action.row; k = j + action.length;
          headToken = addToken(words[j], "action", head);
          addTokens(words.slice(j + 1, k), "action", head.name);
          const places = head.uses.filter((use) => release.ruleSets[use]);
          if (places.length && !places.some((use) => release.ruleSets[use] === row.name)) addFinding(words[j], "wrong-section", head, [], `Only in ${places.map((use) => release.ruleSets[use]).join(", ")}.`, head.name);
        } else if (!words[j].hasVariable) {
          const unknown = suggester()?.action(engine, row, words[j].text, argumentsOf, removed);
          if (unknown) {
            addToken(words[j], "argument");
            k = j + 1;
            addFinding(partOfWord(words[j], 0, max(1, unknown.length)), "unknown", null, unknown.close, "", unknown.name);
          }
        }
      }
      if (optionLine && stop === words.length) readOptions(words, i + optionLine.after, optionLine.options, j, row);
      else if (!negated || k < stop) match(words, k, stop, head, headToken, negated);
      if (stop < words.length) { addToken(words[stop], "operator"); readTests(words.slice(stop + 1)); }
    }

    /** Read the words from `k` to `stop` by the signatures of `head`. */
    function match(words, k, stop, head, headToken, negated) {
      const isFormat = head.isFormat ??= /(?:^|-)format\b/.test(head.name);
      let state = startOf(head), literal = "";
      const go = (word) => {
        const transition = transitionOf(state, word.text);
        if (transition.state) state = transition.state;
        return transition;
      };
      for (let n = k; n < stop; n++) {
        const word = words[n], from = state, transition = go(word);
        if (!transition.state) {
          headToken.isUnmatched = true; // go on as if the word were not there
          if (n === k && !from.isComplete && !from.arguments.length && from.literals.size && !negated) { addToken(word, "argument"); addFinding(word, "unknown", null, nearValues(word.text, from.literals.keys()), "", "", true); continue; }
        }
        const hasAliases = isFormat || transition.argument === "<fmt>";
        if (word.text.includes("%[") || (hasAliases && word.text.includes("%"))) { if (isFormat) formats.push({name: head.name, text: word.text}); readFormat(word, hasAliases); continue; }
        const mayBeExpression = n === k || literal; // <key> is one there, and a text elsewhere
        literal = transition.literal;
        if (hasOwn(release.listKinds, word.text) && !word.quoted && n > k && n + 1 < stop) {
          addToken(word, "word");
          readList(words[++n], release.listKinds[word.text]);
          if (transition.state) go(words[n]);
          continue;
        }
        if (!literal && (transition.isExpression || !transition.state)) {
          const name = NAME.exec(word.text)?.[0] || "";
          if (transition.state ? isExpression(word, transition, name) || mayBeExpression && isNearlyExpression(word, transition, name) : /[(,]/.test(word.text) && name && get(kindsOf("fetch"), name)) { readExpression(word, 0, false); continue; }
        }
        const prefix = word.text.includes("@") && /^[a-z0-9+]+@/.exec(word.text), address = prefix ? get(kindsOf("prefix"), prefix[0]) : null;
        const token = addToken(word, literal ? "word" : "argument", address);
        if (transition.secret) token.secret = true;
        if (!literal && !word.hasVariable && !word.quoted) checkValue(word, from);
      }
      if (!state.isComplete) headToken.isUnmatched = true;
    }
    /** Whether `word`, which begins with `name`, is an expression where `transition` takes an argument. */
    function isExpression(word, {argument, isOnlyArgument}, name) {
      if (!name) return false;
      if (get(kindsOf("fetch"), name)) return true;
      return isOnlyArgument && MUST_BE_EXPRESSION.test(argument) && !word.hasVariable && CALL.test(word.text) && kindsOf("fetch").length > 0;
    }
    /** Whether `word` is a typo of one, where it may also be another text. */
    function isNearlyExpression(word, {argument, isOnlyArgument}, name) {
      if (!isOnlyArgument || word.hasVariable || name.length < 2 || !/^<(?:key|pattern)>$/.test(argument) || !CALL.test(word.text)) return false;
      return nearValues(name, suggest(name, kindsOf("fetch")).slice(0, 1)).length > 0;
    }

    /** The values that may be at `state`, as far as they are listed. */
    function valuesAt({row, literals, arguments: places}) {
      const values = new Set(), listed = row.values || {};
      for (const argument of places) for (const value of listed[argument] || []) values.add(value);
      if (!places.length || (!values.size && listed[""] && !Object.keys(listed).some((key) => key[0] === "<"))) {
        for (const value of literals.keys()) values.add(value);
        for (const value of listed[""] || []) values.add(value);
      }
      if (places.length && values.size) for (const value of literals.keys()) values.add(value);
      return values;
    }
    /** Add a finding if `word` is a typo of one of the values that may be at `state`. */
    function checkValue(word, state) {
      const {text} = word, [least, most] = state.row.bounds || NONE;
      if (/^-?\d+$/.test(text) && (least && +text < least || +text > most)) addFinding(word, "unknown", null, NONE, "", "", true);
      let values = state.values ??= valuesAt(state);
      let different; // letters that may be so
      // a user-defined name, or a misspelt alternative
      if (!values.size && text.length > 4) {
        values = new Set(state.literals.keys());
        different = 1;
      }
      if (values.has(text) || !values.size || text.length < 3 || !/^[A-Za-z][A-Za-z0-9._-]*$/.test(text)) return;
      const lower = text.toLowerCase();
      for (const value of values) if (value.toLowerCase() === lower) return;
      addDoubt(word, nearValues(text, values, different));
    }

    function readList(word, kinds) {
      let at = 0;
      for (const piece of word.text.split(/,(?![^(]*\))/)) {
        const name = piece.replace(/\(.*$/, ""), row = get(kinds, name);
        const shown = partOfWord(word, at, at + name.length);
        const token = addToken(shown, row ? "item" : "argument", row);
        if (row) token.count = piece === name ? 0 : piece.split(",").length;
        if (!row && name) addUnknown(shown, kinds);
        at += piece.length + 1;
      }
    }

    /** Read the options of `kinds` after word `from`; those from `j` on are arguments of `head`. */
    function readOptions(words, from, kinds, j, head) {
      const prefixes = kindsOf("prefix");
      for (let n = j; n < min(from, words.length); n++) {
        if (n > j && get(kinds, words[n].text) && /^[a-z-]+$/.test(words[n].text)) { from = n; break; }
        let at = 0, linked = false;
        for (let m; m = /^[a-z0-9]+(?:\+[a-z0-9]+)?@/.exec(words[n].text.slice(at));) {
          const piece = partOfWord(words[n], at, at += m[0].length), row = get(prefixes, m[0]), sentence = head.experimental[m[0]];
          if (sentence) addFinding(piece, "experimental", row, NONE, sentence);
          if (row) addToken(piece, "prefix", row);
          else addDoubt(piece, suggest(m[0], prefixes));
          linked ||= !!row;
        }
        if (!linked) addToken(words[n], "argument");
      }
      for (let n = from; n < words.length; n++) {
        const word = words[n];
        if (word.hasVariable) { addToken(word, "argument"); continue; }
        let row = get(kinds, word.text), length = 1;
        if (!row && words[n + 1]) { row = get(kinds, `${word.text} ${words[n + 1].text}`); if (row) length = 2; }
        if (!row && word.text.includes("(")) row = get(kinds, word.text.replace(/\(.*$/, ""));
        if (!row) {
          addToken(word, "argument");
          addUnknown(word, kinds);
          if (words[n + 1] && !get(kinds, words[n + 1].text)) addToken(words[++n], "argument");
          continue;
        }
        const token = addToken(word, "option", row);
        if (length === 2) addToken(words[++n], "option", null, row.name);
        n = readOption(words, n + 1, row, token, kinds) - 1;
      }
    }

    /** Read the arguments of an option from word `n` on; returns the word after them. */
    function readOption(words, n, row, optionToken, kinds) {
      let state = startOf(row);
      while (n < words.length) {
        const word = words[n], transition = transitionOf(state, word.text);
        if (!transition.state) {
          if (!state.isComplete) optionToken.isUnmatched = true;
          if (state.literals.size && !get(kinds, word.text)) {
            if (addDoubt(word, word.hasVariable ? NONE : nearValues(word.text, state.literals.keys()))) { addToken(word, "argument"); return n + 1; }
            if (!state.isComplete) { addToken(word, "argument"); return n + 1; }
          }
          return n;
        }
        if (state.isComplete && !transition.literal && get(kinds, word.text)) return n;
        if (word.text.includes("%[")) readFormat(word, false);
        else if (!transition.literal && transition.isExpression && isExpression(word, transition, NAME.exec(word.text)?.[0])) readExpression(word, 0, false);
        else { addToken(word, transition.literal ? "word" : "argument"); if (!transition.literal && !word.hasVariable && !word.quoted && transition.argument) checkValue(word, state); }
        state = transition.state;
        n++;
      }
      if (!state.isComplete) optionToken.isUnmatched = true;
      return n;
    }

    /* conditions: names of tests, and tests in braces */
    function readTests(words) {
      for (let n = 0; n < words.length; n++) {
        const word = words[n];
        if (/^(?:\|\||or|and|!)$/.test(word.text)) { addToken(word, "operator"); continue; }
        if (word.text === "{" || word.text === "!{") {
          addToken(word, "operator");
          let m = n + 1;
          while (m < words.length && words[m].text !== "}") m++;
          readTest(words.slice(n + 1, m));
          if (words[m]) addToken(words[m], "operator");
          n = m;
          continue;
        }
        const lead = /^!+/.exec(word.text)?.[0].length || 0, name = word.text.slice(lead);
        const row = acls.has(name) ? null : get(kindsOf("acl"), name);
        addToken(row ? partOfWord(word, lead, word.text.length) : word, "aclname", row);
        if (!row && !acls.has(name) && !word.hasVariable && name) addFinding(word, "undeclared", null, nearValues(name, [...acls, ...keys(kindsOf("acl"))]), "Not declared in what you pasted.", name);
      }
    }

    function readTest(words) {
      if (!words.length) return;
      readExpression(words[0], 0, true);
      let n = 1;
      for (; n < words.length; n++) {
        const word = words[n];
        if (word.quoted || !/^-(?:[a-zA-Z]|-)?$/.test(word.text)) break;
        const row = get(kindsOf("flag"), word.text);
        addToken(word, row ? "flag" : "argument", row);
        if (!row && kindsOf("flag").length && word.text !== "-") addFinding(word, "unknown", null, [], "");
        if (word.text === "--") { n++; break; }
        if (/^-[fmu]$/.test(word.text) && words[n + 1]) {
          addToken(words[++n], "argument");
          if (row?.values) checkValue(words[n], {row, literals: new Map(), arguments: [""]});
        }
      }
      for (; n < words.length; n++) addToken(words[n], /^(?:eq|ge|gt|le|lt)$/.test(words[n].text) ? "operator" : "argument");
    }

    /** fetch(arguments),converter(arguments),... from character `from` on; returns where it ends. */
    function readExpression(word, from, test) {
      const text = word.text;
      let n = from, what = "fetch", token;
      for (;;) {
        while (text[n] === " ") n++;
        const name = NAME.exec(text.slice(n, n + 200))?.[0] || "";
        const kinds = kindsOf(what);
        const row = get(kinds, name) || (what === "fetch" && test ? matched(name) : null);
        if (name) {
          const piece = partOfWord(word, n, n + name.length);
          token = addToken(piece, row ? what : "argument", row);
          if (!row && !LUA.test(name) && kinds.length) addUnknown(piece, kinds);
        }
        n += name.length;
        let count = 0;
        if (text[n] === "(") {
          let depth = 0, quote = "";
          if (text[n + 1] !== ")") count++;
          for (; n < text.length; n++) {
            const c = text[n];
            if (quote) { if (c === quote) quote = ""; continue; }
            if (c === "\"" || c === "'") quote = c;
            else if (c === "\\") n++;
            else if (c === "(") depth++;
            else if (c === "," && depth === 1) count++;
            else if (c === ")" && --depth === 0) { n++; break; }
          }
        }
        if (row) token.count = count;
        while (text[n] === " ") n++;
        if (text[n] !== "," || !name) return n;
        n++;
        what = "converter";
      }
    }

    function readFormat(word, aliases) {
      const text = word.text, kinds = kindsOf("alias");
      let any = false;
      for (let n = 0; n < text.length; n++) {
        if (text[n] !== "%") continue;
        if (text[n + 1] === "%") { n++; continue; }
        const lead = /^%(?:\{[^}]{0,99}\})?(?:\([^)]{0,99}\))?(?:\{[^}]{0,99}\})?/.exec(text.slice(n, n + 300)) || ["%"];
        const p = n + lead[0].length;
        if (text[p] === "[") { any = true; n = readExpression(word, p + 1, false); n = max(n, p); continue; }
        const name = /^[A-Za-z][A-Za-z0-9]*/.exec(text.slice(p, p + 20))?.[0];
        if (!aliases || !name || !kinds.length) continue;
        any = true;
        const row = get(kinds, name), piece = partOfWord(word, n, p + name.length);
        addToken(piece, row ? "alias" : "argument", row);
        if (!row) addUnknown(piece, kinds, name);
        n = p + name.length - 1;
      }
      if (!any) addToken(word, "argument");
    }
  }

  /** The sample that a test of `name` matches: "path_beg" is one of "path". */
  function matched(name) {
    return get(kindsOf("fetch"), name.replace(/_(?:beg|dir|dom|end|len|reg|sub|str|bin|int|ip|found)$/, ""));
  }

  const engine = {release, rows, read, get, keys, matched, kindsOf, isSection, byName};
  return engine;
}

root.dconvExplain = {
  data: {},
  pages: {}, // what shows a log and an upgrade, put here by scripts of the page
  /** Data files call this: `part` is "release" or "steps". */
  add(release, part, data) { (this.data[release] ||= {})[part] = data; },
  engine,
};
})();
