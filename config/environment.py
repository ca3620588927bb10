"""Typed readers of the environment: each refuses a wrong value with its name, the value and what is allowed.

They are apart from the settings so that a test can call them without starting Django.
"""

import os
import secrets
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured


def read_file(path: str) -> None:
    """Take what the file at path says for variables that are not set yet; an empty path or no file is fine."""
    if path and Path(path).is_file():
        environ.Env.read_env(path)


def text(name: str, default: str = "") -> str:
    """Read NAME from the environment, or the content of the file that NAME_FILE names."""
    path = os.environ.get(f"{name}_FILE")
    if not path:
        return os.environ.get(name, "").strip() or default
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(f"{name}_FILE={path!r} cannot be read: {error.strerror}.") from error


def words(name: str, default: str = "") -> list[str]:
    """Read a comma-separated list from the environment."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def flag(name: str, default: bool) -> bool:
    """Read a yes or no from the environment."""
    value = text(name, str(default)).lower()
    if value in {"true", "yes", "on", "1"}:
        return True
    if value in {"false", "no", "off", "0"}:
        return False
    raise ImproperlyConfigured(f"{name}={value!r} is not a yes or no. Allowed: true, false, yes, no, on, off, 1, 0.")


def whole(name: str, default: int, *, low: int, high: int) -> int:
    """Read a whole number between low and high from the environment."""
    value = text(name, str(default))
    if not value.isdecimal() or not low <= int(value) <= high:
        raise ImproperlyConfigured(f"{name}={value!r} is not allowed. Allowed: a whole number from {low} to {high}.")
    return int(value)


def choice(name: str, default: str, *, allowed: tuple[str, ...]) -> str:
    """Read one of the allowed words from the environment."""
    value = text(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name}={value!r} is not allowed. Allowed: {', '.join(allowed)}.")
    return value


def address(name: str, default: str, *, schemes: tuple[str, ...]) -> str:
    """Read an address whose scheme is one of the allowed from the environment, without repeating its secrets."""
    value = text(name, default)
    scheme = value.partition("://")[0]
    if "://" not in value or scheme not in schemes:
        raise ImproperlyConfigured(f"{name} starts with {scheme!r}. Allowed: {', '.join(f'{s}://' for s in schemes)}.")
    return value


def required(name: str, why: str) -> str:
    """Read a value that must be set."""
    value = text(name)
    if not value:
        raise ImproperlyConfigured(f"{name} is not set. With DEBUG=false it is needed: {why}.")
    return value


def development_secret_key(path: Path) -> str:
    """Read the key of this checkout, and make one at first use, so that no key is ever shared by being committed."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="utf-8").strip()
    key = secrets.token_urlsafe(50)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(key)
    return key


def database(url: str, *, test_name: Path) -> dict[str, Any]:
    """Turn DATABASE_URL into Django's dictionary, with what concurrent writers and many connections need."""
    config: dict[str, Any] = dict(environ.Env.db_url_config(url))
    options = config.setdefault("OPTIONS", {})
    if config["ENGINE"] == "django.db.backends.sqlite3":
        # IMMEDIATE ends "database is locked" between writers; WAL lets readers go on while one writes.
        options |= {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; "
            "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-20000; PRAGMA mmap_size=134217728;",
        }
        # Tests with threads and browsers need a file: an in-memory database locks whole tables.
        return config | {"TEST": {"NAME": test_name}}
    pool_size = whole("DATABASE_POOL_SIZE", 8, low=0, high=200)
    if pool_size:
        options["pool"] = {"min_size": 1, "max_size": pool_size}
        return config
    return config | {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}


def cache(url: str) -> dict[str, Any]:
    """Turn CACHE_URL into one entry of CACHES."""
    return dict(environ.Env.cache_url_config(url))


def mailer(url: str, *, folder: Path) -> dict[str, Any]:
    """Turn EMAIL_URL into one entry of MAILERS; filemail:// writes each mail into the folder."""
    config = environ.Env.email_url_config(url)
    options: dict[str, Any] = {}
    if url.startswith("smtp"):
        options = {
            "host": config["EMAIL_HOST"] or "localhost",
            "port": config["EMAIL_PORT"] or 25,
            "username": config["EMAIL_HOST_USER"] or "",
            "password": config["EMAIL_HOST_PASSWORD"] or "",
            "use_tls": config.get("EMAIL_USE_TLS", False),
            "use_ssl": config.get("EMAIL_USE_SSL", False),
            "timeout": 20,
        }
    elif url.startswith("filemail"):
        options = {"file_path": folder}
    return {"BACKEND": config["EMAIL_BACKEND"], "OPTIONS": options}
