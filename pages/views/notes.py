"""The data on the stage, a recipe and its changed settings, in words."""

from collections.abc import Sequence
from typing import Any

from datasets.base.dataset import Dataset
from datasets.base.words import counted, percent
from datasets.preparation import Prepared
from datasets.preparation_steps import REDUCTIONS, MatrixStep, SelectStep, Step
from nca_core.accuracy import QUERIES
from nca_core.methods.method import Choice, Setting
from nca_core.snapshot import Trajectory
from stage import wording
from study.features import PREPARED
from study.panel import FEATURES, LABELS, PanelRecipe
from study.recipe import Recipe, common_seed

_TO = {"pca": "PCA", "random projection": "random projection"}


def remarks(trajectories: Sequence[Trajectory]) -> list[str]:
    """For each training from the best of several starts: which one won, and what the others reached."""
    said = []
    for trajectory in trajectories:
        if tried := [f"{wording.start_title(start)} ({start.mean_p:.3f})" for start in trajectory.starts]:
            won = f"Best of {len(tried)} short runs by f/n: the training continued from {tried[0]}."
            said.append(f"{won} The others: {', '.join(tried[1:])}.")
    return list(dict.fromkeys(said))


def accuracy_sample(ready: Prepared) -> str:
    """That accuracies use a sample of many rows; empty where they use all."""
    n = int(ready.train.sum())
    return f"Accuracies on training rows use a random {QUERIES:,} of the {n:,}." if n > QUERIES else ""


def about(dataset: Dataset) -> str:
    """Where the data came from, in one line."""
    source, sizes = dataset.source, f"{dataset.n_samples:,} rows, {dataset.n_features} features"
    used = f"Paper: {source.paper}" if source.paper else ""
    first = f"{dataset.name}: {sizes}, {dataset.n_classes} classes"
    return ". ".join(filter(None, (first, source.licence, used, source.url)))


def data_line(ready: Prepared, n_rows: int) -> str:
    """As in "Wine: 178 rows (44 held out), 13 features, 3 classes"; fewer than `n_rows` are called a sample."""
    raw, parts = ready.raw, _held_back(ready)
    n = raw.n_samples + (0 if ready.test is None else ready.test.n_samples)
    rows = counted(n, "row") if n == n_rows else sample_of(n, n_rows)
    rows += f" ({', '.join(parts)})" if parts else ""
    classes = counted(raw.n_classes, "class", "classes") if raw.target is None else "a label of numbers"
    return f"{raw.name}: {rows}, {counted(raw.n_features, 'feature')}, {classes}"


def _held_back(ready: Prepared) -> list[str]:
    """As in ["44 held out"]; with test rows ["36 for validation", "18 for testing"]."""
    held_out, test = int(ready.held_out.sum()), ready.test
    said = [f"{held_out:,} {'held out' if test is None else 'for validation'}"] if held_out else []
    return said if test is None else [*said, f"{test.n_samples:,} for testing"]


def sample_of(n_sampled: int, n_rows: int) -> str:
    """As in "a sample of 100,000 of the 400,000 rows"."""
    return f"a sample of {n_sampled:,} of the {n_rows:,} rows"


def preparation_steps(ready: Prepared) -> str:
    """As in "1,437 rows, 360 held out: standardise → PCA to 30"."""
    train = int(ready.train.sum())
    unlabelled = ready.raw.n_samples - train - int(ready.held_out.sum())
    rows = [f"{train:,} rows", *_held_back(ready)]
    if unlabelled:
        rows.append(f"{unlabelled:,} unlabelled")
    return f"{', '.join(rows)}: {' → '.join(_step_words(step) for step in ready.steps)}"


def _step_words(step: Step) -> str:
    if step.name in _TO and isinstance(step, MatrixStep):
        return f"{_TO[step.name]} to {len(step.down)}"
    if isinstance(step, SelectStep):
        return f"the {len(step.kept):,} best of {step.n_in:,} by F-value"
    return "features as they are" if step.name == "none" else step.name


# -- a recipe


def advanced_differences(recipe: Recipe) -> list[str]:
    said = _of_rows(recipe)
    seed = common_seed(recipe)
    if seed is None:
        said.append("several seeds")
    elif seed:
        said.append(f"seed {seed}")
    for panel in recipe.panels:
        said += [f"{panel.shown_title}: {words}" for words in _of_panel(panel)]
    return said


def kept_with_data(recipe: Recipe) -> list[str]:
    """The settings of the rows, which stay when other data are chosen."""
    noise, share, test = recipe.noise, recipe.preparation.held_out_fraction, recipe.preparation.test_fraction
    said = []
    if noise.noise_columns:
        said.append(f"{noise.noise_columns} columns of noise")
    if noise.flipped_share:
        said.append(f"{percent(noise.flipped_share)} of the labels flipped")
    if share is not None:
        said.append(f"{percent(share)} held out" if share else "nothing held out")
    if test:
        said.append(f"{percent(test)} for a test")
    return said + _of_rows(recipe)


def _of_rows(recipe: Recipe) -> list[str]:
    config, said = recipe.preparation, []
    if config.components is not None:
        said.append(f"trained on {REDUCTIONS[config.reduction].to(config.components)}")
    if config.max_rows is not None:
        said.append(f"at most {config.max_rows:,} rows")
    if config.sampling == "random":
        said.append("sampled at random")
    return said


def _of_panel(panel: PanelRecipe) -> list[str]:
    chosen = dict(panel.settings)
    said = [_setting(each, chosen[each.key]) for each in panel.method.settings if each.advanced and each.key in chosen]
    if panel.labels != "true":
        said.append(f"labels {LABELS.title(panel.labels)}")
    if panel.features != PREPARED:
        said.append(f"features {FEATURES.title(panel.features)}")
    return said


def _setting(setting: Setting, value: Any) -> str:
    domain = setting.domain
    return f"{setting.title} {domain.title(value) if isinstance(domain, Choice) else domain.write(value)}"


def card_line(recipe: Recipe, panel: PanelRecipe) -> str:
    """As in "NCA · objective g: log-probability · starts from NCA, iteration 12 · labels shuffled"."""
    parts = [panel.method.title] if panel.title else []
    settings = {setting.key: setting for setting in panel.method.settings}
    for key, value in dict(panel.settings).items():
        words = _setting(settings[key], value)
        parts.append(words[:1].lower() + words[1:])
    if panel.frame is not None:
        parts.append(f"starts from {recipe.panel(panel.frame.panel).shown_title}, iteration {panel.frame.iteration}")
    elif panel.start:
        parts.append(f"starts from {_start(panel)}")
    if panel.features != PREPARED:
        parts.append(f"features: {FEATURES.title(panel.features)}")
    if panel.labels != "true":
        parts.append("labels shuffled" if panel.labels == "shuffled" else "sees no labels")
    if panel.random_state:
        parts.append(f"seed {panel.random_state}")
    return " · ".join(parts)


def _start(panel: PanelRecipe) -> str:
    return wording.INITIALISATIONS.get(panel.start_name, panel.start_name)


def part_sentence(part: str, recipe: Recipe, data_name: str) -> str:
    """One line for a key of PARTS; `data_name` is what the data set is called."""
    if part == "data":
        return f"Data: {data_name}"
    if part == "noise":
        idle = recipe.noise.idle
        return f"Noise lab: {'nothing added' if idle else '; '.join(kept_with_data(recipe)) or 'a column rescaled'}"
    if part == "preparation":
        share = recipe.preparation.held_out_fraction
        held = "a quarter held out where there are enough rows" if share is None else f"{percent(share)} held out"
        step = recipe.preparation.step
        if recipe.preparation.split != "stratified":
            held += f" by {recipe.preparation.split} ({recipe.preparation.split_column})"
        if recipe.preparation.test_fraction:
            held += f", {percent(recipe.preparation.test_fraction)} for a test"
        return f"Prepared: {wording.PREPROCESSING.get(step, step)}, {held}"
    if part == "panels":
        return f"Panels: {', '.join(panel.shown_title for panel in recipe.panels)}"
    if part == "training":
        settings = [said for panel in recipe.panels if (said := _settings(panel))]
        return "; ".join([f"Dimensions: {recipe.n_components}", *settings])
    return f"Advanced: {'; '.join(advanced_differences(recipe)) or 'defaults'}"


def _settings(panel: PanelRecipe) -> str:
    """The start and the chosen settings; empty for a method without a start."""
    if not panel.method.starts:
        return ""
    chosen = dict(panel.settings)
    plain = [each for each in panel.method.settings if each.key in chosen and not each.advanced]
    said = [f"{each.title} {chosen[each.key]}" for each in plain]
    return f"{panel.shown_title} from {', '.join([_start(panel), *said])}"
