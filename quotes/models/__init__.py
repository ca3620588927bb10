"""The rows of the app, by theme."""

from quotes.models.absences import Absence
from quotes.models.append_only import AppendOnly, AppendOnlyQuerySet, WrittenOnceError
from quotes.models.confirmations import CATALOG_CHANGED, STALE, Confirmable, Confirmation, Party
from quotes.models.documents import Document
from quotes.models.estimates import Estimate
from quotes.models.events import QuoteEvent
from quotes.models.issuers import Issuer, NumberCounter
from quotes.models.kept_catalogs import KeptCatalog
from quotes.models.ledger import Clarification, LedgerEntry, Origin, PilotResult
from quotes.models.mail import Mail
from quotes.models.quotes import (
    CUSTOMER_READS,
    EDITABLE,
    EXPIRED,
    IN_PREPARATION,
    ISSUED,
    LineKind,
    PriceKind,
    Quote,
    QuoteLine,
    Status,
)
from quotes.models.requests import (
    Attachment,
    CustomerLink,
    InternalNote,
    Language,
    Request,
    RequestVersion,
    Route,
)

__all__ = [
    "CATALOG_CHANGED",
    "CUSTOMER_READS",
    "EDITABLE",
    "EXPIRED",
    "IN_PREPARATION",
    "ISSUED",
    "STALE",
    "Absence",
    "AppendOnly",
    "AppendOnlyQuerySet",
    "Attachment",
    "Clarification",
    "Confirmable",
    "Confirmation",
    "CustomerLink",
    "Document",
    "Estimate",
    "InternalNote",
    "Issuer",
    "KeptCatalog",
    "Language",
    "LedgerEntry",
    "LineKind",
    "Mail",
    "NumberCounter",
    "Origin",
    "Party",
    "PilotResult",
    "PriceKind",
    "Quote",
    "QuoteEvent",
    "QuoteLine",
    "Request",
    "RequestVersion",
    "Route",
    "Status",
    "WrittenOnceError",
]
