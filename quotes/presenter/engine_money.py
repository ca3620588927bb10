"""What the engine says about owning, renting, benchmarks and kinds of index; figures and names are parameters."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

MONEY = (
    _("Prices and rents are known in different currencies: %(price)s and %(rent)s."),
    _("No price of electricity in %(currency)s is known."),
    _("a rented place in a data center; 0 in a room of one's own. Power is counted beside it"),
    _("support contract and spare parts"),
    _("time of the people who run the server"),
    _("paid from own money; give the yearly rate of a loan or lease, repaid over the years of use"),
    _("storage in the cloud is not counted until its price is given"),
    _("data read out of the cloud every month: none is known of"),
    _("traffic out of the cloud is not counted until its price is given"),
    _("no dated rent of this GPU is known; a quote for the cloud can be given"),
    _("middle of the dated prices on demand for %(gpu)s; a quote of one's own counts more"),
    _("our assumption; to be replaced by the buyer's own figure"),
    _("no source at hand; to be given by the buyer"),
    _("price pages of the providers, listed beside the comparison"),
    _("CBRE report, US wholesale colocation of 250 to 500 kW, read second-hand"),
    _("the customer's own quote for the cloud"),
)
BENCHMARKS = (
    _("mean prompt of the benchmark that has this scenario, as we remember it"),
    _("general knowledge of MLPerf Inference v5.0 and v5.1; not read at the source, unconfirmed"),
)
INDEXES = (
    _("passages share a part of their text, so that none is torn apart"),
    _("share of the documents that one update changes"),
    _("how often fine-tuning goes through the text of the documents"),
    _("OpenSearch k-NN documentation: 1.1 x (b d + 8 m) bytes a vector; int8 with a scale (Qdrant)"),
    _("OpenSearch k-NN documentation: 1.1 x (b d N + 4 nlist d) bytes"),
    _("FAISS wiki and cuVS documentation: codes and an 8-byte id a vector, centroids and codebooks beside"),
    _("does not fit on these machines"),
)
