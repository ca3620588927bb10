
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('quotes', '0012_points_of_drafts'),
    ]

    operations = [
        migrations.AlterConstraint(
            model_name='issuer',
            name='issuer_tax_rate_is_a_percentage',
            constraint=models.CheckConstraint(condition=models.Q(('tax_rate__gte', 0), ('tax_rate__lt', 100)), name='issuer_tax_rate_is_a_percentage', violation_error_message='A tax rate is a number of percent from 0 to less than 100.'),
        ),
    ]
