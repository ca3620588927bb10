"""The form of a line: what is delivered, how much of it, and at what price."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from quotes.models import LineKind, PriceKind, QuoteLine
from quotes.views.desk.forms import NARROW, TEXT, VersionedForm


class CommaDecimalField(forms.DecimalField):
    """A decimal typed with comma or point, spaces between thousands allowed: 9,99 and 1 234.50."""

    def to_python(self, value: Any) -> Any:
        """Read the number whatever its separator."""
        if isinstance(value, str):
            value = "".join(value.split()).replace("\u202f", "").replace("\u00a0", "")
            if "," in value and "." not in value:
                value = value.replace(",", ".")
            elif "," in value:
                value = value.replace(",", "")
        return super().to_python(value)


def _decimal(
    label: Any, wrong: Any, *, required: bool = False, low: Decimal | int = 0, high: int = 10**12 - 1
) -> CommaDecimalField:
    """Make the field; `wrong` says every mistake and holds no percent sign: Django interpolates it for some of them."""
    widget = forms.TextInput(attrs={**NARROW, "inputmode": "decimal"})
    codes = ("min_value", "max_value", "max_digits", "max_whole_digits", "max_decimal_places", "invalid", "required")
    return CommaDecimalField(
        label=label,
        required=required,
        min_value=low,
        max_value=high,
        decimal_places=2,
        max_digits=14,
        widget=widget,
        error_messages=dict.fromkeys(codes, wrong),
    )


class LineForm(VersionedForm):
    """A position with quantity and price; empty price: no price, never zero."""

    kind = forms.ChoiceField(label=_("Kind"), choices=LineKind.choices, widget=forms.Select(attrs=NARROW))
    description = forms.CharField(label=_("Position"), max_length=300, widget=forms.TextInput(attrs=TEXT))
    article = forms.CharField(
        label=_("Article"), required=False, max_length=120, widget=forms.TextInput(attrs={"class": "input input--mono"})
    )
    detail = forms.CharField(
        label=_("Detail"),
        help_text=_("Condition, warranty, what the price rests on"),
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs=TEXT),
    )
    quantity = _decimal(
        _("Quantity"),
        _("The quantity is from 0.01 to 100,000. Type how many are delivered"),
        required=True,
        low=Decimal("0.01"),
        high=100_000,
    )
    price_kind = forms.ChoiceField(
        label=_("Price is"), choices=PriceKind.choices, widget=forms.Select(attrs=NARROW), initial=PriceKind.FIRM
    )
    unit_price = _decimal(
        _("Price of one, without tax"),
        _("A price is from 0 to 999,999,999,999 with two decimals. Type it, or choose “no price”"),
    )
    discount_percent = _decimal(
        _("Discount, %"), _("The discount is from 0 to 100 percent. Leave it empty for none"), high=100
    )
    tax_rate = _decimal(_("Tax rate, %"), _("The tax rate is from 0 to 99 percent. Leave it empty for none"), high=99)
    unit_cost = _decimal(
        _("Our cost of one"), _("Our cost is from 0 to 999,999,999,999. Leave it empty where it is not known")
    )

    def __init__(
        self,
        *args: Any,
        line: QuoteLine | None = None,
        tax_rate: Decimal | None = None,
        to_be_priced: bool = False,
        **kwargs: Any,
    ) -> None:
        if line is not None:
            kwargs["initial"] = {name: getattr(line, name) for name in self.base_fields}
            if to_be_priced:
                kwargs["initial"]["price_kind"] = PriceKind.FIRM
        elif tax_rate is not None:
            kwargs["initial"] = {"tax_rate": tax_rate, "quantity": 1, "discount_percent": 0}
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        """Hold price and its kind together: a quoted price has a number, no price has none."""
        cleaned = super().clean() or {}
        kind, price = cleaned.get("price_kind"), cleaned.get("unit_price")
        if kind in (PriceKind.FIRM, PriceKind.ESTIMATE) and price is None and "unit_price" not in self.errors:
            self.add_error("unit_price", _("Type the price, or choose “no price” or “included”"))
        if kind in (PriceKind.NONE, PriceKind.INCLUDED) and price is not None:
            self.add_error("price_kind", _("There is a price: choose “quoted” or “estimate”, or clear it"))
        for name in ("discount_percent", "tax_rate"):
            if cleaned.get(name) is None:
                cleaned[name] = Decimal(0)
        return cleaned
