"""Sign-in of the staff; customers have links instead of accounts."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The rules by which staff sign in."""

    name = "accounts"
