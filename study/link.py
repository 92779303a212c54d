"""A recipe as names and texts, for links and files, and back: registry keys only, with a version.

    recipe=2  data=rings  data.n_samples=400  held_out=0.25  panels=pca,lda,nca,nca-2  nca-2.objective=g

Only what differs from the defaults is written. What cannot be read is skipped and named; the rest is kept.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from nca_core.methods.method import Domain
from study.panel import PANEL_FIELDS, PanelRecipe, shortened, shown
from study.recipe import FIELDS, MOST_PANELS, DataRecipe, Recipe, parameter_domain

VERSION = 2
VERSION_NAME = "recipe"
MOST_NAMES, LONGEST_TEXT, MOST_PROBLEMS = 300, 300, 8
LARGEST_FILE = 200_000
_DATA = "data"
_OF_OWN = ("content", "name", "label")  # of one's own table
_PANELS = "panels"


@dataclass(frozen=True)
class DecodedRecipe:
    """A recipe read from a link or a file, and a sentence for each thing in it that could not be read."""

    recipe: Recipe
    problems: tuple[str, ...] = ()


def to_link(recipe: Recipe) -> dict[str, str]:
    """Names and texts from which `from_link` gives the same recipe."""
    link = {VERSION_NAME: str(VERSION), _DATA: recipe.data.key}
    for parameter, value in dict(recipe.data.parameters).items():
        domain = parameter_domain(recipe.data.known_parameters[parameter])
        link[f"{_DATA}.{parameter}"] = domain.write(value)
    link |= {f"{_DATA}.{name}": text for name in _OF_OWN if (text := getattr(recipe.data, name))}
    plain = Recipe(data=recipe.data)
    for field in FIELDS.values():
        if field.get(recipe) != field.get(plain):
            link[field.name] = field.domain.write(field.get(recipe))
    if [panel.key for panel in recipe.panels] != [panel.key for panel in plain.panels]:
        link[_PANELS] = ",".join(panel.key for panel in recipe.panels)
    for panel in recipe.panels:
        domains = {setting.key: setting.domain for setting in panel.method.settings}
        texts = {name: domains[name].write(value) for name, value in dict(panel.settings).items()}
        default = PanelRecipe(panel.key)
        for name, (attribute, domain) in PANEL_FIELDS.items():
            value = getattr(panel, attribute)
            if value != getattr(default, attribute):
                texts[name] = domain.write(value)
        if panel.start:
            texts["start"] = panel.start
        link |= {f"{panel.key}.{name}": text for name, text in texts.items()}
    return link


def from_link(link: Mapping[str, Any]) -> DecodedRecipe:
    """The recipe of what `to_link` gives; unknown names become sentences and the rest is kept."""
    return _Reader(link).read()


def to_json(recipe: Recipe) -> str:
    """The recipe as a file."""
    return json.dumps(to_link(recipe), indent=2, ensure_ascii=False) + "\n"


def from_json(text: str) -> DecodedRecipe:
    """The recipe of a file; as `from_link`. Raises ValueError as `json_of`, and for a file that is no recipe."""
    # Keep numbers as strings; the settings parse them.
    read = json_of(text, "recipe", parse_int=str, parse_float=str, parse_constant=str)
    if not isinstance(read, dict) or not read.keys() & {VERSION_NAME, _DATA, _PANELS}:
        raise ValueError('The file is no recipe: it has no "recipe", no "data" and no "panels".')
    return from_link(read)


def json_of(text: str, kind: str, **options: Any) -> Any:
    """What a file of that kind says. Raises ValueError for a file that is no JSON, with where reading stopped."""
    if len(text) > LARGEST_FILE:
        raise ValueError(f"The file has {len(text):,} letters, and a {kind} has at most {LARGEST_FILE:,}.")
    try:
        return json.loads(text.removeprefix("\ufeff"), **options)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"The file is no {kind}: reading stopped in {where} ({error.msg}).") from None
    except RecursionError:
        raise ValueError(f"The file is no {kind}: it is nested too deeply.") from None


class _Reader:
    """Reads one link; each name is removed when read, so the rest at the end is unknown."""

    def __init__(self, link: Mapping[str, Any]) -> None:
        self.problems: list[str] = []
        self.texts: dict[str, str] = {}
        for name, value in list(link.items())[:MOST_NAMES]:
            text = _link_text(value)
            if text is None or not isinstance(name, str):
                said = shortened(name) if isinstance(name, str) else shown(name)
                self._say(f"{said} must be a number or a text of at most {LONGEST_TEXT} letters; it was left out.")
            else:
                self.texts[name] = text
        if len(link) > MOST_NAMES:
            self._say(f"There are {len(link):,} names; the first {MOST_NAMES} were read.")

    def read(self) -> DecodedRecipe:
        self._version()
        recipe = Recipe(data=self._data())
        for field in FIELDS.values():
            for value in self._read(field.name, field.domain):
                recipe = field.put(recipe, value)
        recipe = self._with_panels(recipe)
        for name, text in self.texts.items():
            self._say(f"{shortened(name)} = {shortened(text)} is unknown to this version and was left out.")
        return DecodedRecipe(recipe, tuple(self.problems))

    def _say(self, problem: str) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            printable = (letter if letter.isprintable() else "\ufffd" for letter in problem)
            self.problems.append("".join(printable))

    def _read(self, name: str, domain: Domain) -> Iterator[Any]:
        """The value that the link gives `name`; nothing without one, or for one outside its domain."""
        if name not in self.texts:
            return
        text = self.texts.pop(name)
        try:
            yield domain.read(text)
        except (ValueError, OverflowError):
            self._say(f"{shortened(name)} is {shortened(text)}; it must be {domain.allowed}. The default is used.")

    @contextmanager
    def _sentence(self, end: str = "The default is used.") -> Iterator[None]:
        """Turn a ValueError into a sentence."""
        try:
            yield
        except ValueError as error:
            self._say(f"{error} {end}")

    def _version(self) -> None:
        text = self.texts.pop(VERSION_NAME, str(VERSION))
        if not (text.isascii() and text.isdigit() and len(text) <= 9):
            self._say(f"recipe is {shortened(text)}; it must be a version number. It is read as version {VERSION}.")
        elif int(text) > VERSION:
            self._say(
                f"This was made by a newer version of NCA Explorer (recipe {shortened(text)}; this one reads "
                f"{VERSION}). The settings that it knows were used."
            )

    def _data(self) -> DataRecipe:
        data, known = DataRecipe(), False
        with self._sentence():
            data, known = DataRecipe(self.texts.pop(_DATA, data.key)), True
        for attribute in _OF_OWN:
            named: dict[str, Any] = {attribute: self.texts.pop(f"{_DATA}.{attribute}", "")}
            with self._sentence("It was left out."):
                data = replace(data, **named)
        for name, parameter in data.known_parameters.items() if known else ():
            for value in self._read(f"{_DATA}.{name}", parameter_domain(parameter)):
                data = replace(data, parameters={**dict(data.parameters), name: value})
        return data

    def _with_panels(self, recipe: Recipe) -> Recipe:
        listed = self.texts.pop(_PANELS, None)
        keys = [panel.key for panel in recipe.panels] if listed is None else listed.split(",")
        panels: list[PanelRecipe] = []
        for key in keys:
            if len(panels) == MOST_PANELS:
                self._say(f"panels: there are {len(keys)}; the first {MOST_PANELS} are shown.")
                break
            try:
                panel = PanelRecipe(key.strip())
            except ValueError as error:
                self._say(f"{error} It was left out.")
                continue
            if panel.key in {other.key for other in panels}:
                self._say(f"panels: {panel.key} is listed twice; the second was left out.")
                continue
            panels.append(self._panel(panel, panels))
        if not panels:
            self._say("panels: none is left; PCA, LDA and NCA are shown.")
            return recipe
        return replace(recipe, panels=tuple(panels))

    def _panel(self, panel: PanelRecipe, before: list[PanelRecipe]) -> PanelRecipe:
        for setting in panel.method.settings:
            for value in self._read(f"{panel.key}.{setting.key}", setting.domain):
                panel = panel.with_setting(setting.key, value)
        for name, (attribute, domain) in PANEL_FIELDS.items():
            for value in self._read(f"{panel.key}.{name}", domain):
                panel = replace(panel, **{attribute: value})
        start = self.texts.pop(f"{panel.key}.start", "")
        if start:
            with self._sentence():
                started = replace(panel, start=start)
                if started.frame is not None:
                    Recipe(panels=(*before, started))  # a frame must come from one of the panels before
                panel = started
        return panel


def _link_text(value: Any) -> str | None:
    """A value of a file as the text of a link; None where it has none."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return json.dumps(value)
    try:
        text = str(value) if isinstance(value, (str, int, float)) else None
    except ValueError:  # a whole number of thousands of digits
        return None
    return None if text is None or len(text) > LONGEST_TEXT else text
