"""Every sentence the article reader says, by code: English templates with named parameters, for translators too."""

from __future__ import annotations

TEMPLATES: dict[str, str] = {
    "ample": (
        "It fits: the job takes {need} on each of {count} x {gpu} (up to {high}) of {capacity}. {fewest} of "
        "the {count} would hold it too: fewer GPUs, or other work beside it."
    ),
    "bridges": "NVLink bridges for {gpu} are a line of their own: named in the offer or not?",
    "cpu_count": "{platform} has {sockets} processor sockets, the text says {count} processors.",
    "cpu_family": "{platform} takes {families}, {cpu} is not one of them.",
    "cut": "Only the first {read} of {length} characters were read: paste the part that lists the components.",
    "dimm_channels": (
        "{count} modules on {sockets} x {channels} channels leave channels empty or uneven: memory runs slower."
    ),
    "dimm_slots": "{platform} has {slots} memory slots, the text says {count} modules.",
    "fits": "It fits: the job takes {need} on each of {count} x {gpu} (up to {high}) of {capacity}.",
    "form_factor": (
        "{gpu} has form factor {socket}, {platform} takes {sockets}: the two do not go together. It fits {fitting}."
    ),
    "gpu_count": "{platform} takes at most {most} of {gpu}, the text says {count}.",
    "gpu_count_missing": "How many {gpu}?",
    "gpu_counts": "The text gives different numbers of GPUs: {counts}.",
    "gpu_memory": "{text}: a {gpu} has {right} GB, not {printed}.",
    "gpu_mix": "The text names several GPUs: {gpus}. A server carries one kind.",
    "left_open": "{text}: the words around it leave open whether it is part of the offer.",
    "many": "Only the first {read} of {lines} components are shown: this is a list of several offers.",
    "memory_max": "{platform} takes at most {most} TB of memory, the text adds up to {total} GB.",
    "memory_speed": "{text}: no memory runs at {rate} MT/s; the speed was left out.",
    "memory_total": "The modules add up to {sum} GB, the text says {total} GB in all.",
    "no_gpu": "No GPU with a count was read, so nothing can be said about the job.",
    "not_listed": "{gpu} is not on the list of {platform}.",
    "not_stated": "Not stated: {part}.",
    "offload": "Only with states moved to the server's memory ({offload}), which slows every step.",
    "offload_host": "That takes {host} of the server's memory, the text names {ram}.",
    "offload_ram": "The text does not say how much memory the server has.",
    "psu_count": "{platform} is listed with {listed} power supplies, the text says {count}: less redundancy.",
    "psu_power": "{platform} is listed with power supplies of {options} W, the text says {watts} W.",
    "ram_below_gpu": (
        "The server has {ram} GB of memory, its GPUs {gpu} GB: short for offload, for staging checkpoints and"
        " for loading weights once per GPU."
    ),
    "short": (
        "It does not fit: the job takes {need} on each of {count} x {gpu} (up to {high}), and each has {capacity}."
    ),
    "short_of_ram": (
        "The GPUs hold the job ({need} of {capacity} on each of {count} x {gpu}), the server's memory does not."
    ),
    "states": (
        "Weights, gradients and optimizer states of {parameters} parameters take {low} at 16 bytes each and "
        "{high} at 18; the GPUs have {capacity} in all."
    ),
    "support": "That {platform} takes {gpu} is not confirmed for this article.",
    "taken_as": "{text} was taken as {value}: confirm.",
    "two_per_channel": "With two modules per channel {platform} runs its memory at {two} MT/s instead of {one}.",
    "variant": (
        "{text}: {variant} is a card of its own, the catalog has {gpu}. Memory is the same, power and speed are not: "
        "what is said of {gpu} is no more than close to it."
    ),
    "unknown_gpu": "{text}: the catalog has no such GPU.",
    "unknown_platform": "{text}: the catalog has no such model; ask for the maker's document.",
}
