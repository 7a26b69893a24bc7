"""Which rules a check applies: those that are on by themselves, and what users switch."""

from __future__ import annotations

from collections.abc import Iterable

from dconv.cli.arguments import Arguments, UsageError
from dconv.cli.console import Console
from dconv.cli.outcome import DONE
from dconv.lint import reading, rules
from dconv.lint.formats.report import descriptions
from dconv.settings import Product
from dconv.settings.toml import suggestion

COMPARING = frozenset({"not-documented", "unknown-to-program"})  # which want a list to compare with


def wanted(product: Product, chosen: Arguments) -> frozenset[str]:
    """The names of the rules whose findings the user wants of texts of `product`.

    What the command line says counts more than what `manual.toml` says.  Raises
    `UsageError` for a name that no rule has.
    """
    file = f"{product.folder / 'manual.toml'}: [check]"
    check = product.check
    _expect(check.enable, f"{file} 'enable'")
    _expect(check.disable, f"{file} 'disable'")
    enable, disable = frozenset(chosen.enable or ()), frozenset(chosen.disable or ())
    _expect(enable, "--enable")
    _expect(disable, "--disable")
    for both, where in ((enable & disable, "the command line"), (
        frozenset(check.enable) & frozenset(check.disable), file
    )):
        if both:
            raise UsageError(f"{where} enables and disables '{min(both)}'; keep one of them")
    style = frozenset(rule.name for rule in rules.RULES if rule.style)
    names = frozenset(descriptions()) - (frozenset() if chosen.strict else style)
    wanted = (names | {*check.enable}) - {*check.disable} - disable | enable
    return wanted if chosen.against else wanted - COMPARING


def explain(chosen: Arguments, console: Console) -> int:
    """Print what there is to know about the rule `--explain`; the exit status."""
    _expect([chosen.explain], "--explain")
    rule = descriptions()[chosen.explain]
    style = any(one.style for one in rules.RULES if one.name == rule.name)
    when = "with --strict, or with --enable" if style else "unless --disable"
    console.output(
        f"{rule.name}\n\n{rule.text}\n\n{_more(rule.name)}The level is '{rule.level}'. "
        f"It is told {when} {rule.name} is given.\n"
    )
    return DONE


def _more(name: str) -> str:
    """Where the manual says more of the rule `name`, where it is one of reading."""
    return "Section 11.2 of dconv's manual says more.\n\n" if name in reading.LEVELS else ""


def _expect(names: Iterable[str], where: str) -> None:
    """Raise `UsageError` where one of `names` is no rule's."""
    known = tuple(descriptions())
    for name in names:
        if name not in known:
            raise UsageError(f"{where} names an unknown rule '{name}'; {suggestion(name, known)}")
