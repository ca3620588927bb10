"""Price lists: read, compared with the catalog, and loaded all or nothing. A loaded price is never confirmed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from catalog import price_quantities, price_tax, price_values, tables
from catalog.models import Offer, Part, Price, Sku
from catalog.price_columns import PriceColumn, agreed_currency, money, price_columns
from catalog.price_words import COLUMNS, CONDITIONS, HEADINGS, STOCK
from catalog.tables import Row, Unreadable
from sizing.hardware_data import squashed

LARGE_SHIFT = Decimal("0.30")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that keeps a list from being loaded: where it stands and what to do."""

    lines: tuple[int, ...]
    column: str
    value: str
    message: str

    @property
    def heading(self) -> Any:
        """The column in words."""
        return COLUMNS.get(self.column, self.column)


@dataclass(frozen=True, slots=True)
class Priced:
    """One row of a list that speaks of something in the catalog."""

    line: int
    subject: Part | Sku
    title: str
    price: Decimal
    currency: str
    includes_tax: bool | None
    tax_rate: Decimal | None
    condition: str
    warranty: int | None
    lead_time: int | None
    availability: str
    valid_to: Any

    @property
    def condition_label(self) -> Any:
        """The condition in words."""
        return Offer.Condition(self.condition).label

    @property
    def key(self) -> tuple[str, int, str]:
        """What the price is for: the part or article, in one condition."""
        return type(self.subject).__name__, self.subject.pk, self.condition


@dataclass(frozen=True, slots=True)
class Change:
    """A price that differs from the one in force."""

    row: Priced
    before: Price

    @property
    def share(self) -> Decimal | None:
        """Shift of the price, None where the currency or the tax changed with it."""
        same = self.before.currency == self.row.currency and self.before.includes_tax == self.row.includes_tax
        return self.row.price / self.before.amount_high - 1 if same else None

    @property
    def percent(self) -> float | None:
        """Shift of the price in percent."""
        return None if self.share is None else float(100 * self.share)

    @property
    def is_large(self) -> bool:
        """Whether somebody has to look at it before it is loaded."""
        return self.share is None or abs(self.share) > LARGE_SHIFT


@dataclass(slots=True)
class Plan:
    """What loading a list would do. Nothing has been written."""

    supplier: str
    rows: int = 0
    new: list[Priced] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)
    unchanged: list[Priced] = field(default_factory=list)
    foreign: list[tuple[int, str]] = field(default_factory=list)
    unpriced: list[tuple[int, str]] = field(default_factory=list)
    repeated: list[tuple[int, str]] = field(default_factory=list)
    missing: list[Offer] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    offers: dict[tuple[str, int, str], Offer] = field(default_factory=dict)

    @property
    def large(self) -> list[Change]:
        """Shifts that somebody has to look at."""
        return [change for change in self.changed if change.is_large]


class Index:
    """Everything of the catalog that a list can name, by every spelling without case, spaces and dashes."""

    def __init__(self) -> None:
        self.found: dict[str, dict[tuple[str, int], Part | Sku]] = {}
        for part in Part.objects.all():
            for name in {part.slug, part.name, f"{part.vendor} {part.name}", part.part_number}:
                self._put(name, part)
        for sku in Sku.objects.all():
            self._put(sku.article, sku)

    def _put(self, name: str, subject: Part | Sku) -> None:
        if name:
            self.found.setdefault(squashed(name), {})[type(subject).__name__, subject.pk] = subject

    def named(self, *texts: str) -> list[Part | Sku]:
        """What a row's article or name is; more than one where it could be several things."""
        for text in texts:
            if text and (subjects := self.found.get(squashed(text))):
                return list(subjects.values())
        return []


def plan(rows: Sequence[Row], *, supplier: str, currency: str = "", decimal: str = "") -> Plan:
    """Compare a list with the catalog. Runs a fixed number of queries and writes nothing.

    Raises
    ------
    Unreadable
        Where the list has no column of prices, or none of articles and names.
    """
    result = Plan(supplier, rows=len(rows))
    columns = price_columns(rows)
    index = Index()
    mark = decimal or tables.usual_mark([money(_price(row, columns)[0])[0] for row in rows])
    read: dict[tuple[str, int, str], Priced] = {}
    for row in rows:
        priced = _read_row(row, index, result, columns=columns, currency=currency, decimal=mark)
        if priced is None:
            continue
        former = read.setdefault(priced.key, priced)
        if former is priced:
            continue
        if (former.price, former.currency) == (priced.price, priced.currency):
            result.repeated.append((priced.line, priced.title))
        else:
            text = _("%(a)s and %(b)s for the same thing in the same condition. Keep one, or name the condition.")
            message = text % {"a": former.price, "b": priced.price}
            result.faults.append(Fault((former.line, priced.line), "article", priced.title, message))
    _compare(read, result)
    return result


def _cell(row: Row, column: str) -> Any:
    value = next((row.values[name] for name in HEADINGS[column] if row.values.get(name) not in (None, "")), "")
    return value.strip() if isinstance(value, str) else value


def _price(row: Row, columns: Sequence[PriceColumn]) -> tuple[Any, PriceColumn]:
    """The first price of a row and the column that it stands in."""
    column = next((column for column in columns if row.values.get(column.heading) not in (None, "")), columns[0])
    value = row.values.get(column.heading)
    return ("" if value is None else value.strip() if isinstance(value, str) else value), column


def _read_row(
    row: Row, index: Index, result: Plan, *, columns: Sequence[PriceColumn], currency: str, decimal: str
) -> Priced | None:
    article, name = str(_cell(row, "article")), str(_cell(row, "name"))
    try:
        price_values.written(article), price_values.written(name)
    except Unreadable as error:
        result.faults.append(Fault((row.line,), "article", (article or name)[:80], str(error)))
        return None
    subjects = index.named(article, name)
    if not subjects:
        result.foreign.append((row.line, (article or name)[:120]))
        return None
    if len(subjects) > 1:
        several = ", ".join(str(subject) for subject in subjects)[:200]
        result.faults.append(Fault((row.line,), "article", article or name, _("could be several things: %s") % several))
        return None
    if _price(row, columns)[0] == "":
        result.unpriced.append((row.line, (article or name)[:120]))
        return None
    values = _values(row, result, columns=columns, fallback=currency, decimal=decimal)
    if values is None:
        return None
    return Priced(row.line, subjects[0], (name or article)[:300], **values)


def _values(
    row: Row, result: Plan, *, columns: Sequence[PriceColumn], fallback: str, decimal: str
) -> dict[str, Any] | None:
    """All values of a row, None where one of them is wrong; every wrong one is reported."""
    price, priced = _price(row, columns)
    number, word = money(price)
    said = {"word": word, "heading": priced.currency, "fallback": fallback}
    readers: Mapping[str, tuple[str, Any]] = {
        "price": ("price", lambda _value: price_values.positive(tables.amount(number, decimal))),
        "currency": ("currency", lambda value: agreed_currency(value, code=tables.currency(value), **said)),
        "condition": ("condition", lambda value: price_values.word(value, CONDITIONS)),
        "warranty": ("warranty", price_values.short),
        "lead_time": ("lead_time", price_values.short),
        "availability": ("availability", lambda value: price_values.word(value, STOCK)),
        "valid_to": ("valid_to", price_values.not_passed),
    }
    values: dict[str, Any] = {}
    for name, (column, reader) in readers.items():
        given = price if column == "price" else _cell(row, column)
        try:
            values[name] = reader(price_values.written(given))
        except Unreadable as error:
            result.faults.append(Fault((row.line,), column, str(given)[:80], str(error)))
    cells = {column: _cell(row, column) for column in price_tax.COLUMNS}
    try:
        tax = price_tax.read(cells, price=values.get("price"), in_heading=priced.includes_tax)
    except price_tax.Unclear as error:
        result.faults.append(Fault((row.line,), error.column, str(cells.get(error.column, ""))[:80], str(error)))
        return None
    try:
        price_quantities.check(row.values, price=values.get("price"), heading=priced.heading, decimal=decimal)
    except Unreadable as error:
        result.faults.append(Fault((row.line,), "quantity", "", str(error)))
        return None
    if len(values) < len(readers):
        return None
    return values | {"includes_tax": tax.is_included, "tax_rate": tax.rate}


def _compare(read: dict[tuple[str, int, str], Priced], result: Plan) -> None:
    offers = Offer.objects.filter(supplier=result.supplier).select_related("part", "sku")
    for offer in offers:
        kind, pk = ("Sku", offer.sku_id) if offer.sku_id else ("Part", offer.part_id)
        result.offers[str(kind), int(pk or 0), offer.condition] = offer
    current = Price.objects.filter(offer__supplier=result.supplier).current().select_related("offer").order_by("pk")
    in_force = {price.offer_id: price for price in current}
    for key, row in read.items():
        known = result.offers.get(key)
        before = in_force.get(known.pk) if known else None
        if before is None:
            result.new.append(row)
        elif _is_same(row, before):
            result.unchanged.append(row)
        else:
            result.changed.append(Change(row, before))
    result.missing = [offer for key, offer in result.offers.items() if key not in read]


def _is_same(row: Priced, before: Price) -> bool:
    return (row.price, row.currency, row.includes_tax, row.tax_rate, row.valid_to) == (
        before.amount_high,
        before.currency,
        before.includes_tax,
        before.tax_rate_percent,
        before.valid_to,
    ) and before.amount_low == before.amount_high
