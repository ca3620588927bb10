"""Every text that the engine writes into the ledger is known to the page that says it in the reader's language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from django.utils import translation

import sizing
from quotes.presenter import engine_words

ROOM = Path(sizing.__file__).parent
NAMES_OF_DOCUMENTS = ("Dettmers et al. 2023",)
STANDS_FOR_A_VALUE = "7"


def texts(node: ast.expr, named: dict[str, list[ast.expr]]) -> Iterator[str]:
    """The texts that an expression can be; values inside are a figure."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body, named)
        yield from texts(node.orelse, named)
    elif isinstance(node, ast.Name):
        for one in named.get(node.id, []):
            yield from texts(one, {})
    elif isinstance(node, ast.JoinedStr):
        yield from ("".join(parts) for parts in product(*(list(part(one)) for one in node.values)))


def part(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.FormattedValue):
        if isinstance(node.value, ast.IfExp):
            yield from texts(node.value, {})
        else:
            yield f"'{STANDS_FOR_A_VALUE}'" if node.conversion == ord("r") else STANDS_FOR_A_VALUE
    else:
        yield from texts(node, {})


def assigned(scope: ast.AST) -> dict[str, list[ast.expr]]:
    """What each name of a function is set to, one by one or in a tuple."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(scope):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=True))
            for name, value in pairs:
                if isinstance(name, ast.Name):
                    found.setdefault(name.id, []).append(value)
    return found


def said_by(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call that a page shows as sentences."""
    called = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    keywords = {one.arg: one.value for one in call.keywords}
    spoken = [keywords[name] for name in ("why", "source") if name in keywords]
    if called == "Assumption":
        return [*call.args[3:5], *spoken]
    if called == "Input":
        return [*call.args[5:7], *spoken]
    if called == "warn":
        return call.args[:1]
    is_take = called == "get" and isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") == "take"
    return [*call.args[2:3], *spoken] if is_take else []


def written() -> list[tuple[str, str]]:
    """Each text with the place in the source that writes it."""
    found = set()
    for path in ROOM.rglob("*.py"):
        tree = ast.parse(path.read_text())
        scopes = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))]
        for scope in scopes:
            named = assigned(scope)
            for call in (node for node in ast.walk(scope) if isinstance(node, ast.Call)):
                for argument in said_by(call):
                    found |= {(f"{path.relative_to(ROOM)}", text) for text in texts(argument, named)}
    return sorted(found)


def words(text: str) -> str:
    return text.replace(STANDS_FOR_A_VALUE, "").strip(" :,.'")


def test_every_literal_of_the_ledger_is_known() -> None:
    asked = [(place, text) for place, text in written() if words(text) and text not in NAMES_OF_DOCUMENTS]

    assert len(asked) > 100
    assert [(place, text) for place, text in asked if not engine_words.is_known(text)] == []


def refusals() -> list[tuple[str, str]]:
    """Each sentence that refuses a model, a format or a target, with the place in the source that raises it."""
    found = set()
    for path in (ROOM / "architecture").rglob("*.py"):
        for scope in (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)):
            named = assigned(scope)
            for call in (node for node in ast.walk(scope) if isinstance(node, ast.Call) and len(node.args) > 1):
                called = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
                if called in ("SizingError", "error"):
                    found |= {(path.name, re.sub(r"{\w+}", "7", text)) for text in texts(call.args[1], named)}
    return sorted(found)


def test_every_refusal_of_a_model_is_said_in_russian() -> None:
    with translation.override("ru"):
        english = [(place, text) for place, text in refusals() if not re.search("[а-я]", engine_words.say(text))]

    assert len(refusals()) > 30
    assert english == []


@pytest.mark.parametrize(
    "text",
    [
        "a usual example length; measure the longest examples of the dataset",
        "Load: 37,197 replicas are needed, 256 are placed.",
        "Search: no more than 32 nodes are tried; a larger installation has to be planned by hand.",
        "The rent that was stated is for L4; published rents were used for L40S.",
    ],
)
def test_what_was_left_in_english_is_said_in_russian(text: str) -> None:
    with translation.override("ru"):
        assert engine_words.say(text) != text
