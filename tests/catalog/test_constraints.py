"""What the database itself refuses, on SQLite and PostgreSQL alike."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from catalog.models import (
    Cpu,
    ExchangeRate,
    Fact,
    Gpu,
    GpuSupport,
    LanguageModel,
    MemoryModule,
    Offer,
    Platform,
    Price,
    Service,
    Sku,
    SkuLine,
    Source,
)

pytestmark = pytest.mark.django_db


def make_gpu(slug: str = "x100", **fields: Any) -> Gpu:
    values = {"kind": "gpu", "vendor": "NVIDIA", "name": slug.upper(), "memory_gb": 80, "socket": "sxm5"}
    return Gpu.objects.create(slug=slug, **{**values, **fields})


def make_platform(slug: str = "server", **fields: Any) -> Platform:
    return Platform.objects.create(slug=slug, kind="platform", vendor="Maker", name=slug, **fields)


def make_support(**fields: Any) -> GpuSupport:
    values: dict[str, Any] = {"platform_socket": "sxm5", "gpu_socket": "sxm5"}
    return GpuSupport.objects.create(platform=make_platform(), gpu=make_gpu(), **{**values, **fields})


def make_offer(**fields: Any) -> Offer:
    values: dict[str, Any] = {"supplier": "distributor", **fields}
    if "part" not in values and "sku" not in values:
        values["part"] = make_gpu()
    return Offer.objects.create(**values)


def make_price(**fields: Any) -> Price:
    values: dict[str, Any] = {"amount_low": Decimal(10), "amount_high": Decimal(12), "currency": "USD"}
    return Price.objects.create(offer=make_offer(), **{**values, **fields})


def make_sku(article: str = "X-1") -> Sku:
    return Sku.objects.create(article=article, slug=article.lower(), article_folded=article.casefold())


def make_model(**fields: Any) -> LanguageModel:
    return LanguageModel.objects.create(slug="m", name="M", **{"parameters": 10, **fields})


REFUSED: dict[str, Callable[[], Any]] = {
    "a GPU without memory": lambda: make_gpu(memory_gb=0),
    "a negative bandwidth": lambda: make_gpu(memory_bandwidth_tb_s=-1),
    "power of zero": lambda: make_gpu(tdp_w=0),
    "a lowest cap above the power": lambda: make_gpu(tdp_w=300, tdp_min_w=400),
    "a negative link speed": lambda: make_gpu(nvlink_gb_s=-1),
    "an unknown socket": lambda: make_gpu(socket="sxm9"),
    "two parts of one name": lambda: (make_gpu("a", name="H"), make_gpu("b", name="H")),
    "a part without a name": lambda: make_gpu(name=""),
    "an unknown kind of part": lambda: make_gpu(kind="toaster"),
    "a server of no height": lambda: make_platform(rack_units=0),
    "power supplies of no power": lambda: make_platform(psu_w=0),
    "a weightless server": lambda: make_platform(weight_gross_kg=0),
    "temperatures the wrong way round": lambda: make_platform(operating_temp_min_c=35, operating_temp_max_c=10),
    "a PCIe card in an SXM board": lambda: make_support(gpu_socket="pcie"),
    "room for no GPU": lambda: make_support(max_count=0),
    "one GPU twice in a platform": lambda: GpuSupport.objects.create(
        platform=(row := make_support()).platform, gpu=row.gpu, platform_socket="sxm5", gpu_socket="sxm5"
    ),
    "a confirmation without evidence": lambda: make_support(state="confirmed", judged_at=timezone.now()),
    "a confirmation without a time": lambda: make_support(state="confirmed", evidence="letter"),
    "an unknown state": lambda: make_support(state="maybe"),
    "a processor without cores": lambda: Cpu.objects.create(slug="c", kind="cpu", vendor="I", name="C", cores=0),
    "an empty module": lambda: MemoryModule.objects.create(slug="m", kind="memory", name="M", capacity_gb=0),
    "a service of no time": lambda: Service.objects.create(slug="s", kind="service", name="S", duration_months=0),
    "two values in use": lambda: [
        Fact.objects.create(part_id=part.pk, field="tdp_w", value=value)
        for part in [make_gpu()]
        for value in ("700", "750")
    ],
    "one value twice": lambda: [
        Fact.objects.create(part_id=part.pk, field="tdp_w", value="700", is_chosen=False)
        for part in [make_gpu()]
        for _ in range(2)
    ],
    "a source of no date": lambda: Source.objects.create(key="k", title="T", kind="maker", as_of="May 2026"),
    "an article without text": lambda: make_sku(""),
    "an article twice": lambda: (make_sku("A"), Sku.objects.create(article="A", slug="other", article_folded="a")),
    "a line of nothing": lambda: SkuLine.objects.create(sku=make_sku(), kind="gpu", quantity=0),
    "a line of an unknown kind": lambda: SkuLine.objects.create(sku=make_sku(), kind="toaster"),
    "a part on two lines": lambda: [
        SkuLine.objects.create(sku=sku, kind="gpu", part_id=part.pk) for sku, part in [(make_sku(), make_gpu())] * 2
    ],
    "an offer of nothing": lambda: Offer.objects.create(supplier="d"),
    "an offer of two things": lambda: make_offer(part=make_gpu(), sku=make_sku()),
    "the same offer twice": lambda: [make_offer(part=part, title="t") for part in [make_gpu()] * 2],
    "a free price": lambda: make_price(amount_low=Decimal(0)),
    "a price range the wrong way round": lambda: make_price(amount_low=Decimal(20)),
    "a currency of our own": lambda: make_price(currency="ABC"),
    "a price that ends before it begins": lambda: make_price(valid_from="2026-12-02", valid_to="2026-12-01"),
    "a tax of more than all": lambda: make_price(tax_rate_percent=Decimal(101)),
    "a rate of nothing": lambda: ExchangeRate.objects.create(
        base="USD", quote="RUB", rate=0, on="2026-01-01", source="s"
    ),
    "a rate to itself": lambda: ExchangeRate.objects.create(
        base="USD", quote="USD", rate=1, on="2026-01-01", source="s"
    ),
    "a rate without a source": lambda: ExchangeRate.objects.create(
        base="USD", quote="RUB", rate=90, on="2026-01-01", source=""
    ),
    "two rates of one day": lambda: [
        ExchangeRate.objects.create(base="USD", quote="RUB", rate=90, on="2026-01-01", source="s") for _ in range(2)
    ],
    "a model of no size": lambda: make_model(parameters=0),
    "more parameters used than there are": lambda: make_model(active_parameters=11),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED.keys())
def test_the_database_refuses(make: Callable[[], Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make()


def test_unknown_quantities_stay_unknown() -> None:
    gpu = make_gpu()
    gpu.refresh_from_db()

    assert (gpu.tdp_w, gpu.memory_bandwidth_tb_s, gpu.nvlink_gb_s) == (None, None, None)


def test_a_card_without_links_is_not_a_card_nobody_read() -> None:
    assert make_gpu(nvlink_gb_s=0).nvlink_gb_s == 0


def test_a_part_that_stands_on_a_line_is_protected() -> None:
    from django.db.models import ProtectedError

    gpu = make_gpu()
    SkuLine.objects.create(sku=make_sku(), kind="gpu", part_id=gpu.pk, quantity=8)

    with pytest.raises(ProtectedError):
        gpu.delete()
