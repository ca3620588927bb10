"""`python -m sizing estimate|recommend|check-sku|evidence`: JSON Lines in, JSON Lines out, in the same order."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any, TextIO

from sizing import __version__, contract

LONGEST_LINE = 16 * 2**20
NOTHING_TO_READ = {"field": "line", "message": "the line is empty"}


def main(arguments: list[str] | None = None) -> int:
    """Run one command over standard input."""
    parser = argparse.ArgumentParser(prog="python -m sizing", description=__doc__)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (
        ("estimate", "memory, speed and plan of a workload on a system"),
        ("recommend", "ranked systems for a workload within limits"),
        ("check-sku", "what an article names and whether it does the job"),
    ):
        commands.add_parser(name, help=what)
    scoring = commands.add_parser("evidence", help="score the engine on the published measurements it carries")
    scoring.add_argument("--cases", action="store_true", help="a line per case besides the summary")
    options = parser.parse_args(arguments)
    if options.command == "evidence":
        from sizing import evidence

        evidence.report(sys.stdout, cases=options.cases)
        return 0
    ask = {"estimate": contract.estimate, "recommend": contract.recommend, "check-sku": contract.check_article}
    return answer_lines(sys.stdin, sys.stdout, ask[options.command])


def answer_lines(asked: TextIO, answered: TextIO, ask: Callable[[Any], dict[str, Any]]) -> int:
    """One answer a line; a line that is no JSON gets an error and the run goes on."""
    for line in asked:
        if not line.strip():
            continue
        answered.write(as_line(answer_line(line, ask)))
        answered.flush()
    return 0


def as_line(answer: dict[str, Any]) -> str:
    """An answer as one line of text; half characters, which no encoding can write, are escaped."""
    readable = json.dumps(answer, ensure_ascii=False)
    try:
        readable.encode()
    except UnicodeEncodeError:
        readable = json.dumps(answer)
    return readable + "\n"


def answer_line(line: str, ask: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """The answer to one line of text."""
    if len(line) > LONGEST_LINE:
        return {"id": None, "error": {"field": "line", "message": "the line is longer than 16 MiB"}}
    try:
        request = json.loads(line.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as fault:
        return {"id": None, "error": {"field": "line", "message": f"the line is no JSON object: {fault}"[:200]}}
    return ask(request)


if __name__ == "__main__":
    raise SystemExit(main())
