import re

from django.db import migrations

LEGAL_FORMS = frozenset(
    {'ооо', 'оао', 'зао', 'ао', 'пао', 'ип', 'нко', 'фгуп', 'gmbh', 'ag', 'ltd', 'llc', 'inc', 'sa', 'bv', 'oy', 'ab'}
)


def fold(apps, schema_editor):
    """Write what requests are compared by; later ones write it themselves."""
    requests = apps.get_model('quotes', 'Request').objects.using(schema_editor.connection.alias)
    for request in requests.only('pk', 'email', 'organization').iterator():
        words = re.findall(r'\w+', request.organization.casefold().replace('ё', 'е'))
        requests.filter(pk=request.pk).update(
            email_folded=request.email.strip().casefold(),
            organization_folded=' '.join(sorted(word for word in words if word not in LEGAL_FORMS))[:200],
        )


class Migration(migrations.Migration):

    dependencies = [
        ('quotes', '0004_merges'),
    ]

    operations = [
        migrations.RunPython(fold, migrations.RunPython.noop),
    ]
