"""Addresses of the catalog."""

app_name = "catalog"
urlpatterns: list[object] = []
