"""Make the demonstration accounts and request, and say how to reach them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from quotes import demo


class Command(BaseCommand):
    """Prints addresses and accounts; safe to run again."""

    help = "Make demonstration accounts and one customer request (development only)"

    def handle(self, *args: Any, **options: Any) -> None:
        """Make what is missing and print it."""
        address = demo.create()
        self.stdout.write("Demonstration accounts, for development only:")
        for account in demo.ACCOUNTS:
            roles = ", ".join(role.value for role in account.roles) or "administrator"
            self.stdout.write(f"  {account.email:24} password {demo.PASSWORD}   {roles}")
        self.stdout.write(f"  customer (no account)    {address}")
