"""Staff sign in with a name or an address, and guessing is slowed down."""

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client

PASSWORD = "correct horse battery"


@pytest.fixture
def engineer() -> None:
    """One member of the staff."""
    get_user_model().objects.create_user("engineer", "engineer@example.org", PASSWORD)


@pytest.mark.django_db
@pytest.mark.usefixtures("engineer")
@pytest.mark.parametrize("login", ["engineer", "engineer@example.org"])
def test_staff_sign_in_by_name_or_address(client: Client, login: str) -> None:
    client.post("/accounts/login/", {"login": login, "password": PASSWORD})

    assert "_auth_user_id" in client.session


def guess(client: Client, login: str) -> None:
    """Try as many wrong passwords as are allowed."""
    for _attempt in range(settings.AXES_FAILURE_LIMIT):
        client.post("/accounts/login/", {"login": login, "password": "wrong"})


@pytest.mark.django_db
@pytest.mark.usefixtures("engineer")
@pytest.mark.parametrize("login", ["engineer", "ENGINEER", "engineer@example.org"])
def test_the_right_password_is_refused_after_too_many_wrong_ones(client: Client, login: str) -> None:
    guess(client, login)

    response = client.post("/accounts/login/", {"login": login.lower(), "password": PASSWORD})

    assert response.status_code == 429
    assert "_auth_user_id" not in client.session


@pytest.mark.django_db
@pytest.mark.usefixtures("engineer")
def test_guessing_at_one_name_does_not_lock_out_a_colleague(client: Client) -> None:
    guess(client, "approver")

    client.post("/accounts/login/", {"login": "engineer", "password": PASSWORD})

    assert "_auth_user_id" in client.session


@pytest.mark.django_db
@pytest.mark.usefixtures("engineer")
def test_guessing_from_elsewhere_does_not_lock_out_the_owner(client: Client) -> None:
    guess(Client(REMOTE_ADDR="203.0.113.9"), "engineer")

    client.post("/accounts/login/", {"login": "engineer", "password": PASSWORD})

    assert "_auth_user_id" in client.session


@pytest.mark.django_db
@pytest.mark.usefixtures("engineer")
def test_a_forgotten_password_is_reset_by_mail(client: Client) -> None:
    client.post("/accounts/password/reset/", {"email": "engineer@example.org"})

    assert [message.to for message in mail.outbox] == [["engineer@example.org"]]
    assert "/accounts/password/reset/key/" in str(mail.outbox[0].body)


@pytest.mark.django_db
@pytest.mark.usefixtures("engineer")
def test_the_answer_does_not_tell_whether_an_address_is_known(client: Client) -> None:
    known = client.post("/accounts/password/reset/", {"email": "engineer@example.org"})
    unknown = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})

    assert (known.status_code, known.headers["Location"]) == (unknown.status_code, unknown.headers["Location"])
