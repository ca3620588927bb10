"""Why the engine refuses a configuration, a name or a format of a model, marked for translation.

The engine keeps these sentences as templates and knows no Django, so this list is where they are found.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

SHAPES_OF_VALUES = (
    _("a list of %(count)s"),
    _("an object with %(count)s keys"),
    _("a number of %(count)s bits"),
)
REFUSALS = (
    _("No model is given: its name, its config.json or its number of parameters is needed."),
    _("A model is given by its name, config or parameters; this is %(value)s."),
    _("This configuration describes %(value)s parameters, more than any model that could be sized."),
    _("A width of %(hidden)s does not divide into %(value)s heads."),
    _("A width of %(hidden)s does not divide into %(value)s heads, and head_dim is not given."),
    _("%(heads)s query heads cannot share %(value)s key/value heads evenly."),
    _("A token cannot go to %(value)s of %(experts)s experts."),
    _("%(field)s names %(value)s layers, the model has %(layers)s."),
    _("Gemma models with per-layer embeddings (%(field)s above 0) cannot be sized yet."),
    _("Gemma models whose layers share keys and values (%(field)s above 0) cannot be sized yet."),
    _("A model configuration is a JSON object; this is %(value)s."),
    _("This configuration has more keys than a model's would."),
    _("The keys of a model configuration are names."),
    _("The configuration has no %(field)s, and nothing that can stand for it."),
    _("The configuration has no %(field)s (nor %(others)s); without it the model cannot be sized."),
    _("%(field)s has to be a whole number, not %(value)s."),
    _("%(field)s has to be a number, not %(value)s."),
    _("%(field)s has to be true or false, not %(value)s."),
    _("%(field)s has to be a text, not %(value)s."),
    _("%(field)s has to be a list of names, not %(value)s."),
    _("%(field)s has to be a list of whole numbers, not %(value)s."),
    _("%(field)s has to be a list of whole numbers from 0 to %(high)s."),
    _("%(field)s is %(value)s; a model that can be sized has %(low)s to %(high)s."),
    _("%(field)s is %(value)s; it has to be %(low)s to %(high)s."),
    _("%(value)s is not a format of the key/value cache; these are: %(known)s."),
    _("%(value)s is not a format of weights; these are: %(known)s."),
    _("Tensor parallelism has 1 rank or more, not %(value)s."),
    _("A rank is a whole number from 1 to %(most)s, not %(value)s."),
    _("%(model)s has no module called %(value)s. It has: %(known)s."),
    _("Targets are all-linear, attention, or a list of module names."),
    _("A model's name is a short text such as %(example)s."),
    _("There is no packaged model called %(value)s. Give its config.json or its number of parameters."),
    _("The number of parameters has to be a number, not %(value)s."),
    _("%(value)s parameters is outside of what can be sized (%(low)s to %(high)s); 7 billion is written 7e9."),
)
