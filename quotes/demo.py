"""The people and the request of the demonstration: clearly marked, made only on a development installation."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management.base import CommandError
from django.db import transaction

from quotes import links, services
from quotes.actors import Actor, Role
from quotes.models import Issuer, Request

PASSWORD = "sizewright-demo"  # noqa: S105 - a demonstration account, refused where DEBUG is off
KEY = "demo"
ASKED = {
    "id": "demo",
    "workload": {
        "task": "training",
        "method": "qlora",
        "model": {"name": "llama-3.3-70b"},
        "sequence_length": 4096,
        "dataset_tokens": 50_000_000,
        "epochs": 2,
        "parallel_experiments": 2,
    },
    "limits": {
        "deadline_hours": {"must": 168},
        "rack_power_watts": {"must": 12_000},
        "rack_units": {"must": 14},
        "cooling": {"must": "air"},
    },
}
MESSAGE = "Demonstration: Llama 3.3 70B on our contracts, 50 million tokens, two passes, ready within a week."


@dataclass(frozen=True, slots=True)
class Account:
    """One person of the demonstration."""

    email: str
    first_name: str
    roles: tuple[Role, ...]
    is_staff: bool = False
    is_superuser: bool = False


ACCOUNTS = (
    Account("engineer@example.com", "Demo engineer", (Role.ENGINEER,)),
    Account("engineer2@example.com", "Demo colleague", (Role.ENGINEER,)),
    Account("approver@example.com", "Demo approver", (Role.APPROVER,)),
    Account("catalog@example.com", "Demo catalog", (Role.CATALOG_ADMINISTRATOR,), is_staff=True),
    Account("auditor@example.com", "Demo auditor", (Role.AUDITOR,), is_staff=True),
    Account("admin@example.com", "Demo administrator", (), is_staff=True, is_superuser=True),
)


def create() -> str:
    """Make what is missing and give the customer's address; what exists stays as it is.

    Raises
    ------
    CommandError
        Where DEBUG is off: accounts with a known password have no place there.
    """
    if not settings.DEBUG:
        raise CommandError("Demonstration accounts have a known password and are made only with DEBUG=true")
    for account in ACCOUNTS:
        _account(account)
    if not Issuer.objects.exists():
        Issuer.objects.create(
            name="Sizewright demo issuer",
            legal_details="Demonstration company, not a legal person",
            email="quotes@example.com",
            terms_en="Demonstration terms: prices without VAT, delivery by agreement.",
            terms_ru="Демонстрационные условия: цены без НДС, срок поставки по согласованию.",
        )
    return links.address(_request_token())


@transaction.atomic
def _account(account: Account) -> None:
    user, created = User.objects.get_or_create(
        username=account.email,
        defaults={
            "email": account.email,
            "first_name": account.first_name,
            "is_staff": account.is_staff,
            "is_superuser": account.is_superuser,
        },
    )
    if created:
        user.set_password(PASSWORD)
        user.save()
        user.groups.set(Group.objects.filter(name__in=[role.value for role in account.roles]))


def _request_token() -> str:
    former = Request.objects.filter(idempotency_key=KEY).first()
    if former is not None:
        return links.token_of(former) or links.issue(former)[1]
    _request, token = services.submit_request(
        answers={"demo": True},
        asked=ASKED,
        route="qlora",
        language="en",
        contact={
            "contact_name": "Demo customer",
            "organization": "Demonstration GmbH",
            "email": "customer@example.com",
            "message": MESSAGE,
            "consent": True,
        },
        actor=Actor.customer("Demo customer"),
        idempotency_key=KEY,
    )
    return token
