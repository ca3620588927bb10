"""People who type: each has a form of its own and changes one answer after another, as a hand at a keyboard does."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from time import perf_counter, sleep
from urllib.parse import urlencode

Fields = dict[str, str]

MODELS = ("llama 3", "Llama 3.3 70B", "Qwen2.5 3", "Qwen2.5 32B", "llama-3.1-8b", "gpt", "mixtral-8x7b", "deepseek-v3")
LENGTHS = ("2", "20", "204", "2048", "4 096", "8192", "1,5", "16384")
SITE = {"rack_power_kw": ("1", "10", "10,5"), "budget": ("3", "300", "300 000"), "racks": ("1", "2")}
TRAINED = {
    "model_name": MODELS,
    "sequence_length": LENGTHS,
    "dataset_amount": ("5", "50", "500", "2,5", "20 000"),
    "dataset_unit": ("dialogues", "million_tokens", "documents", "gigabytes"),
    "dataset_language": ("ru", "en", "mixed"),
    "epochs": ("1", "2", "3"),
    "global_batch": ("6", "64", ""),
    "deadline_amount": ("7", "14", "30"),
}
SERVED = {
    "model_name": MODELS,
    "users": ("6", "60", "600"),
    "input_tokens": LENGTHS,
    "output_tokens": ("4", "40", "400"),
    "first_word_seconds": ("2", "1,5", "0.5"),
    "weights": ("fp8", "bf16", "awq", ""),
}
SHAPES = {"layers": ("2", "24", "32"), "hidden_size": ("2048", "4096"), "query_heads": ("16", "32")}
WAYS: dict[str, tuple[Fields, dict[str, tuple[str, ...]]]] = {
    "adapters": (
        {"model_name": "llama-3.3-70b", "dataset_amount": "50", "epochs": "2", "when": "in", "deadline_amount": "7"},
        TRAINED | SITE | {"method": ("lora", "qlora", "auto"), "lora_rank": ("1", "16", "64", "128")},
    ),
    "full": ({"model_name": "llama-3.1-8b", "dataset_amount": "300", "epochs": "1"}, TRAINED | SITE),
    "scratch": (
        {"layers": "24", "hidden_size": "2048", "query_heads": "16", "vocabulary": "50304", "dataset_amount": "26000"},
        {name: values for name, values in TRAINED.items() if name != "model_name"} | SHAPES,
    ),
    "service": ({"model_name": "llama-3.3-70b", "users": "600", "output_tokens": "400"}, SERVED | SITE),
    "documents": (
        {"model_name": "qwen2.5-32b", "documents": "200000", "users": "600"},
        SERVED | {"documents": ("2", "200", "200000"), "pages_per_document": ("8", "12,5")},
    ),
}
LOOKS = (("plain", "ru"), ("plain", "en"), ("expert", "ru"))
COUNTS = (("adapters", 8), ("full", 3), ("service", 4), ("documents", 3), ("scratch", 2))
# Of twenty people: which form, in which depth, in which language.
PEOPLE = [(way, *look) for way, count in COUNTS for look in itertools.islice(itertools.cycle(LOOKS), count)]
TIMING = re.compile(r"(\w+);dur=([\d.]+)")


@dataclass(frozen=True, slots=True)
class Answer:
    """One preview: by which form, status, and milliseconds in the server, of its CPU, and until the person saw it."""

    way: str
    status: int
    wall_ms: float
    cpu_ms: float
    seen_ms: float
    size_bytes: int


class Filled(HTMLParser):
    """Reads the form of a page with what stands in it."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: Fields = {}
        self._select = self._area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the value of a control."""
        named = dict(attrs)
        name, value = named.get("name") or "", named.get("value") or ""
        if tag == "input" and name and (named.get("type") not in ("radio", "checkbox", "file") or "checked" in named):
            self.fields[name] = value
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and ("selected" in named or self._select not in self.fields):
            self.fields[self._select] = value
        elif tag == "textarea" and name:
            self._area, self.fields[name] = name, ""

    def handle_endtag(self, tag: str) -> None:
        """Leave a control."""
        self._select = "" if tag == "select" else self._select
        self._area = "" if tag == "textarea" else self._area

    def handle_data(self, data: str) -> None:
        """Take the text of a text area."""
        if self._area:
            self.fields[self._area] += data


@dataclass(slots=True)
class Person:
    """One person with a connection that stays open, cookies, and a form."""

    port: int
    way: str
    depth: str
    language: str
    answers: list[Answer] = field(default_factory=list)
    fields: Fields = field(default_factory=dict)
    cookies: SimpleCookie = field(default_factory=SimpleCookie)
    connection: HTTPConnection | None = None

    def open(self) -> None:
        """Open the form as the browser does: its cookies, its token, what stands in it."""
        self.connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        status, _timing, page = self._ask("GET", f"/size/{self.way}/?depth={self.depth}")
        if status != 200:
            raise RuntimeError(f"The form of {self.way} answers {status}.")
        read = Filled()
        read.feed(page.decode())
        self.fields = read.fields | WAYS[self.way][0]

    def changes(self) -> Iterator[tuple[str, str]]:
        """Give one change after another: every answer in turn, each time with its next value."""
        turns = [(name, itertools.cycle(values)) for name, values in WAYS[self.way][1].items()]
        for name, values in itertools.cycle(turns):
            yield name, next(values)

    def type_until(self, end: float, *, first: float, every_s: float) -> None:
        """Change an answer every so many seconds; a late answer does not slow the hand down."""
        for number, (name, value) in enumerate(self.changes()):
            due = first + number * every_s
            if due >= end:
                return
            sleep(max(0.0, due - perf_counter()))
            self.fields[name] = value
            status, timing, page = self._ask("POST", f"/size/{self.way}/preview/?depth={self.depth}")
            seen = (perf_counter() - due) * 1000
            self.answers.append(Answer(self.way, status, timing["wall"], timing["cpu"], seen, len(page)))

    def _ask(self, method: str, path: str) -> tuple[int, dict[str, float], bytes]:
        assert self.connection is not None
        headers = {"Accept-Language": self.language, "HX-Request": "true", "Accept": "text/html"}
        headers["Cookie"] = "; ".join(f"{name}={morsel.value}" for name, morsel in self.cookies.items())
        body = urlencode(self.fields) if method == "POST" else None
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["X-CSRFToken"] = self.fields["csrfmiddlewaretoken"]
        self.connection.request(method, path, body=body, headers=headers)
        answer = self.connection.getresponse()
        page = answer.read()
        for line in answer.headers.get_all("Set-Cookie") or []:
            self.cookies.load(line)
        timing = dict(TIMING.findall(answer.headers.get("Server-Timing") or ""))
        return answer.status, {name: float(timing.get(name, 0)) for name in ("wall", "cpu")}, page
