"""The packaged catalog: complete, with sources, and found by the names people use."""

from __future__ import annotations

import pytest

from sizing import datafiles, hardware_data
from sizing.errors import SizingError
from sizing.hardware import Gpu
from sizing.hardware_data import HardwareCatalog
from sizing.units import GIB


@pytest.fixture
def catalog() -> HardwareCatalog:
    return hardware_data.packaged()


def test_every_row_of_the_lists_is_loaded(catalog: HardwareCatalog) -> None:
    assert len(catalog.gpus) == len(datafiles.read_yaml("hardware/gpus.yaml")["gpus"])
    assert len(catalog.platforms) == len(datafiles.read_yaml("hardware/platforms.yaml")["platforms"])
    assert len(catalog.cpus) == len(datafiles.read_yaml("hardware/cpus.yaml")["cpus"])
    assert len(catalog.skus) == len(datafiles.read_yaml("hardware/skus.yaml")["skus"])


def test_every_source_key_leads_to_a_document(catalog: HardwareCatalog) -> None:
    facts = [*catalog.gpus, *catalog.platforms, *catalog.cpus, *catalog.drives, *catalog.nics, *catalog.switches]
    keys = {key for fact in facts for _, sources in fact.sources for key in sources}
    keys |= {key for gpu in catalog.gpus for supplied in gpu.supplied for key in supplied.sources}
    keys |= {key for platform in catalog.platforms for row in platform.support for key in row.sources}
    keys |= {key for fact in (*catalog.modules, *catalog.skus) for key in fact.sources}

    assert keys <= catalog.sources.keys()


def test_every_supplied_value_serves_an_empty_field_and_says_why() -> None:
    rows = {row["id"]: row for row in datafiles.read_yaml("hardware/gpus.yaml")["gpus"]}

    for extra in datafiles.read_yaml("hardware/supplement.yaml")["gpus"]:
        assert rows[extra["gpu"]].get(extra["field"]) is None, extra
        assert extra["why"]
        assert extra["src"]


def test_conflicting_sources_are_kept_with_the_choice(catalog: HardwareCatalog) -> None:
    conflict = next(c for c in catalog.gpu("b200-sxm").conflicts if c.field == "memory_bandwidth_tb_s")

    assert conflict.chosen == 8.0
    assert (7.7, "aic") in conflict.values
    assert conflict.why


def test_no_gpu_has_a_zero_that_means_unknown(catalog: HardwareCatalog) -> None:
    for gpu in catalog.gpus:
        assert min(gpu.memory_bytes, gpu.bandwidth_bytes_per_s, gpu.power_w, gpu.pcie_bytes_per_s) > 0, gpu.slug
        assert gpu.dense_flops_per_s, gpu.slug
        assert gpu.socket, gpu.slug


def test_unknown_power_stays_unknown(catalog: HardwareCatalog) -> None:
    unknown = [platform.slug for platform in catalog.platforms if platform.max_power_w is None]

    assert "smc-sys-821ge-tnhr" in unknown
    assert len(unknown) == 42


def test_capacity_of_the_well_known(catalog: HardwareCatalog) -> None:
    assert catalog.gpu("h100-sxm").memory_bytes == round(79.1 * GIB)
    assert catalog.gpu("h200-sxm").memory_bytes == round(140.4 * GIB)


@pytest.mark.parametrize(("slug", "sizes", "one_way"), [("h100-nvl", (2,), 300e9), ("h200-nvl", (2, 4), 450e9)])
def test_bridged_cards_come_in_pairs_or_fours(slug: str, sizes: tuple[int, ...], one_way: float) -> None:
    gpu = hardware_data.gpu(slug)

    assert gpu.bridge_sizes == sizes
    assert gpu.link_bytes_per_s == one_way


@pytest.mark.parametrize(
    ("platform", "gpu", "most"),
    [
        ("smc-sys-821ge-tnhr", "h200-sxm", 8),
        ("smc-sys-521ge-tnrt", "h200-nvl", 8),
        ("smc-sys-521ge-tnrt", "l4", 10),
        ("dell-xe7745", "l4", 16),
        ("dell-xe7745", "h200-nvl", 8),
        ("smc-sys-a22ga-nbrt", "b200-sxm", None),
    ],
)
def test_count_depends_on_slot_width(platform: str, gpu: str, most: int | None) -> None:
    support = hardware_data.platform(platform).support_for(gpu)

    assert support is not None
    assert support.max_count == most


def test_one_platform_joins_each_makers_modules_its_own_way() -> None:
    platform = hardware_data.platform("dell-xe9680")
    topologies = {row.gpu: row.topology for row in platform.support}

    assert platform.sockets == ("sxm5", "oam")
    assert topologies["h200-sxm"] == "nvswitch"
    assert topologies["mi300x"] == "infinity_fabric"


def test_cards_are_on_pcie_until_bridges_are_ordered() -> None:
    support = hardware_data.platform("smc-sys-521ge-tnrt").support_for("h200-nvl")

    assert support is not None
    assert (support.interconnect, support.with_bridges) == ("pcie", "nvlink_bridge")
    assert support.confirmation == "unconfirmed"


def test_a_dated_original_documents_a_pairing() -> None:
    support = hardware_data.platform("smc-sys-821ge-tnhr").support_for("h100-sxm")

    assert support is not None
    assert support.is_documented


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("h200", "h200-sxm"),
        ("H100 SXM5 80GB", "h100-sxm"),
        ("NVIDIA H100 NVL 94GB", "h100-nvl"),
        ("H100 PCIe", "h100-pcie"),
        ("A100-80G", "a100-sxm-80"),
        ("A100 40GB PCIe", "a100-pcie-40"),
        ("B200 192GB", "b200-sxm"),
        ("Н200", "h200-sxm"),
        ("RTX PRO 6000 Blackwell Server Edition", "rtx-pro-6000-se"),
        ("RTX PRO 6000 Blackwell Max-Q", "rtx-pro-6000-ws"),
        ("RTX 6000 Ada", "rtx-6000-ada"),
        ("GeForce RTX 4090", "rtx-4090"),
        ("MI300X OAM", "mi300x"),
        ("Tesla T4", "t4"),
        ("Gaudi 3", "gaudi3-oam"),
    ],
)
def test_gpu_is_found_by_a_usual_spelling(name: str, slug: str) -> None:
    assert hardware_data.gpu(name).slug == slug


@pytest.mark.parametrize("name", ["h300", "H100 141GB", "mi300", "", "x" * 10_000, None, 7])
def test_unknown_gpu_is_refused(name: object) -> None:
    with pytest.raises(SizingError) as refused:
        hardware_data.packaged().gpu(name)

    assert refused.value.field == "hardware.gpu"
    assert len(str(refused.value)) < 300


def test_refusal_names_what_is_close() -> None:
    with pytest.raises(SizingError, match="mi300x"):
        hardware_data.gpu("mi300")


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("SYS-821GE-TNHR", "smc-sys-821ge-tnhr"),
        ("Supermicro sys 821ge tnhr", "smc-sys-821ge-tnhr"),
        ("DGX H200", "nvidia-dgx-h100-h200"),
        ("XE9680", "dell-xe9680"),
        ("PowerEdge XE9780", "dell-xe9780"),
    ],
)
def test_platform_is_found_by_a_usual_spelling(name: str, slug: str) -> None:
    assert hardware_data.platform(name).slug == slug


def test_prices_without_date_or_currency_are_not_usable(catalog: HardwareCatalog) -> None:
    rubles = next(price for price in catalog.prices if "RUB" not in price.item and price.low == 46297328)
    module = next(price for price in catalog.prices if price.item == "H200 SXM5 module")

    assert rubles.currency is None
    assert not rubles.is_usable
    assert module.is_usable
    assert module.subject == ("gpu", "h200-sxm", 1)
    assert all(price.confirmation == "unconfirmed" for price in catalog.prices)


def test_price_subjects_exist(catalog: HardwareCatalog) -> None:
    known = {fact.slug for fact in (*catalog.gpus, *catalog.platforms, *catalog.drives, *catalog.modules)}

    for price in catalog.prices:
        if price.subject[0] != "other":
            assert price.subject[1] in known, price.item


def test_every_rented_shape_names_a_known_gpu(catalog: HardwareCatalog) -> None:
    assert all(offer.gpu for offer in catalog.cloud)


def test_slugs_are_unique(catalog: HardwareCatalog) -> None:
    gpu: Gpu = catalog.gpus[0]

    with pytest.raises(SizingError, match="twice"):
        HardwareCatalog(gpus=(gpu, gpu), platforms=())
