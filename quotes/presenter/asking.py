"""Questions about an assumption in plain words, as an engineer would ask the customer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quotes.presenter import assumptions

PLAIN = {
    "limits.deadline_hours": gettext_lazy(
        "How long may one run take? You named no deadline, so we reckoned with at most %(value)s."
    ),
    "workload.concurrency": gettext_lazy(
        "How many requests will there be at the same time in the busiest hour? We reckoned with %(value)s."
    ),
    "workload.ttft_ms": gettext_lazy("How long may people wait for the first word? We reckoned with %(value)s."),
    "workload.sequence_length": gettext_lazy("How long are your longest texts? We reckoned with %(value)s."),
    "workload.input_tokens": gettext_lazy("How long is a question as a rule? We reckoned with %(value)s."),
    "workload.output_tokens": gettext_lazy("How long is an answer as a rule? We reckoned with %(value)s."),
    "economics.hours_per_day": gettext_lazy("How many hours a day will the server work? We reckoned with %(value)s."),
}


def question(one: Mapping[str, Any]) -> str:
    """Ask about an assumption in the language in force; the engineer may change the words."""
    said = {"label": assumptions.label(one), "value": assumptions.value(one)}
    plain = PLAIN.get(str(one.get("key") or ""))
    if plain is not None:
        return str(plain) % said
    return (
        _("Nobody told us this: %(label)s. We reckoned with %(value)s. Is it so with you, and if not, what is it?")
        % said
    )
