"""The staff's groups and what they may do in the admin, put in order after every migration."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig, apps
from django.contrib.auth.management import create_permissions
from django.contrib.auth.models import Group, Permission
from django.db.models import Q

from quotes.actors import STAFF_ROLES, Role


def ensure(sender: AppConfig, using: str = "default", **_rest: Any) -> None:
    """Make the groups and give the catalog administrator the catalog; safe to run again."""
    create_permissions(apps.get_app_config("catalog"), verbosity=0, using=using)
    groups = {role: Group.objects.using(using).get_or_create(name=role.value)[0] for role in STAFF_ROLES}
    catalog = Permission.objects.using(using).filter(content_type__app_label="catalog")
    groups[Role.CATALOG_ADMINISTRATOR].permissions.set(catalog)
    groups[Role.AUDITOR].permissions.set(catalog.filter(Q(codename__startswith="view_")))
