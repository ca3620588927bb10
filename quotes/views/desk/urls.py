"""Addresses of the staff's pages."""

from django.urls import path, register_converter
from django.urls.converters import IntConverter

from quotes.views.desk import account, acting, auditing, following, merging, queue, records, review, rows


class PlaceConverter(IntConverter):
    """A place in a list, from 0; a number no list is as long as is no address, whatever a database could hold."""

    regex = "[0-9]{1,4}"


register_converter(PlaceConverter, "place")
urlpatterns = [
    path("", queue.queue, name="queue"),
    path("account/", account.account, name="account"),
    path("account/absences/<uuid:absence_id>/", account.change, name="absence_change"),
    path("account/absences/<uuid:absence_id>/end/", account.end, name="absence_end"),
    path("audit/", auditing.audits, name="audits"),
    path("audit/audit.csv", auditing.audit_csv, name="audit_csv"),
    path("audit/audit.jsonl", auditing.audit_jsonl, name="audit_jsonl"),
    path("queue.csv", queue.queue_csv, name="queue_csv"),
    path("documents/<uuid:document_id>/", records.document, name="desk_document"),
    path("attachments/<uuid:attachment_id>/", records.attachment, name="attachment"),
    path("<uuid:quote_id>/", review.detail, name="detail"),
    path("<uuid:quote_id>/draft.pdf", records.draft, name="draft"),
    path("<uuid:quote_id>/events/", records.events, name="events"),
    path("<uuid:quote_id>/audit.jsonl", records.audit, name="audit"),
    path("<uuid:quote_id>/difference/", records.difference, name="difference"),
    path("<uuid:quote_id>/lines/new/", rows.line_new, name="line_new"),
    path("<uuid:quote_id>/lines/confirm/", rows.lines_confirm, name="lines_confirm"),
    path("<uuid:quote_id>/catalog/take/", following.catalog_take, name="catalog_take"),
    path("<uuid:quote_id>/lines/<uuid:row_id>/<slug:action>/", rows.line, name="line"),
    path("<uuid:quote_id>/assumptions/<uuid:row_id>/<slug:action>/", rows.assumption, name="assumption"),
    path("<uuid:quote_id>/inputs/<str:key>/", rows.stated, name="stated"),
    path("<uuid:quote_id>/candidates/<place:rank>/choose/", acting.choose, name="choose"),
    path("<uuid:quote_id>/ask/", acting.ask, name="ask"),
    path("<uuid:quote_id>/pilot/", acting.pilot, name="pilot"),
    path("<uuid:quote_id>/pilot/script.py", records.pilot_script, name="desk_pilot_script"),
    path("<uuid:quote_id>/pilot/<uuid:pilot_id>/use/", acting.pilot_use, name="pilot_use"),
    path("<uuid:quote_id>/pilot/<uuid:pilot_id>/aside/", acting.pilot_aside, name="pilot_aside"),
    path("<uuid:quote_id>/move/<slug:slug>/", acting.move, name="move"),
    path("<uuid:quote_id>/revise/", following.revise, name="revise"),
    path("<uuid:quote_id>/acceptance/", following.record_acceptance, name="record_acceptance"),
    path("<uuid:quote_id>/retract/", following.retract, name="retract"),
    path("<uuid:quote_id>/copy/", following.copy, name="copy"),
    path("<uuid:quote_id>/merge/<uuid:request_id>/", merging.merge, name="merge"),
    path("<uuid:quote_id>/unmerge/", merging.unmerge, name="unmerge"),
    path("<uuid:quote_id>/assign/", acting.assign, name="assign"),
    path("<uuid:quote_id>/due/", acting.due, name="due"),
    path("<uuid:quote_id>/notes/", acting.note, name="note"),
    path("<uuid:quote_id>/links/new/", acting.link_new, name="link_new"),
    path("<uuid:quote_id>/links/<place:issued>/revoke/", acting.link_revoke, name="link_revoke"),
]
