"""What allauth may do here."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.urls import reverse

# Where each group of the staff works; the first that a person is in decides.
PLACES = (
    ("sales engineer", "quotes:queue"),
    ("approver", "quotes:queue"),
    ("catalog administrator", "catalog:to_confirm"),
    ("auditor", "quotes:queue"),
)


class StaffAccountAdapter(DefaultAccountAdapter):
    """Accounts are made by an administrator, because an account sees customers' requests."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse every sign-up."""
        return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Lead everybody to the page of their work, and those without a role to the start page."""
        names = set(request.user.groups.values_list("name", flat=True)) if request.user.is_authenticated else set()
        place = next((address for group, address in PLACES if group in names), None)
        return reverse(place) if place else str(super().get_login_redirect_url(request))
