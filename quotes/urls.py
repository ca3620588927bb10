"""Addresses: the customer's pages at the root, the staff's under desk/."""

from django.urls import include, path

app_name = "quotes"
urlpatterns = [
    path("desk/", include("quotes.views.desk.urls")),
    path("", include("quotes.views.customer.urls")),
]
