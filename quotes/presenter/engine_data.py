"""Sentences of the article reader, reference figures and kinds of models, marked for translation.

The engine keeps them as data and knows no Django, so this list is where they are found.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

ARTICLES = (
    _("%(count)s modules on %(sockets)s x %(channels)s channels leave channels empty or uneven: memory runs slower."),
    _(
        "%(gpu)s has form factor %(socket)s, %(platform)s takes %(sockets)s: the two do not go together."
        " It fits %(fitting)s."
    ),
    _("%(gpu)s is not on the list of %(platform)s."),
    _("%(platform)s has %(slots)s memory slots, the text says %(count)s modules."),
    _("%(platform)s has %(sockets)s processor sockets, the text says %(count)s processors."),
    _("%(platform)s is listed with %(listed)s power supplies, the text says %(count)s: less redundancy."),
    _("%(platform)s is listed with power supplies of %(options)s W, the text says %(watts)s W."),
    _("%(platform)s takes %(families)s, %(cpu)s is not one of them."),
    _("%(platform)s takes at most %(most)s TB of memory, the text adds up to %(total)s GB."),
    _("%(platform)s takes at most %(most)s of %(gpu)s, the text says %(count)s."),
    _(
        "%(text)s: %(variant)s is a card of its own, the catalog has %(gpu)s. Memory is the same, power and speed are"
        " not: what is said of %(gpu)s is no more than close to it."
    ),
    _("%(text)s was taken as %(value)s: confirm."),
    _("%(text)s: a %(gpu)s has %(right)s GB, not %(printed)s."),
    _("%(text)s: no memory runs at %(rate)s MT/s; the speed was left out."),
    _("%(text)s: the catalog has no such GPU."),
    _("%(text)s: the catalog has no such model; ask for the maker's document."),
    _("%(text)s: the words around it leave open whether it is part of the offer."),
    _("How many %(gpu)s?"),
    _(
        "It does not fit: the job takes %(need)s on each of %(count)s x %(gpu)s (up to %(high)s), and "
        "each has %(capacity)s."
    ),
    _("It fits: the job takes %(need)s on each of %(count)s x %(gpu)s (up to %(high)s) of %(capacity)s."),
    _(
        "It fits: the job takes %(need)s on each of %(count)s x %(gpu)s (up to %(high)s) of "
        "%(capacity)s. %(fewest)s of the %(count)s would hold it too: fewer GPUs, or other work beside "
        "it."
    ),
    _("NVLink bridges for %(gpu)s are a line of their own: named in the offer or not?"),
    _("No GPU with a count was read, so nothing can be said about the job."),
    _("Not stated: %(part)s."),
    _("Only the first %(read)s of %(length)s characters were read: paste the part that lists the components."),
    _("Only the first %(read)s of %(lines)s components are shown: this is a list of several offers."),
    _("Only with states moved to the server's memory (%(offload)s), which slows every step."),
    _("That %(platform)s takes %(gpu)s is not confirmed for this article."),
    _("That takes %(host)s of the server's memory, the text names %(ram)s."),
    _("The GPUs hold the job (%(need)s of %(capacity)s on each of %(count)s x %(gpu)s), the server's memory does not."),
    _("The modules add up to %(sum)s GB, the text says %(total)s GB in all."),
    _(
        "The server has %(ram)s GB of memory, its GPUs %(gpu)s GB: short for offload, for staging "
        "checkpoints and for loading weights once per GPU."
    ),
    _("The text does not say how much memory the server has."),
    _("The text gives different numbers of GPUs: %(counts)s."),
    _("The text names several GPUs: %(gpus)s. A server carries one kind."),
    _(
        "Weights, gradients and optimizer states of %(parameters)s parameters take %(low)s at 16 bytes "
        "each and %(high)s at 18; the GPUs have %(capacity)s in all."
    ),
    _("With two modules per channel %(platform)s runs its memory at %(two)s MT/s instead of %(one)s."),
)
FIGURES = (
    _("weights alone, bf16"),
    _("weights alone, fp16"),
    _("weights alone, fp32"),
    _("weights alone, fp8"),
    _("8 x H100 hold full tuning of 70B"),
    _("8 x H200 hold full tuning of 70B"),
    _("8 x B200 hold full tuning of 70B"),
    _("8 x H100 serve DeepSeek V3"),
    _("8 x H200 serve DeepSeek V3"),
    _("full tuning of 70B takes 1.13 TB of states at 16 bytes a parameter"),
    _("16 bytes a parameter, sharded over the node, no offload, 2,048 tokens"),
    _("FP8 weights, 16 requests of 2,500 tokens at once"),
    _("7B in BF16 is about 14 GB of weights"),
    _("70B in BF16 is 141 GB of weights"),
    _("70B in FP16 is 280 GB"),
    _("280 GB is the FP32 figure of 70B"),
    _("DeepSeek V3 in FP8 is about 625 GiB"),
    _("before activations"),
    _("full tuning of 7B needs 40-48 GB"),
    _("mixed precision with AdamW, fp32 master weights"),
    _("bf16 throughout, 8-bit AdamW, full recomputation"),
    _("LoRA of 8B fits 48 GB"),
    _("rank 16, 2,048 tokens, full recomputation"),
    _("QLoRA of 7-8B fits 24 GB"),
    _("2,048 tokens, one example at a time"),
    _("QLoRA of 70B runs on one 80 GB card"),
    _("512 tokens, one example at a time"),
    _("QLoRA of 70B fits 48 GB"),
    _("QLoRA of 70B needs 80 GB, better 140"),
    _("4,096 tokens, one example at a time"),
)
MODEL_KINDS = (
    _("a state-space model"),
    _("a mixture of state-space and attention layers"),
    _("a recurrent model"),
    _("a family whose configuration is not read yet"),
    _("a speech model"),
    _("an image model"),
    _("a family with per-layer embeddings"),
)
ONE_CARD = (
    _("bf16 throughout, 8-bit AdamW, full recomputation"),
    _("mixed precision with AdamW, fp32 master weights, full recomputation"),
    _("bf16 throughout, AdamW without master weights, full recomputation"),
    _("bf16 throughout, 8-bit AdamW inside the backward pass, full recomputation"),
    _("mixed precision with AdamW, states and master weights in host memory, full recomputation"),
    _("what most recipes train with"),
    _("small updates are lost in the rounding of bf16 weights"),
    _("rounding of bf16 weights and of 8-bit states; compare the quality with a short run"),
    _("no accumulation over micro-batches and no clipping by the norm of all gradients"),
    _("every step waits for PCIe and for the host's processors"),
)
IN_MIND = (
    _("GPU: %(gpu)s instead of %(wanted)s."),
    _("Figures of %(gpu)s: no memory or no rate is known, so nothing can be computed."),
    _("Number: %(gpu)s comes on boards of %(boards)s, so %(gpus)s cannot be built of them."),
    _("Number: %(gpus)s x %(gpu)s need more than %(nodes)s nodes, which are not tried here."),
    _("Memory: the weights alone take %(need)s, %(gpus)s x %(gpu)s have %(room)s."),
    _("Number: %(gpus)s GPUs cannot be divided into equal parts for the runs side by side."),
    _("It does the job with less to spare in memory or time than %(other)s."),
    _("It misses a wish that %(other)s keeps."),
    _("It costs more than %(other)s, which does the job as well."),
    _("It takes %(nodes)s nodes, %(other)s take %(fewer)s."),
    _("Its GPUs draw %(power)s, %(other)s draw %(less)s."),
    _("No dated document shows this GPU in its server; for %(other)s one does."),
    _("It does the same as %(other)s and takes more room in the rack."),
    _("The price that was stated was taken for the machine in mind; the others have published prices."),
)
