"""Language models in bulk: a ZIP on the page, a folder by command; looked at first, hostile archives answered."""

from __future__ import annotations

import contextlib
import io
import json
import re
import stat
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from catalog import model_files, model_loading, starter
from catalog.models import LanguageModel
from catalog.tables import Unreadable
from sizing import datafiles

CONFIG = datafiles.language_models()["llama-3.1-8b"]["config"]
SMALL = datafiles.language_models()["pythia-70m"]["config"]
EXACT = 8_030_261_248


def archive(files: dict[str, Any]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, text in files.items():
            packed.writestr(path, text if isinstance(text, str | bytes) else json.dumps(text))
    return content.getvalue()


def loaded() -> list[str]:
    return list(LanguageModel.objects.filter(edited_at__isnull=False).values_list("slug", flat=True))


def plan(files: dict[str, Any]) -> model_loading.Plan:
    return model_loading.plan(model_files.read_archive(archive(files), name="models.zip"))


def upload(keeper: Client, content: bytes, name: str = "models.zip") -> Any:
    return keeper.post(reverse("catalog:language_model_files"), {"file": SimpleUploadedFile(name, content)})


def load(keeper: Client, content: bytes, **added: str) -> Any:
    return keeper.post(
        reverse("catalog:load_language_models"), {"token": upload(keeper, content).context["token"], **added}
    )


THREE = {
    "meta-llama/Llama-3.1-8B/config.json": CONFIG,
    "acme/Big-Llama-9.5/config.json": CONFIG,
    "acme/Eyes/config.json": {"model_type": "clip"},
}


def test_a_folder_is_looked_at_first(keeper: Client, catalog: starter.Report) -> None:
    rows = {row.file.path: row for row in upload(keeper, archive(THREE)).context["plan"].rows}

    assert {path: row.state for path, row in rows.items()} == dict(zip(THREE, ["known", "new", "refused"], strict=True))
    assert rows["acme/Big-Llama-9.5/config.json"].model.parameters == EXACT
    assert "image model" in rows["acme/Eyes/config.json"].reason
    assert loaded() == []


def test_what_can_be_sized_is_loaded_with_exact_counts(keeper: Client, catalog: starter.Report) -> None:
    load(keeper, archive(THREE))

    model = LanguageModel.objects.get(slug="big-llama-9.5")
    assert (model.parameters, model.hf_id, model.maker) == (EXACT, "acme/Big-Llama-9.5", "acme")
    assert "models.zip" in model.sources.get().title
    assert model.history.get().history_user.username == "catalog-administrator"
    assert not LanguageModel.objects.filter(name="Eyes").exists()


def test_a_preview_is_loaded_once(keeper: Client, catalog: starter.Report) -> None:
    token = upload(keeper, archive(THREE)).context["token"]

    for _time in range(2):
        answer = keeper.post(reverse("catalog:load_language_models"), {"token": token}, follow=True)

    assert "loaded already" in answer.content.decode()
    assert LanguageModel.objects.filter(slug="big-llama-9.5").count() == 1


def test_licence_and_context_can_be_entered(keeper: Client, catalog: starter.Report) -> None:
    config = {name: value for name, value in CONFIG.items() if name != "max_position_embeddings"}

    load(keeper, archive({"one.json": config}), **{"model1-license": "MIT", "model1-context": "4096"})

    model = LanguageModel.objects.get(slug="one")
    assert (model.license, model.context_length) == ("MIT", 4096)


def test_a_wrong_entry_is_asked_again_and_loads_nothing(keeper: Client, catalog: starter.Report) -> None:
    answer = load(keeper, archive({"one.json": CONFIG}), **{"model1-context": "-5"})

    assert answer.status_code == 422
    assert loaded() == []


def test_the_licence_comes_from_the_models_card(catalog: starter.Report) -> None:
    cards = {"a/README.md": "---\nlicense: apache-2.0\n---\n# A", "b/README.md": "---\nlicense: [1, {\n---\n"}

    rows = plan({"a/config.json": CONFIG, "b/config.json": CONFIG, **cards}).rows

    assert [row.model.license for row in rows if row.model] == ["apache-2.0", ""]


def test_context_comes_from_the_configuration(catalog: starter.Report) -> None:
    assert plan({"a.json": CONFIG}).new[0].model.context_length == 131_072  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["meta-llama/Llama-3.1-8B/config.json"], [("Llama 3.1 8B", "meta-llama/Llama-3.1-8B")]),
        (["Llama-3.1-8B.json"], [("Llama 3.1 8B", "")]),
        (["configs/one.json", "configs/two.json"], [("one", ""), ("two", "")]),
        (["all/one/config.json", "all/two/config.json"], [("one", ""), ("two", "")]),
        (["Qwen/one/config.json", "Qwen/two/config.json"], [("one", "Qwen/one"), ("two", "Qwen/two")]),
        (["all/acme/one/config.json"], [("one", "acme/one")]),
        (["models--acme--one/snapshots/0ab/config.json"], [("one", "acme/one")]),
        (["acme\\one\\config.json"], [("one", "acme/one")]),
        (["config.json"], [("models", "")]),
        (["Модель-7B/config.json"], [("Модель 7B", "")]),
    ],
)
def test_names_come_from_the_paths(paths: list[str], names: list[tuple[str, str]]) -> None:
    files = model_files.read_archive(archive(dict.fromkeys(paths, CONFIG)), name="models.zip").files

    assert [(file.named.name, file.named.hf_id) for file in files] == names


def test_files_beside_a_configuration_are_passed_over() -> None:
    beside = [
        "a/tokenizer.json",
        "a/generation_config.json",
        "a/1_Pooling/config.json",
        "a/x.safetensors",
        "vocab.json",
    ]

    reading = model_files.read_archive(archive({"a/config.json": CONFIG, **dict.fromkeys(beside, "{}")}), name="z.zip")

    assert [file.path for file in reading.files] == ["a/config.json"]
    assert reading.passed_over == len(beside)


def test_two_files_of_one_name_are_told_apart(catalog: starter.Report) -> None:
    rows = plan({"a/One.json": CONFIG, "b/one.json": SMALL}).rows

    assert [row.state for row in rows] == ["new", "refused"]
    assert "a/One.json" in rows[1].reason


def test_another_shape_under_a_known_name_is_remarked(catalog: starter.Report) -> None:
    row = plan({"meta-llama/Llama-3.1-8B/config.json": SMALL}).rows[0]

    assert row.state == "known"
    assert row.reason


ODD_CONFIGS: dict[str, Any] = {
    "not JSON": "{",
    "no object": "[]",
    "deep": "[" * 100_000,
    "bytes": b"\xff\xfe\x00",
    "a number that is none": json.dumps({**CONFIG, "x": float("nan")}),
    "an invisible sign": json.dumps({**CONFIG, "x": "\x00"}),
    "half a sign": json.dumps({**CONFIG, "x": "\ud800"}),
    "half a sign as a name": json.dumps({**CONFIG, "\ud800": 1}),
    "a number without end": '{"model_type": "llama", "hidden_size": ' + "9" * 5000 + "}",
    "larger than any model": {**CONFIG, "num_hidden_layers": 10**12},
    "a context beyond every column": {**CONFIG, "max_position_embeddings": 10**18},
    "large": json.dumps({**CONFIG, "x": "".join(chr(33 + n * n % 90) for n in range(3 * 2**20))}),
    "a bomb": b"0" * 2**20,
}


@pytest.mark.parametrize("odd", ODD_CONFIGS.values(), ids=ODD_CONFIGS.keys())
def test_an_odd_file_is_refused_and_does_not_hold_up_the_others(
    odd: Any, keeper: Client, catalog: starter.Report
) -> None:
    content = archive({"odd.json": odd, "good.json": CONFIG})

    assert [row.reason for row in upload(keeper, content).context["plan"].refused] != [""]
    load(keeper, content)

    assert loaded() == ["good"]


def _linked() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        info = zipfile.ZipInfo("link.json")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(info, "/etc/passwd")
    return content.getvalue()


def _locked() -> bytes:
    content = bytearray(archive({"a.json": CONFIG}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def _lying() -> bytes:
    content = bytearray(archive({"a.json": CONFIG}))
    struct.pack_into("<L", content, content.index(b"PK\x01\x02") + 24, 10)
    return bytes(content)


def _unknown_packing() -> bytes:
    content = bytearray(archive({"a.json": CONFIG}))
    content[8] = content[content.index(b"PK\x01\x02") + 10] = 99
    return bytes(content)


REFUSED_FILES = {
    "a link": _linked(),
    "a password": _locked(),
    "a size that is not true": _lying(),
    "an unknown packing": _unknown_packing(),
    "a path upwards": archive({"../../etc/a.json": CONFIG}),
    "a path from the root": archive({"/etc/a.json": CONFIG}),
    "a path on a drive": archive({"C:\\a.json": CONFIG}),
    "a path with signs that turn the line": archive({"a\u202e.json": CONFIG}),
    "twenty folders": archive({"a/" * 20 + "b.json": CONFIG}),
}


@pytest.mark.parametrize("content", REFUSED_FILES.values(), ids=REFUSED_FILES.keys())
def test_a_hostile_file_is_refused_by_name(content: bytes, keeper: Client, catalog: starter.Report) -> None:
    answer = upload(keeper, content)

    assert [row.state for row in answer.context["plan"].rows] == ["refused"]
    load(keeper, content)
    assert loaded() == []


def _many(count: int) -> bytes:
    return archive(dict.fromkeys((f"{number}.txt" for number in range(count)), ""))


def _bad_name() -> bytes:
    content = bytearray(archive({"é.json": CONFIG}))
    for place in (content.index(b"PK\x03\x04") + 30, content.index(b"PK\x01\x02") + 46):
        content[place : place + 2] = b"\xff\xff"
    return bytes(content)


REFUSED_ARCHIVES = {
    "nothing": b"PK",
    "no archive": b"PK\x03\x04" + b"x" * 100,
    "half an archive": archive(THREE)[:300],
    "an empty archive": archive({}),
    "no configuration": archive({"a.txt": "x"}),
    "an archive in an archive": archive({"a.zip": archive(THREE)}),
    "100,000 files": _many(100_000),
    "300 models": archive({f"{number}.json": "{}" for number in range(300)}),
    "a name that is no text": _bad_name(),
}


@pytest.mark.parametrize("content", REFUSED_ARCHIVES.values(), ids=REFUSED_ARCHIVES.keys())
def test_a_hostile_archive_is_answered(content: bytes, keeper: Client, catalog: starter.Report) -> None:
    answer = upload(keeper, content)

    assert answer.status_code == 422
    assert answer.context["form"].errors["file"]


def test_a_folder_is_loaded_by_command(tmp_path: Path, catalog: starter.Report) -> None:
    for path, config in THREE.items():
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(json.dumps(config))
    out = io.StringIO()

    call_command("load_language_models", tmp_path, "--dry-run", stdout=out)
    assert not LanguageModel.objects.filter(slug="big-llama-9.5").exists()
    call_command("load_language_models", tmp_path, stdout=out)

    assert LanguageModel.objects.get(slug="big-llama-9.5").parameters == EXACT
    for words in ("8,030,261,248", "already there", "an image model", "read 1, already there 1, refused 1", "Loaded 1"):
        assert words in out.getvalue()


def test_a_second_load_finds_everything_there(tmp_path: Path, catalog: starter.Report) -> None:
    (tmp_path / "one.json").write_text(json.dumps(CONFIG))
    out = io.StringIO()

    for _time in range(2):
        call_command("load_language_models", tmp_path, stdout=out)

    assert out.getvalue().endswith("Nothing was loaded.\n")


def test_links_that_lead_out_of_the_folder_are_refused(tmp_path: Path, catalog: starter.Report) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps(CONFIG))
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "a.json").symlink_to(secret)
    (folder / "b.json").symlink_to(folder / "b.json")
    (folder / "c.json").write_text(json.dumps(CONFIG))

    rows = model_loading.plan(model_files.read_folder(folder)).rows

    assert [(row.file.path, row.state) for row in rows] == [
        ("a.json", "refused"),
        ("b.json", "refused"),
        ("c.json", "new"),
    ]


@pytest.mark.parametrize("name", ["nowhere", "file.txt", "empty"])
def test_what_is_no_folder_of_models_is_said(name: str, tmp_path: Path, catalog: starter.Report) -> None:
    (tmp_path / "file.txt").write_text("x")
    (tmp_path / "empty").mkdir()

    with pytest.raises(CommandError):
        call_command("load_language_models", tmp_path / name, stdout=io.StringIO())


def test_reading_raises_for_what_is_no_archive() -> None:
    with pytest.raises(Unreadable):
        model_files.read_archive(b"", name="x.zip")


def test_an_unknown_architecture_is_refused_in_bulk_and_by_command(tmp_path: Path, catalog: starter.Report) -> None:
    config = {**CONFIG, "model_type": "totallyunknown", "architectures": ["TotallyUnknownForCausalLM"]}
    (row,) = plan({"acme/New/config.json": config}).rows
    (tmp_path / "acme" / "New").mkdir(parents=True)
    (tmp_path / "acme" / "New" / "config.json").write_text(json.dumps(config))
    out = io.StringIO()
    with contextlib.suppress(CommandError):
        call_command("load_language_models", tmp_path, stdout=out)

    assert row.state == "refused"
    assert "totallyunknown" in row.reason
    assert loaded() == []


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_path_that_is_there_twice_is_refused(catalog: starter.Report) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        packed.writestr("acme/New/config.json", json.dumps(CONFIG))
        packed.writestr("acme/New/config.json", json.dumps(SMALL))

    (row,) = model_loading.plan(model_files.read_archive(content.getvalue(), name="models.zip")).rows

    assert (row.state, row.file.path) == ("refused", "acme/New/config.json")
    assert "twice" in row.reason


def test_every_reason_is_said_in_the_readers_language(keeper: Client, catalog: starter.Report) -> None:
    wrong = {
        "eyes": {"model_type": "clip"},
        "headless": CONFIG | {"num_attention_heads": 7},
        "layerless": {name: value for name, value in CONFIG.items() if name != "num_hidden_layers"},
        "wordy": CONFIG | {"hidden_size": "wide"},
        "listed": CONFIG | {"hidden_size": [1, 2, 3]},
        "huge": CONFIG | {"num_hidden_layers": 10**9},
        "unknown": CONFIG | {"model_type": "frobnicator", "architectures": ["FrobForCausalLM"]},
        "none": "no json",
    }
    content = archive({f"acme/{name}/config.json": config for name, config in wrong.items()})
    keeper.cookies["django_language"] = "ru"

    page = upload(keeper, content).content.decode()

    reasons = re.findall(r'<td data-label="Причина">(.*?)</td>', page)
    assert len(reasons) == len(wrong)
    assert [reason for reason in reasons if not re.search("[а-я]", reason) or "model.config" in reason] == []
    assert any("список длиной 3" in reason for reason in reasons)


def test_one_model_is_refused_in_the_readers_language(keeper: Client, catalog: starter.Report) -> None:
    keeper.cookies["django_language"] = "ru"
    config = json.dumps({"model_type": "clip"})

    page = keeper.post(reverse("catalog:add_language_model"), {"name": "Eyes", "config_text": config})

    assert "рассчитывает только языковые модели-трансформеры" in page.content.decode()
