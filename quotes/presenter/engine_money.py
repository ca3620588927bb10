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
BUDGET = (
    _("Budget: the priced lines alone come to at least %(price)s without tax, %(limit)s with tax are allowed."),
    _("Budget: not every line has a price of this quote, so nobody knows whether it is kept."),
    _("Budget: it is in %(wanted)s, the total in %(quoted)s, and no exchange rate is known: agree one."),
    _("Budget: the total is %(total)s with tax, %(limit)s are allowed."),
    _("Budget: the total is %(total)s without tax, %(limit)s are allowed."),
    _("Budget: at 1 %(base)s = %(rate)s of %(day)s the total is %(total)s with tax, %(limit)s are allowed."),
    _("Budget: at 1 %(base)s = %(rate)s of %(day)s the total is %(total)s without tax, %(limit)s are allowed."),
    _("Budget: no line of it has a known price; nothing shows that it keeps %(limit)s."),
    _(
        "Budget: whether it keeps %(limit)s is open: %(priced)s of %(total)s lines have a price, "
        "at least %(sum)s together."
    ),
    _("Budget: whether it keeps %(limit)s is open: all lines together cost %(low)s to %(high)s."),
    _("Budget: it is with tax, prices are without; the tax has to be added to them first."),
    _("Budget: %(priced)s of %(total)s lines have a price; whether it holds is open until all have."),
    _(
        "The budget of %(budget)s is below every dated price that we know of an accelerator alone: the lowest is "
        "%(lowest)s. Machines without a price are shown, not promised."
    ),
)
EXCHANGE = (
    _("rents and usual costs are known in %(base)s, the comparison is in %(quote)s"),
    _("prices in %(base)s are counted in %(quote)s"),
    _("exchange rate that the buyer gave"),
    _("An exchange rate was stated without another currency than USD; it was not used."),
    _("The exchange rate is of %(day)s, older than the rents that it converts (%(rents)s): give today's rate."),
    _("published prices and rents of which nobody says whether tax is inside; both sides count without it"),
    _("usual practice of the pages where they were read"),
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
