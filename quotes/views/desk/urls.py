"""Addresses of the staff's pages."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
