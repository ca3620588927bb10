"""Who acts: a person with roles, a customer's link, or the system itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser, User

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser

    from quotes.models import CustomerLink


class Role(StrEnum):
    """What somebody may do; staff roles are the names of Django groups."""

    CUSTOMER = "customer"
    ENGINEER = "sales engineer"
    APPROVER = "approver"
    CATALOG_ADMINISTRATOR = "catalog administrator"
    AUDITOR = "auditor"
    SYSTEM = "system"


STAFF_ROLES = (Role.ENGINEER, Role.APPROVER, Role.CATALOG_ADMINISTRATOR, Role.AUDITOR)
DESK_READERS = frozenset({Role.ENGINEER, Role.APPROVER, Role.AUDITOR})
# Whose work somebody else does while they are away.
DEPUTIZED = frozenset({Role.ENGINEER, Role.APPROVER})


def roles_of(user: AbstractBaseUser | AnonymousUser) -> frozenset[Role]:
    """Give a person's roles from the groups; read once per user object. Runs SQL the first time."""
    if not isinstance(user, User) or not user.is_active:
        return frozenset()
    cached: frozenset[Role] | None = getattr(user, "_sizewright_roles", None)
    if cached is None:
        names = set(user.groups.values_list("name", flat=True))
        cached = frozenset(role for role in STAFF_ROLES if role.value in names)
        user._sizewright_roles = cached  # type: ignore[attr-defined]
    return cached


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something, with the name as it is now; events keep both."""

    name: str
    roles: frozenset[Role]
    user: User | None = None
    link: CustomerLink | None = None

    @classmethod
    def of_user(cls, user: AbstractBaseUser | AnonymousUser) -> Actor:
        """Describe a signed-in person."""
        if not isinstance(user, User):
            return cls(name="", roles=frozenset())
        return cls(name=user.get_full_name() or user.email or user.username, roles=roles_of(user), user=user)

    @classmethod
    def of_link(cls, link: CustomerLink) -> Actor:
        """Describe the customer who holds a link."""
        request = link.request
        return cls(name=request.contact_name or request.customer_name, roles=frozenset({Role.CUSTOMER}), link=link)

    @classmethod
    def customer(cls, name: str) -> Actor:
        """Describe a customer who has no link yet: the one who submits the form."""
        return cls(name=name, roles=frozenset({Role.CUSTOMER}))

    @classmethod
    def submitting(cls, user: AbstractBaseUser | AnonymousUser, *, name: str) -> Actor:
        """Describe who sends the form: an engineer on behalf of a customer who called, else the customer."""
        return cls.of_user(user) if Role.ENGINEER in roles_of(user) else cls.customer(name)

    @classmethod
    def system(cls) -> Actor:
        """Describe the program itself."""
        return cls(name="Sizewright", roles=frozenset({Role.SYSTEM}))

    @property
    def role(self) -> str:
        """Give the role the event shows: the first that counts."""
        order = (Role.SYSTEM, Role.CUSTOMER, Role.APPROVER, Role.ENGINEER, Role.CATALOG_ADMINISTRATOR, Role.AUDITOR)
        return next((role.value for role in order if role in self.roles), "")
