"""What `dconv check` sees of defects like those that maintainers repair: `make bench-check`.

    python benchmarks/check_recall.py [--count 3] [--seed 1] [--only NAME] [--misses] [FOLDER…]

FOLDER is a release: a folder with `configuration.txt`, `management.txt`.  By default some are
taken of `$DCONV_CORPUS` or `../shared/corpus`.  One defect at a time is put into the text at a
place that chance chooses, and the text is checked again.  The defect is found where a finding
is new and within two lines of it, or has its name.  Findings are those of all rules; `default`
counts those of rules that are on.  The share of the whole weighs each class by how many
such defects were repaired in HAProxy's history.  A defect takes some two seconds of a processor;
each processor measures its part of the kinds.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from random import Random

from defects.classes import CLASSES, DefectClass
from defects.defect import Defect, DefectGenerator, IntactText

from dconv.build.read import link_texts, read_text
from dconv.linking.symbols import collect_symbols
from dconv.lint.context import Context, contexts
from dconv.lint.rules import RULES, run_rules
from dconv.model.diagnostics import Diagnostic
from dconv.model.origin import Origin
from dconv.model.references import reference_findings
from dconv.model.tree import entries
from dconv.settings.manual import load_product
from dconv.settings.types import Product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import SourceText

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.4", "3.0", "2.6", "1.8")
DOCUMENTS = ("configuration", "management")
STYLE = frozenset(rule.name for rule in RULES if rule.style)
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class OriginalText:
    """A text to put defects into, named `title` ("3.4 configuration"), with its own `findings`."""

    title: str
    text: IntactText
    findings: Counter[tuple[str, str, str]]


@dataclass(slots=True)
class Score:
    """How many defects of a kind were put in, and how many were found."""

    inserted: int = 0
    found: int = 0
    by_default: int = 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; the exit status."""
    parser = argparse.ArgumentParser(prog="check_recall.py")
    parser.add_argument("folders", metavar="FOLDER", nargs="*", type=Path)
    parser.add_argument("--count", type=int, default=3, help="defects of each kind (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only kinds whose names this pattern fits")
    parser.add_argument("--misses", action="store_true", help="show what was not found")
    options = parser.parse_args(arguments)
    product = load_product(resource_folder("manuals") / "haproxy")
    folders = options.folders or _corpus()
    read_manuals = [
        (folder, name, _context((folder / f"{name}.txt").read_bytes(), name, product))
        for folder in folders for name in DOCUMENTS if (folder / f"{name}.txt").is_file()
    ]
    if not read_manuals:
        print("check_recall.py: no manual here: name a folder", file=sys.stderr)
        return 2
    originals = [
        _original(folder, name, context, read_manuals) for folder, name, context in read_manuals
    ]
    gc.disable()  # trees have no cycles
    generators = [
        (defect_class.name, generator)
        for defect_class in CLASSES for generator in defect_class.generators
        if re.search(options.only, f"{defect_class.name} {generator.__name__}")
    ]
    scores: dict[str, dict[str, Score]] = {}
    for name, generator_name, score in _measure_all(generators, originals, product, options):
        scores.setdefault(name, {})[generator_name] = score
    _print(scores)
    return 0


def _measure_all(
    generators: Sequence[tuple[str, DefectGenerator]], originals: Sequence[OriginalText],
    product: Product, options: argparse.Namespace,
) -> Iterator[tuple[str, str, Score]]:
    """The class, the name and the score of each of `generators`, in their order.

    The processes are forks, so that the texts need not be sent to them.
    """
    processes = get_context("fork")
    results: SimpleQueue[tuple[int, Score]] = processes.SimpleQueue()
    count = len(os.sched_getaffinity(0))

    def measure(first: int) -> None:
        for index in range(first, len(generators), count):
            results.put((index, _measure(generators[index][1], originals, product, options)))

    for first in range(count):
        processes.Process(target=measure, args=(first,), daemon=True).start()
    scores = dict(results.get() for _ in generators)
    for index, (name, generator) in enumerate(generators):
        yield name, generator.__name__, scores[index]


def _corpus() -> list[Path]:
    corpus = Path(os.environ.get("DCONV_CORPUS") or ROOT.parent / "shared" / "corpus")
    return [corpus / "haproxy" / version for version in VERSIONS]


def _context(content: bytes, name: str, product: Product) -> Context:
    setting = next(document for document in product.documents if document.name == name)
    text = SourceText(content, setting.file, product, setting, Origin("a benchmark"))
    linked = link_texts([text], [read_text(text)])
    symbols = collect_symbols([(linked[0], setting.file)], product.dialect)
    return contexts(linked, product.dialect, symbols)[0]


def _original(
    folder: Path, name: str, context: Context, read_manuals: Sequence[tuple[Path, str, Context]]
) -> OriginalText:
    own_names = {signature.name for _, entry in context.entries for signature in entry.signatures}
    others = {
        signature.name for _, other, context in read_manuals if other == name
        for _, entry in entries(context.manual) for signature in entry.signatures
    }
    raw = tuple(
        line.rstrip(b"\r\n").decode("utf-8", "replace") for line in context.manual.source.raw
    )
    before = Counter(_key(finding, context) for finding in _findings(context))
    text = IntactText(context, raw, tuple(sorted(others - own_names)))
    return OriginalText(f"{folder.name} {name}", text, before)


def _findings(context: Context) -> Iterator[Diagnostic]:
    yield from context.manual.diagnostics
    yield from reference_findings(context.manual)
    yield from run_rules(context, RULES)


def _key(finding: Diagnostic, context: Context) -> tuple[str, str, str]:
    """What stays the same of a finding when lines above come and go."""
    line = context.lines[finding.line - 1].text if 0 < finding.line <= len(context.lines) else ""
    return finding.rule, line, NUMBER.sub("", finding.message)


def _measure(
    generator: DefectGenerator, originals: Sequence[OriginalText], product: Product,
    options: argparse.Namespace,
) -> Score:
    """Put some defects of one kind into the texts, and count."""
    random = Random(f"{options.seed} {generator.__name__}")
    defects = [(text, defect) for text in originals for defect in generator(text.text, random)]
    score = Score()
    for text, defect in random.sample(defects, min(options.count, len(defects))):
        rules = _rules(text, defect, product)
        score.inserted += 1
        score.found += bool(rules)
        score.by_default += bool(rules - STYLE)
        if options.misses and not rules:
            _print_miss(generator, text, defect)
    return score


def _rules(original: OriginalText, defect: Defect, product: Product) -> frozenset[str]:
    """The rules with findings that tell of `defect`."""
    content = defect.text(original.text.lines).encode()
    context = _context(content, original.text.context.manual.name, product)
    old, places = original.findings.copy(), frozenset(defect.nearby_lines())
    name_pattern = (
        re.compile(rf"(?<![\w-]){re.escape(defect.name)}(?![\w-])") if defect.name else None
    )
    rules: set[str] = set()
    findings = [(finding, _key(finding, context)) for finding in _findings(context)]
    old.subtract(key for _, key in findings)
    for finding, key in findings:
        # one of several equal findings is new: it may be any of them
        if old[key] < 0 and (
            finding.line in places or (name_pattern and name_pattern.search(finding.message))
        ):
            rules.add(finding.rule)
    return frozenset(rules)


def _print_miss(generator: DefectGenerator, original: OriginalText, defect: Defect) -> None:
    report = [f"missed: {generator.__name__}: {original.title}: {defect.name}"]
    for edit in defect.edits:
        for number in range(edit.first, min(edit.last, edit.first + 2) + 1):
            report.append(f"  {number:6} - {original.text.line(number)}")
        report += [f"  {edit.first:6} + {line}" for line in edit.lines[:3]]
    print("\n".join(report), flush=True)


def _share(score: Score, count: Callable[[Score], int]) -> float:
    return count(score) / score.inserted if score.inserted else 0.0


def _print(scores: Mapping[str, Mapping[str, Score]]) -> None:
    """The table, and what it says of the whole."""
    print("| class | repaired | kind | put in | found | by default |")
    print("|---|---|---|---|---|---|")
    for defect_class in CLASSES:
        for index, (name, score) in enumerate(scores.get(defect_class.name, {}).items()):
            head = f"{defect_class.name} | {defect_class.repaired}" if index == 0 else " | "
            defect = name.replace("_", " ")
            print(f"| {head} | {defect} | {score.inserted} | {score.found} | {score.by_default} |")
    for label, count in (("found", _found), ("found by default", _default)):
        parts = [
            (defect_class.repaired, _class_share(defect_class, scores, count))
            for defect_class in CLASSES if defect_class.name in scores
        ]
        total = sum(weight for weight, _ in parts)
        print(f"\n{label}: {sum(weight * share for weight, share in parts) / total:.1%}")


def _class_share(
    defect_class: DefectClass, scores: Mapping[str, Mapping[str, Score]],
    count: Callable[[Score], int],
) -> float:
    class_scores = scores[defect_class.name].values()
    shares = [_share(score, count) for score in class_scores if score.inserted]
    return sum(shares) / len(shares) if shares else 0.0


def _found(score: Score) -> int:
    return score.found


def _default(score: Score) -> int:
    return score.by_default


if __name__ == "__main__":
    sys.exit(main())
