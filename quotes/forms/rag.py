"""Requirements for answers over documents: what is searched, and who asks."""

from __future__ import annotations

from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from quotes.forms import choices
from quotes.forms.fields import Choice, Number
from quotes.forms.sections import Section
from quotes.forms.serving import ANSWERS, LOAD, RELIABILITY, ServingForm

LIBRARY = Section(
    "documents",
    _("Documents"),
    plain=(("documents", "pages_per_document", "new_documents_per_day"), "dataset_language", "document_kind"),
)


class RagForm(ServingForm):
    """Search over documents and a ready model that answers from what was found."""

    title: ClassVar[Any] = _("Requirements for answers over documents")
    sections: ClassVar[tuple[Section, ...]] = (
        LIBRARY,
        ANSWERS,
        LOAD,
        RELIABILITY,
        *(
            section
            for section in ServingForm.sections
            if section.key in ("site", "money", "cloud", "own_costs", "in_mind", "article")
        ),
    )

    documents = Number(
        low=1,
        high=1e11,
        whole=True,
        width="w6",
        label=_("Documents"),
        action=_("Count files, not pages."),
    )
    pages_per_document = Number(
        low=0.1,
        high=100_000,
        width="w4",
        unit=_("pages"),
        label=_("Pages on average"),
        short=_("Pages a document"),
        action=_("Give the mean over all documents."),
    )
    new_documents_per_day = Number(
        low=0,
        high=1e9,
        whole=True,
        width="w4",
        label=_("New or changed a day"),
        short=_("New a day"),
        action=_("Count changed ones too."),
    )
    dataset_language = Choice(
        choices=choices.TEXT_LANGUAGES,
        empty=_("not stated"),
        label=_("Language of the texts"),
        short=_("Text language"),
    )
    document_kind = Choice(
        choices=choices.DOCUMENT_KINDS,
        kind="row",
        initial="text",
        label=_("What they are"),
        short=_("Kind of documents"),
        help_text=_("Scans are recognized once, when they are loaded"),
    )

    def clean(self) -> dict[str, Any]:
        """Ask for the number of documents."""
        cleaned = super().clean()
        if not cleaned.get("documents") and "documents" not in self.errors:
            self.add_error("documents", _("Say about how many documents are searched."))
        return cleaned
