from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CatalogConfig(AppConfig):
    """Hardware, language models, articles, offers and what is known about them."""

    name = "catalog"
    verbose_name = _("Catalog")
