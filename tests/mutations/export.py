"""What is broken on purpose in export: proof, coordinates, model, player, film, pictures."""

from __future__ import annotations

from tests.mutations.mutation import Mutation, mutations

_SCRIPT = "tests/export/test_script.py"
_COORDINATES = "tests/export/test_coordinates.py"
_MODEL = "tests/export/test_model.py"
_PLAYER = "tests/export/test_player.py"
_FILM = "tests/export/test_film.py"
_PICTURE = "tests/browser/test_stage_picture.py"

_SHOWN = "tests/export/test_shown_iteration.py"

EXPORT: tuple[Mutation, ...] = (
    *mutations("export/entry.py", _SHOWN, ("history[self.places.get(key, -1)]", "history[-1]")),
    *mutations("export/film.py", _SHOWN, ("max(place_shown(subject, key)", "max(len(subject.histories[key]) - 1")),
    *mutations(
        "export/script.py",
        f"{_SCRIPT}::test_another_number_is_seen",
        (
            "if not math.isclose(found, shown, rel_tol=TOLERANCE, abs_tol=TOLERANCE):",
            "if not math.isclose(found, shown, rel_tol=1e-3):",
        ),
    ),
    *mutations(
        "export/script.py",
        f"{_SCRIPT}::test_changed_data_and_another_split_are_seen",
        ("if hashlib.sha256(held_out.tobytes()).hexdigest() != HELD_OUT_SHA256:", "if False:"),
    ),
    *mutations(
        "export/script.py",
        f"{_SCRIPT}::test_what_cannot_be_repeated_is_not_handed_out",
        ("    if not same:\n", "    if same is None:\n"),
    ),
    *mutations(
        "export/script.py", _SCRIPT, ("ascii(subject.comparison.dataset.name)", "subject.comparison.dataset.name")
    ),
    *mutations(
        "export/coordinates.py",
        f"{_COORDINATES}::test_shares_of_right_predictions_are_the_accuracies_of_the_page",
        ("subject.k_of(key))", "subject.k_of(key) + 1)"),
        (
            "predicted[new] = present[k_nearest_classes(Y[own], codes, Y[new], k, len(present))]",
            "predicted[new] = y[new]",
        ),
    ),
    *mutations(
        "export/statistics.py",
        f"{_COORDINATES}::test_no_cell_is_a_formula",
        ("names = [str(escaped(name)) for name in columns]", "names = list(columns)"),
    ),
    *mutations(
        "export/model.py",
        f"{_MODEL}::test_what_was_constant_in_training_moves_no_new_row",
        ("out=np.full(len(step.scale), np.inf)", "out=np.ones(len(step.scale))"),
    ),
    *mutations(
        "export/model.py",
        f"{_MODEL}::test_gaps_are_filled_as_they_were",
        ("if features.prepared.raw.gaps is not None:", "if False:"),
    ),
    *mutations(
        "export/player.py",
        f"{_PLAYER}::test_users_words_are_text_in_the_page",
        ("recipe=html.escape(to_json(subject.comparison.recipe))", "recipe=to_json(subject.comparison.recipe)"),
    ),
    *mutations(
        "export/player.py",
        f"{_PLAYER}::test_very_much_is_thinned_and_says_so",
        ("[*history[:odd], *history[odd:-1:2], history[-1]]", "history[::2]"),
    ),
    *mutations(
        "export/film.py",
        f"{_FILM}::test_each_class_is_where_the_stage_has_it",
        ("x0 + scale * places[:, 0]", "x0 - scale * places[:, 0]"),
    ),
    *mutations(
        "export/film.py",
        f"{_FILM}::test_held_out_rows_are_hollow_in_the_film",
        ("bool(self.scene.held_out[i])", "False"),
    ),
    *mutations(
        "export/film.py",
        f"{_FILM}::test_letters_of_several_alphabets_are_no_boxes",
        ("        return found\n    return ImageFont", "        break\n    return ImageFont"),
    ),
    *mutations(
        "stage/module/picture.js",
        f"{_PICTURE}::test_a_shape_stands_where_each_point_is",
        ("Array.from(visible.subarray(0, count))", "Array.from(visible.keys())"),
        ('fill: hollow ? "none" : colour,', "fill: colour,"),
    ),
    *mutations(
        "stage/module/mount.js",
        "tests/browser/test_stage_feed.py::test_a_picture_is_saved_once_for_each_wish",
        ("number === done[name]", "false"),
    ),
    *mutations(
        "pages/controls/export.py",
        "tests/pages/test_export.py::test_a_start_that_a_hand_gave_goes_along",
        ("if panel.recipe.frame is None and held.run.given_start is not None:", "if False:"),
    ),
    *mutations(
        "pages/controls/export.py",
        "tests/pages/test_export.py::test_the_file_goes_along_where_the_data_came_from_it",
        ("own.own_data.get(upload.key) is not dataset", "False"),
    ),
)
