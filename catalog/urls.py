"""Addresses of the catalog."""

from django.urls import path

from catalog.views import (
    articles,
    comparison,
    gpus,
    language_models,
    model_folders,
    parts,
    platforms,
    price_lists,
    selections,
    worklists,
)

app_name = "catalog"
urlpatterns = [
    path("", gpus.index, name="index"),
    path("gpus/<slug:slug>/", gpus.gpu, name="gpu"),
    path("platforms/", platforms.platforms, name="platforms"),
    path("platforms/<slug:slug>/", platforms.platform, name="platform"),
    path("parts/<slug:kind>/", parts.parts, name="parts"),
    path("models/", language_models.language_models, name="language_models"),
    path("models/add/", language_models.add_language_model, name="add_language_model"),
    path("models/import/", model_folders.language_model_files, name="language_model_files"),
    path("models/import/load/", model_folders.load_language_models, name="load_language_models"),
    path("models/<str:slug>/", language_models.language_model, name="language_model"),
    path("articles/", articles.articles, name="articles"),
    path("article/", articles.article, name="article"),
    path("article/keep/", articles.keep_article, name="keep_article"),
    path("compare/", comparison.compare, name="compare"),
    path("selections/", selections.collections, name="collections"),
    path("selections/<slug:slug>/", selections.collection, name="collection"),
    path("to-confirm/", worklists.to_confirm, name="to_confirm"),
    path("to-confirm/confirm/", worklists.confirm, name="confirm"),
    path("evidence/<slug:key>/", worklists.evidence, name="evidence"),
    path("unknown-facts/", worklists.unknown_facts, name="unknown_facts"),
    path("facts/choose/", worklists.choose_fact, name="choose_fact"),
    path("price-lists/", price_lists.price_list, name="price_list"),
    path("price-lists/import/", price_lists.import_price_list, name="import_price_list"),
]
