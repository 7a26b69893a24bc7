// The part of the explanation page for upgrades, loaded with explain-upgrade.js.
// @ts-check
(function () {
"use strict";
const explain = /** @type {any} */ (globalThis).dconvExplain;

explain.pages.upgrade = ({advice, code, COUNT, element, engineOf, load, manualLink, MAX_ROWS, plural, product, releaseBox}) => {

/** The upgrade steps from `older` to `newer`, in order; none if one is missing. */
async function stepsBetween(older, newer) {
  const versions = [];
  let at = newer;
  while (at && at !== older) {
    versions.unshift(at);
    at = [...releaseBox.options].find((option) => option.value === at)?.dataset.previous;
  }
  if (!at) return [];
  const loads = await Promise.all(versions.map((version) => load(`${encodeURIComponent(version)}/steps.js`)));
  return loads.every(Boolean) ? versions.map((version) => explain.data[`${product}/${version}`].steps) : [];
}

/** What reads a configuration that moves from the release `from` to that of `newer`, and compares the two; or null. */
async function move(from, newer) {
  const [older, steps] = await Promise.all([engineOf(from), stepsBetween(from, newer.release.version)]);
  return older && {
    read: (input) => explain.upgrade(input, older, newer, steps),
    comparison: (context) => comparison(explain.compare(older, newer, steps), context),
  };
}

/** What an upgrade changes outside of the configuration's lines: folded. */
function foldedGroups({absent, unaffected}, context) {
  return [...absent.length ? [absentDefaults(absent, context)] : [], ...unaffected.length ? [unaffectedChanges(unaffected, context)] : []];
}

/** What changed of a default and of the arguments, these below each other. */
function changeParts({sentence, before, after}) {
  const parts = [sentence];
  if (before.length) parts.push(element("span", {class: "forms"}, element("span", {}, "was ", code(before.join(" / "))), " ", element("span", {}, "is ", code(after.join(" / ")))));
  return parts;
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

function kindOf(row) {
  return element("span", {class: "where"}, ` ${row.kind} `);
}

/** What changed between two releases, for readers without a configuration: a sentence, and groups. */
function comparison(changes, {version, from}) {
  const groups = [
    ["Removed", "wrong", changes.removed, ({row, sentence}) => [manualLink(code(row.name), row.url, from), kindOf(row), advice(sentence)]],
    ["Renamed or moved", "wrong", changes.renamed, ({row, to, kind, url}) => [manualLink(code(row.name), row.url, from), kindOf(row), ...(kind ? [`In ${version} only as ${kind}: `] : ["Now "]), ...to.flatMap((name, at) => [at ? ", " : "", manualLink(code(name), at ? "" : url, version)]), "."]],
    ["Deprecated", "old", changes.deprecated, ({row, sentence}) => [manualLink(code(row.name), row.url, version), kindOf(row), sentence]],
    ["Changed", "differs", changes.changed, (each) => [manualLink(code(each.row.name), each.row.url, version), kindOf(each.row), ...changeParts(each)]],
    ["Added", "", changes.added, ({row}) => [manualLink(code(row.name), row.url, version), kindOf(row), row.summary]],
  ].filter(([, , rows]) => rows.length);
  const counts = groups.map(([title, , rows]) => `${COUNT.format(rows.length)} ${title.toLowerCase()}`).join(", ");
  const summary = `From ${from} to ${version}: ${counts || "nothing changed"}. Paste a configuration to see what of it matters to you.`;
  return {summary, groups: groups.map(([title, look, rows, parts]) => {
    const list = element("ul", {});
    for (const row of rows.slice(0, MAX_ROWS)) list.append(element("li", {}, ...parts(row)));
    const group = element("details", {class: `group ${look}`}, element("summary", {}, element("h2", {}, title, " ", element("small", {}, COUNT.format(rows.length)))), list);
    group.open = title !== "Added" && rows.length < 60;
    return group;
  })};
}

return {changeParts, foldedGroups, move};
};
})();
