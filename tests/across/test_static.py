"""Static files are complete: production refuses to start when a style sheet names a file that is not there."""

from pathlib import Path

from django.core.management import call_command
from pytest_django import Settings


def test_static_files_are_collected_for_production(settings: Settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    }
    settings.DEBUG = False

    call_command("collectstatic", interactive=False, verbosity=0)

    manifest = (tmp_path / "staticfiles.json").read_text(encoding="utf-8")
    assert "css/sizewright.css" in manifest
    assert list(tmp_path.glob("css/*.css.br"))


def test_vendored_code_lies_beside_its_licence(settings: Settings) -> None:
    vendor = Path(settings.BASE_DIR) / "static" / "js" / "vendor"

    without = [
        path.name for path in vendor.glob("*.js") if not list(vendor.glob(f"{path.name.split('.')[0]}*LICENSE*"))
    ]

    assert without == []
