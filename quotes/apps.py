"""Django's description of the app."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class QuotesConfig(AppConfig):
    """Requests, quotes and their documents."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "quotes"
    verbose_name = _("Quotes")

    def ready(self) -> None:
        """Have the groups of the staff made with the tables."""
        from django.apps import apps

        from quotes import roles

        post_migrate.connect(roles.ensure, sender=apps.get_app_config("catalog"), dispatch_uid="quotes.roles")
