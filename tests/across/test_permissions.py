"""Every address x every role: who reaches what. An address that is not in the table fails the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from catalog import services as catalog_services
from catalog.models import Fact, GpuSupport
from quotes import links, services
from quotes.actors import Role
from quotes.models import Absence, Quote, Status
from tests import makers

pytestmark = pytest.mark.django_db

ANONYMOUS, CUSTOMER, STRANGER = "anonymous", "customer by link", "another customer's link"
ENGINEER, COLLEAGUE, APPROVER = "engineer", "another engineer", "approver"
CATALOG, AUDITOR = "catalog administrator", "auditor"
ROLES = (ANONYMOUS, CUSTOMER, STRANGER, ENGINEER, COLLEAGUE, APPROVER, CATALOG, AUDITOR)
OUTSIDE = (ANONYMOUS, CUSTOMER, STRANGER)
IN, LOGIN, FORBIDDEN, HIDDEN = "reaches the view", "sent to sign in", "403", "404"

Verdicts = dict[str, str]


def verdicts(*, outside: str, **staff: str) -> Verdicts:
    """Write a row: one verdict for everybody outside, one for each member of the staff."""
    names = {"engineer": ENGINEER, "colleague": COLLEAGUE, "approver": APPROVER, "catalog": CATALOG, "auditor": AUDITOR}
    return dict.fromkeys(OUTSIDE, outside) | {names[name]: verdict for name, verdict in staff.items()}


PUBLIC = dict.fromkeys(ROLES, IN)
STAFF = verdicts(outside=LOGIN, engineer=IN, colleague=IN, approver=IN, catalog=IN, auditor=IN)
READ = verdicts(outside=LOGIN, engineer=IN, colleague=IN, approver=IN, catalog=HIDDEN, auditor=IN)
EDIT = verdicts(outside=LOGIN, engineer=IN, colleague=FORBIDDEN, approver=FORBIDDEN, catalog=HIDDEN, auditor=FORBIDDEN)
HANDLE = verdicts(outside=LOGIN, engineer=IN, colleague=IN, approver=FORBIDDEN, catalog=HIDDEN, auditor=FORBIDDEN)
APPROVE = verdicts(
    outside=LOGIN, engineer=FORBIDDEN, colleague=FORBIDDEN, approver=IN, catalog=HIDDEN, auditor=FORBIDDEN
)
NOTE = verdicts(outside=LOGIN, engineer=IN, colleague=IN, approver=IN, catalog=HIDDEN, auditor=FORBIDDEN)
CATALOG_READ = verdicts(
    outside=LOGIN, engineer=FORBIDDEN, colleague=FORBIDDEN, approver=FORBIDDEN, catalog=IN, auditor=IN
)
CATALOG_EDIT = CATALOG_READ | {AUDITOR: FORBIDDEN}
AUDIT = verdicts(outside=LOGIN, engineer=FORBIDDEN, colleague=FORBIDDEN, approver=FORBIDDEN, catalog=HIDDEN, auditor=IN)
OWN = dict.fromkeys(ROLES, HIDDEN) | dict.fromkeys(OUTSIDE, LOGIN) | {ENGINEER: IN}
LINK = dict.fromkeys(ROLES, HIDDEN) | {CUSTOMER: IN}
OWN_LINK = LINK | {STRANGER: IN}

EVIDENCE = {"evidence": "a letter of 27 November", "version": 1}


@dataclass
class World:
    """The things the addresses name: a quote in review, one ready, one sent, and their links."""

    review: Quote
    ready: Quote
    sent: Quote
    token: str
    sent_token: str
    stranger_token: str
    people: dict[str, User] = field(default_factory=dict)

    def token_for(self, role: str, token: str) -> str:
        """Give the token a role holds; whoever holds none makes a guess."""
        return {CUSTOMER: token, STRANGER: self.stranger_token}.get(role, "a-guess")


Args = Callable[[World, str], list[Any]]


@dataclass(frozen=True)
class Row:
    """One address: how it is asked, and what each role gets."""

    expected: Verdicts
    args: Args = field(default=lambda world, role: [])
    post: dict[str, Any] | Callable[[World], dict[str, Any]] | None = None

    def data(self, world: World) -> dict[str, Any]:
        """Give what is posted."""
        return self.post(world) if callable(self.post) else dict(self.post or {})


def seen_of_review(world: World) -> dict[str, Any]:
    """Give the version the page of the quote in review carries."""
    return {"seen": Quote.objects.get(pk=world.review.pk).version}


def seen_of_ready(world: World) -> dict[str, Any]:
    """Give the version the page of the ready quote carries."""
    return {"seen": Quote.objects.get(pk=world.ready.pk).version}


def of_review(*more: Any) -> Args:
    """Address the quote in review."""
    return lambda world, role: [world.review.public_id, *more]


def of_ready(*more: Any) -> Args:
    """Address the quote that waits for approval."""
    return lambda world, role: [world.ready.public_id, *more]


def of_sent(world: World, role: str) -> list[Any]:
    """Address the quote that was sent."""
    return [world.sent.public_id]


def of_review_and_ready(world: World, role: str) -> list[Any]:
    """Address the quote in review beside the request that waits for approval: one customer's."""
    return [world.review.public_id, world.ready.request.public_id]


def of_line(action: str) -> Args:
    """Address a line of the quote in review."""
    return lambda world, role: [world.review.public_id, world.review.lines.all()[0].public_id, action]


def of_entry(action: str) -> Args:
    """Address an assumption of the quote in review."""
    return lambda world, role: [world.review.public_id, world.review.ledger.all()[0].public_id, action]


def of_absence(world: World, role: str) -> list[Any]:
    """Address the engineer's absence."""
    return [world.people[ENGINEER].absences.get().public_id]


def by_link(world: World, role: str) -> list[Any]:
    """Address the request in review by the role's own link."""
    return [world.token_for(role, world.token)]


def by_sent_link(world: World, role: str) -> list[Any]:
    """Address the request that was answered by the role's own link."""
    return [world.token_for(role, world.sent_token)]


def const(*args: Any) -> Args:
    """Address something by fixed words."""
    return lambda world, role: list(args)


def of_evidence(world: World, role: str) -> list[Any]:
    """Address the file that a claim of the catalog was confirmed with."""
    claim = GpuSupport.objects.exclude(evidence_file="").first()
    if claim is None:
        claim = GpuSupport.objects.all()[0]
        file = SimpleUploadedFile("letter.pdf", b"%PDF-1.7")
        catalog_services.confirm([claim], actor=None, evidence="letter", evidence_file=file)
    return [f"support-{claim.pk}"]


def a_fact(world: World) -> dict[str, Any]:
    """Choose a value for the catalog and leave the reason out: the view asks for it."""
    return {"fact": Fact.objects.all()[0].pk}


def of_document(world: World, role: str) -> list[Any]:
    """Address the document of the sent quote."""
    return [world.sent.documents.get().public_id]


def of_pilot(world: World, role: str) -> list[Any]:
    """Address the profile that the customer of the quote in review uploaded."""
    return [world.review.public_id, world.review.pilots.get(is_waiting=True).public_id]


def of_attachment(world: World, role: str) -> list[Any]:
    """Address the file of the request in review."""
    return [world.review.request.attachments.get().public_id]


def of_document_by_link(world: World, role: str) -> list[Any]:
    """Address the document of the sent quote through a link."""
    return [*by_sent_link(world, role), *of_document(world, role)]


def of_question(world: World, role: str) -> list[Any]:
    """Address the question of the request in review through a link."""
    return [*by_link(world, role), world.review.clarifications.get().public_id]


def an_entry(world: World) -> dict[str, Any]:
    """Post about an assumption of the request in review."""
    return {"verdict": "right", "entry": str(world.review.ledger.all()[0].public_id)}


def an_entry_of_another(world: World) -> dict[str, Any]:
    """Post about an assumption of a request the link does not open."""
    return {"verdict": "right", "entry": str(world.ready.ledger.all()[0].public_id)}


TABLE: dict[str, list[Row]] = {
    "health": [Row(PUBLIC)],
    "set_language": [Row(PUBLIC, post={"language": "ru"})],
    "quotes:account": [
        Row(STAFF),
        Row(NOTE | {CATALOG: FORBIDDEN}, post={"starts_on": "2027-01-10", "ends_on": "2027-01-12", "deputy": "x"}),
    ],
    "quotes:absence_change": [Row(OWN, of_absence), Row(OWN, of_absence, {"starts_on": "2027-02-01"})],
    "quotes:absence_end": [Row(OWN, of_absence, {})],
    "quotes:audits": [Row(AUDIT)],
    "quotes:audit_csv": [Row(AUDIT)],
    "quotes:audit_jsonl": [Row(AUDIT)],
    "quotes:queue": [Row(READ)],
    "quotes:queue_csv": [Row(READ)],
    "quotes:detail": [Row(READ, of_review())],
    "quotes:draft": [Row(READ, of_review())],
    "quotes:events": [Row(READ, of_review())],
    "quotes:audit": [Row(READ, of_review())],
    "quotes:difference": [Row(READ, lambda world, role: [world.sent.successors.get().public_id])],
    "quotes:desk_document": [Row(READ, of_document)],
    "quotes:attachment": [Row(READ, of_attachment)],
    "quotes:line": [
        Row(READ, of_line("confirm")),
        Row(EDIT, of_line("confirm"), EVIDENCE),
        Row(EDIT, of_line("waive"), {"reason": "the supplier names it in the invoice", "party": "us", "version": 1}),
        Row(EDIT, of_line("refute"), EVIDENCE),
        Row(EDIT, of_line("reopen"), {"version": 1}),
        Row(EDIT, of_line("remove"), {"version": 1}),
        Row(
            EDIT,
            of_line("edit"),
            {"kind": "gpu", "description": "x", "quantity": "1", "price_kind": "none", "version": 1},
        ),
    ],
    "quotes:line_new": [
        Row(READ, of_review()),
        Row(EDIT, of_review(), {"kind": "gpu", "description": "x", "quantity": "1", "price_kind": "none"}),
    ],
    "quotes:lines_confirm": [
        Row(READ, of_review()),
    ],
    "quotes:assumption": [
        Row(READ, of_entry("confirm")),
        Row(EDIT, of_entry("confirm"), EVIDENCE),
        Row(EDIT, of_entry("waive"), {"reason": "the customer measures it until Friday", "party": "us", "version": 1}),
    ],
    "quotes:stated": [
        Row(READ, of_review("workload.sequence_length")),
        Row(EDIT, of_review("workload.sequence_length"), {"value": "4096", "version": 1}),
    ],
    "quotes:catalog_take": [Row(EDIT, of_review(), seen_of_review)],
    "quotes:choose": [Row(EDIT, of_review(1), seen_of_review)],
    "quotes:ask": [Row(READ, of_review()), Row(EDIT, of_review(), {"question": "How long?"})],
    "quotes:move": [
        Row(READ, of_review("cancel")),
        Row(EDIT, of_review("cancel"), lambda world: {"reason": "a duplicate", **seen_of_review(world)}),
        Row(APPROVE, of_ready("approve"), seen_of_ready),
        Row(
            HANDLE | {APPROVER: IN},
            of_ready("return"),
            lambda world: {"reason": "the price list is of last month", **seen_of_ready(world)},
        ),
    ],
    "quotes:pilot": [Row(READ, of_review()), Row(EDIT, of_review(), {"gpu": "h200-nvl", "peak_gib": "40"})],
    "quotes:desk_pilot_script": [Row(READ, of_review())],
    "quotes:pilot_use": [Row(EDIT, of_pilot, {})],
    "quotes:pilot_aside": [Row(EDIT, of_pilot, {})],
    "quotes:revise": [Row(HANDLE, lambda world, role: [world.sent.public_id], {})],
    "quotes:retract": [
        Row(READ, of_sent),
        Row(HANDLE, of_sent, {"reason": "by mistake", "evidence": "a letter"}),
    ],
    "quotes:record_acceptance": [
        Row(READ, of_sent),
        Row(HANDLE, of_sent, lambda world: {"seen": Quote.objects.get(pk=world.sent.pk).version}),
    ],
    "quotes:copy": [Row(READ, of_review()), Row(HANDLE, of_review(), {"prices": "today"})],
    "quotes:merge": [
        Row(READ, of_review_and_ready),
        Row(HANDLE, of_review_and_ready, lambda world: {"survivor": str(world.ready.request.public_id)}),
    ],
    "quotes:unmerge": [Row(READ, of_review()), Row(HANDLE, of_review(), {"reason": "they are two"})],
    "quotes:assign": [Row(HANDLE, of_review(), {"take": "1"})],
    "quotes:due": [Row(HANDLE, of_review(), {"due_on": "2027-01-15"})],
    "quotes:note": [Row(NOTE, of_review(), {"text": "a remark"})],
    "quotes:link_new": [Row(HANDLE, of_review(), {})],
    "quotes:link_revoke": [Row(HANDLE, of_review(0), {})],
    "quotes:start": [Row(PUBLIC)],
    "quotes:models": [Row(PUBLIC)],
    "quotes:article_check": [Row(PUBLIC)],
    "quotes:config": [Row(PUBLIC, post={})],
    "quotes:files": [Row(PUBLIC, post={})],
    "quotes:check": [Row(PUBLIC)],
    "quotes:saved": [Row(PUBLIC)],
    "quotes:restore": [Row(PUBLIC, const("not-a-saved-form"))],
    "quotes:prefill": [Row(PUBLIC)],
    "quotes:form": [Row(PUBLIC, const("adapters"))],
    "quotes:preview": [Row(PUBLIC, const("adapters"), {})],
    "quotes:discuss": [Row(PUBLIC)],
    "quotes:accuracy": [Row(PUBLIC)],
    "quotes:figures": [Row(PUBLIC)],
    "quotes:privacy": [Row(PUBLIC)],
    "quotes:status": [Row(OWN_LINK, by_link)],
    "quotes:answer": [Row(LINK, of_question, {"answer": "2048"})],
    "quotes:claims": [Row(LINK, by_link, an_entry), Row(LINK | {CUSTOMER: HIDDEN}, by_link, an_entry_of_another)],
    "quotes:accept": [Row(OWN_LINK, by_sent_link), Row(OWN_LINK, by_sent_link, {"sha256": "0"})],
    "quotes:decline": [Row(OWN_LINK, by_sent_link, {})],
    "quotes:document": [Row(LINK, of_document_by_link)],
    "quotes:preliminary": [Row(OWN_LINK, by_link)],
    "quotes:pilot_script": [Row(OWN_LINK, by_link)],
    "quotes:pilot_upload": [Row(OWN_LINK, by_link, {})],
    "catalog:index": [Row(PUBLIC)],
    "catalog:gpu": [Row(PUBLIC, const("h200-nvl"))],
    "catalog:platforms": [Row(PUBLIC)],
    "catalog:platform": [Row(PUBLIC, const("smc-sys-421ge-tnrt"))],
    "catalog:parts": [Row(PUBLIC, const("cpu"))],
    "catalog:language_models": [Row(PUBLIC)],
    "catalog:add_language_model": [Row(CATALOG_EDIT)],
    "catalog:language_model_files": [Row(CATALOG_EDIT)],
    "catalog:load_language_models": [Row(CATALOG_EDIT, post={})],
    "catalog:language_model": [Row(PUBLIC, const("llama-3.1-8b"))],
    "catalog:articles": [Row(PUBLIC)],
    "catalog:article": [Row(PUBLIC)],
    "catalog:keep_article": [Row(CATALOG_EDIT, post={"article": "SYS-821GE-TNHR-8xH200"})],
    "catalog:compare": [Row(PUBLIC)],
    "catalog:collections": [Row(PUBLIC)],
    "catalog:collection": [Row(PUBLIC, const("llama"))],
    "catalog:to_confirm": [Row(CATALOG_READ)],
    "catalog:confirm": [Row(CATALOG_EDIT, post={})],
    "catalog:unknown_facts": [Row(CATALOG_READ)],
    "catalog:choose_fact": [Row(CATALOG_EDIT, post=a_fact)],
    "catalog:evidence": [Row(CATALOG_READ, of_evidence)],
    "catalog:price_list": [Row(CATALOG_EDIT)],
    "catalog:import_price_list": [Row(CATALOG_EDIT, post={})],
}
# Pages of the sign-in package: asked by nobody in particular, they let in who is not signed in, or send to sign in.
ENTRANCE = frozenset(
    {
        "account_login",
        "account_logout",
        "account_inactive",
        "account_signup",
        "account_reset_password",
        "account_reset_password_done",
        "account_reset_password_from_key_done",
        "account_email_verification_sent",
        "account_confirm_login_code",
    }
)
MANAGED = frozenset(
    {
        "account_reauthenticate",
        "account_email",
        "account_change_password",
        "account_set_password",
        "mfa_index",
        "mfa_reauthenticate",
        "mfa_activate_totp",
        "mfa_deactivate_totp",
        "mfa_view_recovery_codes",
        "mfa_generate_recovery_codes",
        "mfa_download_recovery_codes",
        "account_request_reauthentication_code",
        "account_confirm_reauthentication_code",
    }
)
BY_KEY = frozenset({"account_confirm_email", "account_reset_password_from_key", "mfa_authenticate"})


def addresses(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[str]:
    """Name every address of the site outside the admin, which has its own test."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLPattern):
            yield f"{prefix}{pattern.name}"
        elif pattern.namespace != "admin":
            yield from addresses(pattern, f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix)


def test_every_address_is_in_the_table() -> None:
    known = TABLE.keys() | ENTRANCE | MANAGED | BY_KEY

    assert sorted(set(addresses()) - known) == []
    assert sorted(known - set(addresses())) == []


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Make the things once; each request is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("load_catalog", verbosity=0)
        yield make_world()
        transaction.set_rollback(True)


def make_world() -> World:
    """Make quotes in three states, links, people."""
    review = makers.make_quote()
    review.request.assigned_to = makers.make_user(Role.ENGINEER)
    review.request.save()
    services.ask(review, actor=makers.engineer(), question="How long?", ledger_key="storage.copies")
    from quotes.uploads import Checked

    services.attach(
        review.request, file=Checked("a.txt", b"text", "text/plain", "0" * 64), kind="article", actor=makers.engineer()
    )
    profile = {"gpu": "another", "sequence_length": 1024, "micro_batch": 1, "peak_gib": 30.0}
    services.receive_pilot(review, profile=profile, actor=makers.customer(review))
    ready = makers.make_quote(status=Status.READY, settled=True)
    sent = makers.make_quote(status=Status.SENT, settled=True)
    makers.make_document(sent)
    services.revise(sent, actor=makers.engineer(), reason="new price list")
    other = makers.make_quote()
    people = {
        ENGINEER: makers.make_user(Role.ENGINEER),
        COLLEAGUE: makers.make_user(Role.ENGINEER, name="colleague"),
        APPROVER: makers.make_user(Role.APPROVER),
        CATALOG: makers.make_user(Role.CATALOG_ADMINISTRATOR),
        AUDITOR: makers.make_user(Role.AUDITOR),
    }
    Absence.objects.create(
        person=people[ENGINEER], deputy=people[COLLEAGUE], starts_on="2027-02-01", ends_on="2027-02-05"
    )
    tokens = [links.issue(quote.request)[1] for quote in (review, sent, other)]
    return World(review, ready, sent, tokens[0], tokens[1], tokens[2], people)


def judged(response: HttpResponse) -> str:
    """Say in a word what happened."""
    if response.status_code == 302 and response["Location"].startswith("/accounts/login/"):
        return LOGIN
    return {403: FORBIDDEN, 404: HIDDEN}.get(response.status_code, IN)


CASES = [(name, index) for name, rows in TABLE.items() for index in range(len(rows))]


@pytest.mark.parametrize(("name", "index"), CASES, ids=[f"{name}-{index}" for name, index in CASES])
def test_each_role_reaches_what_it_may(name: str, index: int, world: World, django_db_blocker: Any) -> None:
    row = TABLE[name][index]
    found = {}

    with django_db_blocker.unblock():
        for role in ROLES:
            client = Client(raise_request_exception=True)
            with transaction.atomic():
                if role in world.people:
                    client.force_login(world.people[role])
                address = reverse(name, args=row.args(world, role))
                response = client.get(address) if row.post is None else client.post(address, row.data(world))
                found[role] = judged(response)
                drain(response)
                transaction.set_rollback(True)

    assert found == row.expected


def drain(response: Any) -> None:
    """Read a file that is streamed to its end, which closes it."""
    if response.streaming:
        b"".join(response.streaming_content)


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(MANAGED))
def test_pages_of_an_account_are_for_who_is_signed_in(name: str, client: Client) -> None:
    assert judged(client.get(reverse(name))) == LOGIN


@pytest.mark.django_db
def test_a_links_holder_sees_nothing_of_another_customer(client: Client) -> None:
    mine = makers.make_quote(request=makers.make_request(organization="Mine GmbH"))
    theirs = makers.make_quote(request=makers.make_request(organization="Theirs AG"))
    _link, token = links.issue(mine.request)

    text = client.get(reverse("quotes:status", args=[token])).content.decode()

    assert mine.request.reference in text
    for secret in (theirs.request.reference, "Theirs AG", str(theirs.public_id), str(theirs.request.public_id)):
        assert secret not in text


@pytest.mark.django_db
def test_a_document_in_preparation_is_not_the_customers(client: Client) -> None:
    quote = makers.make_quote(status=Status.APPROVED, settled=True)
    document = makers.make_document(quote)
    _link, token = links.issue(quote.request)

    assert client.get(reverse("quotes:document", args=[token, document.public_id])).status_code == 404


@pytest.mark.django_db
def test_closed_and_expired_links_open_nothing(client: Client) -> None:
    quote = makers.make_quote()
    link, token = links.issue(quote.request)
    services.revoke_link(link, actor=makers.engineer())

    response = client.get(reverse("quotes:status", args=[token]))

    assert response.status_code == 410
    assert quote.request.reference not in response.content.decode()


@pytest.mark.django_db
def test_the_token_is_nowhere_in_the_database() -> None:
    link, token = links.issue(makers.make_request())

    assert token not in (link.nonce, link.token_sha256)
    assert links.token_of(link.request) == token


@pytest.mark.django_db
@pytest.mark.parametrize("role", [Role.ENGINEER, Role.APPROVER, None])
def test_the_admin_is_closed_to_who_is_no_administrator(role: Role | None, client: Client) -> None:
    if role is not None:
        client.force_login(makers.make_user(role))

    assert client.get("/admin/").status_code == 302


@pytest.mark.django_db
def test_scanners_that_open_a_link_change_nothing(client: Client) -> None:
    quote = makers.make_quote(status=Status.SENT, settled=True)
    makers.make_document(quote)
    _link, token = links.issue(quote.request)
    before = quote.request.events.count()

    for _hit in range(5):
        client.get(reverse("quotes:status", args=[token]))
        client.get(reverse("quotes:accept", args=[token]))

    quote.refresh_from_db()
    assert (quote.status, quote.request.events.count()) == (Status.SENT, before)
