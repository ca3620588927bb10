"""Addresses of the customer's side; the names live in the `quotes` namespace."""

from django.urls import path

from quotes.views.customer import accuracy, check, discuss, figures, form, lookups, result, saved, start, uploads

urlpatterns = [
    path("", start.start, name="start"),
    path("size/models/", lookups.models, name="models"),
    path("size/article/", lookups.article_check, name="article_check"),
    path("size/config/", uploads.config, name="config"),
    path("size/files/", uploads.files, name="files"),
    path("size/check/", check.check, name="check"),
    path("size/saved/", saved.saved, name="saved"),
    path("size/saved/<str:token>/", saved.restore, name="restore"),
    path("size/open/", saved.prefill, name="prefill"),
    path("size/<slug:route>/", form.form, name="form"),
    path("size/<slug:route>/preview/", form.preview, name="preview"),
    path("discuss/", discuss.discuss, name="discuss"),
    path("accuracy/", accuracy.accuracy, name="accuracy"),
    path("figures/", figures.figures, name="figures"),
    path("privacy/", accuracy.privacy, name="privacy"),
    path("r/<str:token>/", result.status, name="status"),
    path("r/<str:token>/answer/<uuid:clarification>/", result.answer, name="answer"),
    path("r/<str:token>/claims/", result.claims, name="claims"),
    path("r/<str:token>/accept/", result.accept, name="accept"),
    path("r/<str:token>/decline/", result.decline, name="decline"),
    path("r/<str:token>/documents/<uuid:document>/", result.document, name="document"),
    path("r/<str:token>/pilot.py", result.pilot_script, name="pilot_script"),
    path("r/<str:token>/pilot/", result.pilot_upload, name="pilot_upload"),
    path("r/<str:token>/preliminary.pdf", result.preliminary, name="preliminary"),
]
