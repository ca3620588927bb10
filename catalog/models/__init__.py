"""Tables of the catalog."""

from catalog.models.claims import Claim, Standing
from catalog.models.components import Accessory, Cpu, Drive, MemoryModule, Nic, Service, Switch
from catalog.models.facts import Fact
from catalog.models.gpus import Gpu, Socket
from catalog.models.language_models import LanguageModel
from catalog.models.parts import Part
from catalog.models.platforms import GpuSupport, Interconnect, Platform
from catalog.models.prices import ExchangeRate, Offer, Price
from catalog.models.skus import Sku, SkuLine
from catalog.models.sources import Source

__all__ = [
    "Accessory",
    "Claim",
    "Cpu",
    "Drive",
    "ExchangeRate",
    "Fact",
    "Gpu",
    "GpuSupport",
    "Interconnect",
    "LanguageModel",
    "MemoryModule",
    "Nic",
    "Offer",
    "Part",
    "Platform",
    "Price",
    "Service",
    "Sku",
    "SkuLine",
    "Socket",
    "Source",
    "Standing",
    "Switch",
]
