"""What a customer has typed so far: kept in the session, and in a link that holds the answers themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.core import signing
from django.http import HttpRequest

from quotes.forms.models import LONGEST_CONFIG_BYTES

KEY = "draft"
SALT = "quotes.draft"
KEEP_SECONDS = 30 * 24 * 3600
LONGEST_VALUE = 20_000
LONGEST_REASON = 500
MOST_REFUSED = 20
# Who one is stays out of a link that may be forwarded.
PERSONAL = ("contact_name", "organization", "email", "phone", "consent", "may_ask", "message")


class Draft:
    """The draft of one visitor: `values` as typed, `valid` the last value that passed for each field."""

    def __init__(self, request: HttpRequest) -> None:
        self.session = request.session
        stored = request.session.get(KEY) or {}
        self.values: dict[str, Any] = dict(stored.get("values") or {})
        self.valid: dict[str, Any] = dict(stored.get("valid") or {})
        self.files: list[dict[str, Any]] = list(stored.get("files") or [])
        self.refused: list[dict[str, str]] = list(stored.get("refused") or [])
        self.last: dict[str, Any] = dict(stored.get("last") or {})

    def keep(self, values: Mapping[str, Any], *, valid: Mapping[str, Any] | None = None) -> None:
        """Remember what was typed for a month, and which of it was valid."""
        longest = {"config": LONGEST_CONFIG_BYTES}
        self.values.update(
            {
                name: str(value)[: longest.get(name, LONGEST_VALUE)]
                for name, value in values.items()
                if value is not None
            }
        )
        self.valid.update(valid or {})
        self.save()

    def note_refused(self, refused: Iterable[tuple[str, str]], *, tried: Iterable[str]) -> None:
        """Remember which files were refused and why, until they are sent; one that is tried again is judged anew."""
        names = set(tried)
        kept = [one for one in self.refused if one["name"] not in names]
        found = [{"name": name, "message": message[:LONGEST_REASON]} for name, message in refused]
        self.refused = [*kept, *found][-MOST_REFUSED:]
        self.save()

    def save(self) -> None:
        """Write the draft into the session."""
        names = ("values", "valid", "files", "refused", "last")
        self.session[KEY] = {name: getattr(self, name) for name in names}
        self.session.set_expiry(KEEP_SECONDS)

    def forget(self) -> None:
        """Throw the draft away."""
        self.values, self.valid, self.files, self.refused, self.last = {}, {}, [], [], {}
        self.session.pop(KEY, None)

    def token(self) -> str:
        """Pack the answers into a signed text for a link; nothing is stored, nothing personal is in it."""
        values = {name: value for name, value in self.values.items() if value and name not in PERSONAL}
        return signing.dumps(values, salt=SALT, compress=True)


def unpack(token: str) -> dict[str, Any] | None:
    """Read the answers out of a saved link; None where it is damaged or older than a month."""
    try:
        values = signing.loads(token, salt=SALT, max_age=KEEP_SECONDS)
    except signing.BadSignature:
        return None
    return {str(name): str(value) for name, value in values.items()} if isinstance(values, dict) else None
