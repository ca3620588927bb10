"""Words of price lists: headings as people write them, our names of the columns, and what the cells say."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

GROSS_PRICES = ("price with tax", "price incl. vat", "price including vat", "цена с ндс", "цена с учетом ндс")
NET_PRICES = ("price without tax", "price excl. vat", "price excluding vat", "цена без ндс", "цена без учета ндс")
HEADINGS = {
    "article": ("article", "sku", "part number", "part_number", "pn", "артикул", "парт-номер", "код", "партномер"),
    "name": ("name", "title", "description", "наименование", "название", "товар"),
    "price": (
        *("price", "цена", "стоимость", "price, from", "amount"),
        *("unit price", "price per unit", "цена за шт", "цена за единицу", "цена за ед"),
        *GROSS_PRICES,
        *NET_PRICES,
    ),
    "currency": ("currency", "валюта"),
    "includes_tax": ("includes tax", "with tax", "incl. vat", "с ндс", "включая ндс"),
    "tax": ("tax", "vat", "ндс"),
    "tax_rate": ("tax rate", "vat rate", "ставка ндс"),
    "condition": ("condition", "состояние"),
    "warranty": ("warranty", "warranty, months", "гарантия", "гарантия, мес", "гарантия, мес."),
    "lead_time": ("lead time", "lead time, days", "срок поставки", "срок поставки, дней", "срок"),
    "availability": ("availability", "stock", "наличие"),
    "valid_to": ("valid until", "valid to", "действует до", "срок действия"),
}
COLUMNS = {
    "article": gettext_lazy("Article"),
    "price": gettext_lazy("Price"),
    "quantity": gettext_lazy("Quantity"),
    "currency": gettext_lazy("Currency"),
    "includes_tax": gettext_lazy("Includes tax"),
    "tax": gettext_lazy("Tax"),
    "tax_rate": gettext_lazy("Tax rate"),
    "condition": gettext_lazy("Condition"),
    "warranty": gettext_lazy("Warranty"),
    "lead_time": gettext_lazy("Lead time"),
    "availability": gettext_lazy("Availability"),
    "valid_to": gettext_lazy("Valid until"),
}
CONDITIONS = {
    "new": "new",
    "новый": "new",
    "новое": "new",
    "refurbished": "refurbished",
    "восстановленный": "refurbished",
    "восстановленное": "refurbished",
    "used": "used",
    "б/у": "used",
    "": "unknown",
}
STOCK = {
    "in stock": "in_stock",
    "в наличии": "in_stock",
    "на складе": "in_stock",
    "to order": "to_order",
    "под заказ": "to_order",
    "ended": "ended",
    "снят с производства": "ended",
    "": "unknown",
}
YES = {
    *("yes", "true", "1", "incl", "incl.", "included", "with tax", "with vat", "incl. vat", "gross"),
    *("да", "с ндс", "в т.ч.", "в т.ч. ндс", "вкл", "вкл.", "включен", "включён", "включая ндс"),
}
NO = {
    *("no", "false", "0", "excl", "excl.", "excluded", "without tax", "without vat", "excl. vat", "net"),
    *("нет", "без ндс", "не включен", "не включён", "не облагается"),
}
SUBJECTS = {"", "tax", "vat", "ндс"}
"""Words beside a rate that say nothing of whether the tax is in the price."""
