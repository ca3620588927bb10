
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0003_generic_parts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterConstraint(
            model_name='price',
            name='price_tax_rate_is_a_share',
            constraint=models.CheckConstraint(condition=models.Q(('tax_rate_percent__gte', 0), ('tax_rate_percent__lte', 100)), name='price_tax_rate_is_a_share', violation_error_message='A tax rate is a number of percent from 0 to 100.'),
        ),
    ]
