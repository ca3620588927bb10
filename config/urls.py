"""Addresses: customers and the desk at the root, the catalog, the admin, accounts."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.urls import include, path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from django.views.i18n import set_language

from catalog.admin.script_texts import i18n_javascript

admin.site.site_header = admin.site.site_title = "Sizewright"
# The admin's own sign-in knows neither the second factor nor the limits on attempts; ours does.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.i18n_javascript = i18n_javascript  # type: ignore[method-assign,assignment]


@never_cache
@require_GET
@login_not_required
def health(request: HttpRequest) -> JsonResponse:
    """Tell a load balancer whether this process answers and reaches its database."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return JsonResponse({"status": "database unreachable"}, status=503)
    return JsonResponse({"status": "ok"})


urlpatterns = [
    path("health/", health, name="health"),
    path("i18n/", login_not_required(set_language), name="set_language"),
    path("admin/", admin.site.urls),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("catalog/", include("catalog.urls")),
    path("", include("quotes.urls")),
]
