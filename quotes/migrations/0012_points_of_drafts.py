import hashlib

from django.db import migrations

PREPARED = ["draft", "in_review", "awaiting_customer", "ready"]
OF_PRICE = ("Budget", "budget", "lines priced", "lines have a price", " USD ", " EUR ")


def note_conditions(apps, schema_editor):
    """Give quotes in preparation the points that new ones get: conditions of the chosen machine, the catalog's word."""
    Quote = apps.get_model("quotes", "Quote")
    LedgerEntry = apps.get_model("quotes", "LedgerEntry")
    for quote in Quote.objects.filter(status__in=PREPARED).select_related("estimate", "issuer"):
        candidates = [*(quote.estimate.output.get("candidates") or [])]
        chosen = next((one for one in candidates if one.get("rank") == quote.chosen_rank), None) or {}
        machine = [str(chosen.get(name)) for name in ("platform", "gpu", "gpus_per_node", "nodes")]
        texts = dict.fromkeys(str(text) for text in chosen.get("conditional") or [])
        for position, text in enumerate(texts, start=1):
            if any(word in text for word in OF_PRICE):
                continue
            key = "candidate.condition." + hashlib.sha256("|".join([*machine, text]).encode()).hexdigest()[:16]
            fields = {"position": position, "label": text[:240], "why": text, "decisive": True}
            LedgerEntry.objects.get_or_create(quote=quote, key=key, defaults=fields)
        lines = quote.lines.filter(confirmation="confirmed", confirmed_by=None, typed_by_hand=False)
        lines.exclude(confirmed_by_name__in=["", quote.issuer.name]).update(is_of_catalog=True)


class Migration(migrations.Migration):
    dependencies = [("quotes", "0011_points_of_the_catalog")]

    operations = [migrations.RunPython(note_conditions, migrations.RunPython.noop, elidable=True)]
