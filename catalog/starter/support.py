"""Which platform takes which GPU, as the engine reads the reviewed list."""

from __future__ import annotations

from django.utils import timezone

from catalog.models import Gpu, GpuSupport, Platform, Source
from catalog.starter.sync import REASON, Report
from sizing import hardware
from sizing.hardware_data import packaged

FIELDS = ("platform_socket", "gpu_socket", "max_count", "interconnect")


def load_support(report: Report) -> None:
    """Bring the platform-GPU rows up to the list; a row that a person edited or judged stays."""
    platforms = {row.slug: row for row in Platform.objects.all()}
    gpus = {row.slug: row for row in Gpu.objects.all()}
    existing = {(row.platform.slug, row.gpu.slug): row for row in GpuSupport.objects.select_related("platform", "gpu")}
    for platform in packaged().platforms:
        for listed in platform.support:
            row = existing.get((listed.platform, listed.gpu))
            if row is None:
                row = GpuSupport(platform=platforms[listed.platform], gpu=gpus[listed.gpu])
                existing[listed.platform, listed.gpu] = row
            _bring_up(row, listed, report)
    _link_sources(existing)


def _bring_up(row: GpuSupport, listed: hardware.GpuSupport, report: Report) -> None:
    wanted = (listed.socket, listed.socket, listed.max_count, listed.with_bridges)
    have = tuple(getattr(row, field) for field in FIELDS)
    if row.pk and have == wanted:
        report.count(report.unchanged, GpuSupport)
    elif row.pk and not report.may_write(row):
        report.differences.append(f"{row}: catalog {have}, file {wanted}")
    else:
        for field, value in zip(FIELDS, wanted, strict=True):
            setattr(row, field, value)
        report.count(report.updated if row.pk else report.created, GpuSupport)
        row.edited_at = None
        row._change_reason = REASON  # type: ignore[attr-defined]
        row.changed_at = timezone.now()
        row.save()


def _link_sources(rows: dict[tuple[str, str], GpuSupport]) -> None:
    ids = dict(Source.objects.values_list("key", "pk"))
    through = GpuSupport.sources.through
    have = set(through.objects.values_list("gpusupport_id", "source_id"))
    links = {
        (rows[listed.platform, listed.gpu].pk, ids[key])
        for platform in packaged().platforms
        for listed in platform.support
        for key in listed.sources
    }
    through.objects.bulk_create(through(gpusupport_id=row, source_id=source) for row, source in sorted(links - have))
