"""What allauth may do here."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class StaffAccountAdapter(DefaultAccountAdapter):
    """Accounts are made by an administrator, because an account sees customers' requests."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse every sign-up."""
        return False
