"""Why something is not done, each with the HTTP status it becomes."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _


class Refusal(Exception):
    """Base of what a service refuses; the message is a sentence for the person who asked."""

    status_code = 400

    def __init__(self, message: str | Promise) -> None:
        self.message = str(message)
        super().__init__(self.message)


class NotAllowedError(Refusal):
    """The person may see the thing, and may not do this to it."""

    status_code = 403


class ConflictError(Refusal):
    """The thing is not, or no longer, in a state in which this can be done."""

    status_code = 409


class StaleEditError(ConflictError):
    """Somebody else saved first; carries what is stored now and what was asked for."""

    def __init__(self, *, stored: dict[str, object], asked: dict[str, object]) -> None:
        self.stored = stored
        self.asked = asked
        super().__init__(_("Somebody saved this row while you were editing it. Nothing of yours was written."))


class UnseenError(Refusal):
    """What was posted does not say which version it was decided on, so nobody can tell whether it still is that one."""

    def __init__(self) -> None:
        super().__init__(
            _("This did not say which version of the quote you were looking at. Open the quote and do it from there.")
        )


class BlockedError(ConflictError):
    """Guards keep the quote from moving on; carries them."""

    def __init__(self, guards: list[object]) -> None:
        self.guards = guards
        titles = "; ".join(str(getattr(guard, "title", guard)) for guard in guards)
        super().__init__(_("This can't be done yet: %(reasons)s") % {"reasons": titles})


class SettledLinesError(ConflictError):
    """Lines that somebody priced, confirmed or edited would go; carries their names."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        super().__init__(
            _("These lines were priced, confirmed or edited and would go: %(lines)s") % {"lines": "; ".join(lines)}
        )


class InvalidError(Refusal):
    """The input itself is wrong; names the field."""

    status_code = 422

    def __init__(self, field: str, message: str | Promise) -> None:
        self.field = field
        super().__init__(message)
