"""A second factor stops somebody who only has the password, also at the door of the admin."""

import pytest
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth import get_user_model
from django.test import Client

PASSWORD = "correct horse battery"


@pytest.fixture
def secret() -> str:
    """The secret in the administrator's phone."""
    user = get_user_model().objects.create_superuser("administrator", "administrator@example.org", PASSWORD)
    made = totp.generate_totp_secret()
    totp.TOTP.activate(user, made)
    return made


def code(secret: str) -> str:
    """What the phone shows now."""
    return totp.format_hotp_value(totp.hotp_value(secret, next(iter(totp.yield_hotp_counters_from_time()))))


@pytest.mark.django_db
@pytest.mark.usefixtures("secret")
def test_the_password_alone_opens_nothing(client: Client) -> None:
    answer = client.post("/accounts/login/?next=/admin/", {"login": "administrator", "password": PASSWORD})

    assert answer.headers["Location"].startswith("/accounts/2fa/authenticate/")
    assert client.get("/admin/").status_code == 302


@pytest.mark.django_db
def test_the_code_opens_the_door(client: Client, secret: str) -> None:
    client.post("/accounts/login/?next=/admin/", {"login": "administrator", "password": PASSWORD})

    answer = client.post("/accounts/2fa/authenticate/", {"code": code(secret)})

    assert answer.headers["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


@pytest.mark.django_db
@pytest.mark.usefixtures("secret")
def test_a_wrong_code_does_not(client: Client) -> None:
    client.post("/accounts/login/", {"login": "administrator", "password": PASSWORD})

    answer = client.post("/accounts/2fa/authenticate/", {"code": "000000"})

    assert answer.status_code == 200
    assert "_auth_user_id" not in client.session
