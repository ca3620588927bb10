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
        """Have the groups of the staff made with the tables, and tell the catalog which quotes use its rows."""
        from django.apps import apps

        from catalog import usage
        from quotes import catalog_usage, roles

        post_migrate.connect(roles.ensure, sender=apps.get_app_config("catalog"), dispatch_uid="quotes.roles")
        usage.register(catalog_usage.find)
