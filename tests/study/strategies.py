"""Recipes drawn from the registries themselves: what is new in one of them is drawn too."""

from __future__ import annotations

from hypothesis import strategies as st

from datasets.catalogue import DATASETS
from nca_core.methods import METHODS
from nca_core.methods.method import Choice, Whole
from study.panel import FEATURES, LABELS, LONGEST_TITLE, SEED, PanelRecipe, free_key
from study.recipe import FIELDS, LONGEST_NAME, MOST_PANELS, OWN, DataRecipe, Recipe, Text, parameter_domain


def values(domain):
    """Members of a domain."""
    if isinstance(domain, Choice):
        return st.sampled_from(domain.options)
    if isinstance(domain, Whole):
        whole = st.integers(domain.minimum, domain.maximum)
        return st.none() | whole if domain.optional else whole
    if isinstance(domain, Text):
        return st.text(max_size=domain.longest)
    return st.floats(domain.minimum, domain.maximum)


def some_of(domains):
    """Mappings of some of the names to members of their domains."""
    return st.fixed_dictionaries({}, optional={name: values(domain) for name, domain in domains.items()})


def catalogue_data(key):
    domains = {parameter.name: parameter_domain(parameter) for parameter in DATASETS[key].parameters}
    return st.builds(DataRecipe, st.just(key), some_of(domains))


DATA = (
    st.sampled_from(list(DATASETS)).flatmap(catalogue_data)
    | st.builds(
        DataRecipe,
        st.just(OWN),
        content=st.text("0123456789abcdef", min_size=16, max_size=16),
        name=st.text(max_size=LONGEST_NAME),
    )
    | st.builds(DataRecipe, st.text(max_size=60).map("folder:{}".format))
)


@st.composite
def panels(draw):
    made: list[PanelRecipe] = []
    for method in draw(st.lists(st.sampled_from(list(METHODS)), min_size=1, max_size=MOST_PANELS)):
        entry = METHODS[method]
        features = draw(values(FEATURES))
        earlier = [panel.key for panel in made if panel.gives_frames and panel.features == features]
        starts = ["", *entry.starts]
        if entry.kind == "trained" and earlier:
            starts += [f"{draw(st.sampled_from(earlier))}@{draw(st.integers(0, 999_999))}"] * 5
        made.append(
            PanelRecipe(
                free_key(method, {panel.key for panel in made}),
                draw(some_of({setting.key: setting.domain for setting in entry.settings})),
                draw(values(LABELS)),
                draw(st.sampled_from(starts)),
                features,
                draw(values(SEED)),
                draw(st.text(max_size=LONGEST_TITLE)),
            )
        )
    return tuple(made)


@st.composite
def recipes(draw):
    recipe = Recipe(data=draw(DATA), panels=draw(panels()))
    for name, value in draw(some_of({name: field.domain for name, field in FIELDS.items()})).items():
        recipe = FIELDS[name].put(recipe, value)
    return recipe
