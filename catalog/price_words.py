"""Words of price lists: headings as people write them, our names of the columns, and what the cells say."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

HEADINGS = {
    "article": ("article", "sku", "part number", "part_number", "pn", "артикул", "парт-номер", "код", "партномер"),
    "name": ("name", "title", "description", "наименование", "название", "товар"),
    "price": ("price", "цена", "стоимость", "price, from", "amount"),
    "currency": ("currency", "валюта"),
    "tax": ("includes tax", "tax", "vat", "ндс", "с ндс"),
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
    "currency": gettext_lazy("Currency"),
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
YES = {"yes", "true", "1", "да", "с ндс", "incl", "included", "gross"}
NO = {"no", "false", "0", "нет", "без ндс", "excl", "excluded", "net"}
