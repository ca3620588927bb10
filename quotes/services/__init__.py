"""The verbs of the app: each takes the thing first, then keywords, and says who acts.

Refusals are raised as `quotes.refusals` and carry the HTTP status they become.
"""

from quotes.services.absences import change_absence, end_absence, may_be_absent, plan_absence
from quotes.services.attachments import attach
from quotes.services.candidates import choose_candidate
from quotes.services.clarifications import answer_clarification, ask
from quotes.services.confirming import confirm, confirm_together, refute, reopen, waive
from quotes.services.copying import copy
from quotes.services.deciding import accept, decline, record_acceptance, retract
from quotes.services.documents import store_document, stored_document
from quotes.services.handling import add_note, assign, reissue_link, revoke_link, set_due
from quotes.services.inheriting import take_catalogs_word
from quotes.services.ledger import change_assumption, dispute_assumption, parse_value, stated_entry, try_value
from quotes.services.lines import add_line, edit_line, remove_line
from quotes.services.merging import merge, unmerge
from quotes.services.moves import approve, move, send
from quotes.services.pilots import receive_pilot, record_pilot, set_pilot_aside, use_pilot
from quotes.services.requests import bound_key, submit_request
from quotes.services.revising import revise

__all__ = [
    "accept",
    "add_line",
    "add_note",
    "answer_clarification",
    "approve",
    "ask",
    "assign",
    "attach",
    "bound_key",
    "change_absence",
    "change_assumption",
    "choose_candidate",
    "confirm",
    "confirm_together",
    "copy",
    "decline",
    "dispute_assumption",
    "edit_line",
    "end_absence",
    "may_be_absent",
    "merge",
    "move",
    "parse_value",
    "plan_absence",
    "receive_pilot",
    "record_acceptance",
    "record_pilot",
    "refute",
    "reissue_link",
    "remove_line",
    "reopen",
    "retract",
    "revise",
    "revoke_link",
    "send",
    "set_due",
    "set_pilot_aside",
    "stated_entry",
    "store_document",
    "stored_document",
    "submit_request",
    "take_catalogs_word",
    "try_value",
    "unmerge",
    "use_pilot",
    "waive",
]
