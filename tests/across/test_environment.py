"""Every knob is listed with a line in .env.example, and a wrong value is refused loudly."""

import re
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment as env

ROOT = Path(__file__).resolve().parents[2]
READ_BY = ["config/settings.py", "config/environment.py", "scripts/run.py"]
READERS = "text|words|flag|whole|choice|address|required"


def names_in_code() -> set[str]:
    """Find every variable that the settings read."""
    text = "".join((ROOT / name).read_text(encoding="utf-8") for name in READ_BY)
    return set(re.findall(rf"\b(?:{READERS})\(\s*[\"']([A-Z_]+)[\"']", text))


def names_in_example() -> set[str]:
    """Find every variable that .env.example lists."""
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    return set(re.findall(r"^#?([A-Z_]+)=", text, flags=re.MULTILINE))


def test_the_example_lists_what_the_settings_read() -> None:
    assert names_in_example() == names_in_code()


def test_a_value_may_come_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("from a file\n", encoding="utf-8")
    monkeypatch.setenv("KEY_FILE", str(tmp_path / "key"))

    assert env.text("KEY") == "from a file"


@pytest.mark.parametrize("value", ["maybe", "2", "tru"])
def test_a_flag_is_yes_or_no(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("KNOB", value)

    with pytest.raises(ImproperlyConfigured, match=rf"KNOB='{value}'.*Allowed: true, false"):
        env.flag("KNOB", False)


@pytest.mark.parametrize("value", ["-1", "11", "3.5", "many"])
def test_a_number_keeps_to_its_bounds(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("KNOB", value)

    with pytest.raises(ImproperlyConfigured, match=r"KNOB=.*from 0 to 10"):
        env.whole("KNOB", 5, low=0, high=10)


def test_a_wrong_address_is_refused_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNOB", "mysql://user:secret@host/name")

    with pytest.raises(ImproperlyConfigured, match="'mysql'") as refusal:
        env.address("KNOB", "", schemes=("sqlite", "postgres"))

    assert "secret" not in str(refusal.value)


def test_a_file_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_FILE", "/no/such/file")

    with pytest.raises(ImproperlyConfigured, match="KEY_FILE='/no/such/file' cannot be read"):
        env.text("KEY")


def test_the_development_key_stays_the_same_and_private(tmp_path: Path) -> None:
    first = env.development_secret_key(tmp_path / "key")

    assert env.development_secret_key(tmp_path / "key") == first
    assert len(first) >= 50
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0


def test_writers_on_sqlite_wait_instead_of_failing(tmp_path: Path) -> None:
    config = env.database("sqlite:////data/site.sqlite3", test_name=tmp_path / "test.sqlite3")

    assert config["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in config["OPTIONS"]["init_command"]


def test_postgres_gets_a_pool_unless_told_not_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DATABASE_POOL_SIZE", "12")
    pooled = env.database("postgres://user@/name?host=/sockets", test_name=tmp_path)
    monkeypatch.setenv("DATABASE_POOL_SIZE", "0")
    single = env.database("postgres://user@/name?host=/sockets", test_name=tmp_path)

    assert pooled["OPTIONS"] == {"host": "/sockets", "pool": {"min_size": 1, "max_size": 12}}
    assert "pool" not in single["OPTIONS"]
    assert single["CONN_MAX_AGE"] == 60


def test_mail_goes_by_an_encrypted_server_with_a_password(tmp_path: Path) -> None:
    mailer = env.mailer("smtp+tls://robot:pa%2Fss@mail.example.org:587", folder=tmp_path)

    assert mailer["OPTIONS"] == {
        "host": "mail.example.org",
        "port": 587,
        "username": "robot",
        "password": "pa/ss",
        "use_tls": True,
        "use_ssl": False,
        "timeout": 20,
    }
