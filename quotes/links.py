"""The customer's private address: unguessable, expiring, revocable, issued again at will.

The token is derived from a random nonce and the site's secret key, so that a later letter can carry the same address,
while the database alone, which keeps nonce and SHA-256, opens nothing.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import urlsafe_base64_encode

from quotes.duplicates import have_same_email
from quotes.models import CustomerLink, Issuer, Request

SALT = "quotes.links"


def digest(token: str) -> str:
    """Give the SHA-256 under which a token is known."""
    return hashlib.sha256(token.encode()).hexdigest()


def _derive(nonce: str) -> str:
    return urlsafe_base64_encode(salted_hmac(SALT, nonce, algorithm="sha256").digest())


def issue(request: Request, *, by: User | None = None) -> tuple[CustomerLink, str]:
    """Make a link and give it with its token, which is shown once."""
    nonce = secrets.token_urlsafe(32)
    token = _derive(nonce)
    link = CustomerLink.objects.create(
        request=request,
        nonce=nonce,
        token_sha256=digest(token),
        expires_at=timezone.now() + timedelta(days=Issuer.current().link_days),
        issued_by=by,
    )
    return link, token


def find(token: str) -> CustomerLink | None:
    """Give the link of a token with its request, closed ones included; None for a stranger's guess."""
    return CustomerLink.objects.select_related("request__merged_into").filter(token_sha256=digest(token)).first()


def leads_to(link: CustomerLink) -> str | None:
    """Give the token of the request that a merged one leads on to; None where the two are not one person's. Runs SQL.

    Asked anew each time: an address that was changed after the merge leads nowhere.
    """
    closed, survivor = link.request, link.request.merged_into
    if survivor is None or not closed.link_leads_on or not have_same_email(closed, survivor):
        return None
    return token_of(survivor)


def token_of(request: Request) -> str | None:
    """Give the token of the newest open link; None when there is none or the secret key has changed since."""
    link = request.links.open().first()
    if link is None:
        return None
    token = _derive(link.nonce)
    return token if digest(token) == link.token_sha256 else None


def address(token: str) -> str:
    """Give the full address a letter carries."""
    return settings.SITE_URL + reverse("quotes:status", kwargs={"token": token})
