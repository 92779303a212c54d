"""What is broken on purpose in study."""

from tests.mutations.mutation import Changes

_COMPARE = "tests/study/test_compare.py"
_COPING = "tests/study/test_coping.py"
_EMBEDDINGS = "tests/pages/server/test_embeddings.py"
_FEATURES = "tests/study/test_features.py"
_LINK = "tests/study/test_link.py"
_MEASURE = "tests/study/test_measure.py"
_OPTIMA = "tests/study/test_optima.py"
_RECIPE = "tests/study/test_recipe.py"
_PIECES = "tests/study/cluster/test_pieces.py"
_PUBLISHED = "tests/study/experiments/test_experiments.py"
_REPETITIONS = "tests/study/test_repetitions.py"
_RUN = "tests/study/experiments/test_run.py"
_TRAININGS = "tests/study/cluster/test_trainings.py"

STUDY: Changes = {
    "study/cluster/connection.py": {
        _PIECES: [("self._closing.wait(AGAIN_AFTER)", "self._closing.wait()")],
    },
    "study/cluster/on_worker.py": {
        f"{_TRAININGS}::test_pause_step_and_stop_reach_the_worker": [("self._queue.qsize() >= AHEAD", "False")],
    },
    "study/cluster/trainings.py": {
        f"{_TRAININGS}::test_a_worker_that_goes_costs_time_only": [("if snapshot.iteration > shown:", "if True:")],
    },
    "study/compare.py": {
        f"{_COMPARE}::test_held_out_rows_and_their_labels_reach_no_fit": [
            ("fit_kernel_features(X[prepared.train]", "fit_kernel_features(X")
        ],
        f"{_COMPARE}::test_a_training_that_is_not_linear_says_where_all_rows_are": [
            ("return partial(trains, shown_rows=panel.X)", "return partial(trains, shown_rows=panel.X[::-1])")
        ],
        f"{_MEASURE}::test_several_iterations_of_a_trained_panel": [
            ("held_out=(panel.X[held_out], panel.y[held_out])", "held_out=(rows['X'], rows['y'])")
        ],
        f"{_COMPARE}::test_other_rows_are_prepared_and_fitted_anew": [
            ("(before.recipe.noise, before.recipe.preparation) != rows", "before.recipe.preparation != rows[1]")
        ],
        f"{_COMPARE}::test_other_dimensions_are_fitted_anew_on_the_same_rows": [
            ("if before.recipe.n_components == recipe.n_components:", "if True:")
        ],
        f"{_COMPARE}::test_a_panel_that_starts_from_another_follows_it": [
            ("if panel_recipe.frame is None else None", "")
        ],
        f"{_COMPARE}::test_histories_have_a_limit_and_small_ones_go_on": [
            (" for panel in before.panels if panel.trains or panel.config is None}", " for panel in before.panels}"),
            ("room -= wanted", "room -= 0"),
        ],
        f"{_COMPARE}::test_a_start_from_a_frame_is_that_frame": [
            ("min(max_iter, config.max_iter)", "max_iter"),
            ("frame is None and panel.config.initialisation not in TRAINED_INITIALISATIONS", "frame is None"),
        ],
        _FEATURES: [
            (" for panel in before.panels if panel.waits or not panel.problem}", " for panel in before.panels}")
        ],
    },
    "study/coping.py": {
        _COPING: [
            ("_SAME = 1e-6", "_SAME = 1e-1"),
            ('f"{first:.3f}" == f"{f:.3f}"', "first == f"),
            ("apart <= ALIKE and abs(gain)", "abs(gain)"),
            ("at.transformation @ centred", "at.transformation"),
            ("weights = then.back_to_features(at.transformation)", "weights = at.transformation"),
            ("and apart <= _SAME * np.abs(meant).max()", ""),
            ("* ready.raw.X[ready.train].var(axis=0)", ""),
            ("for one in (now, anew)]", "for one in (now, now)]"),
        ],
    },
    "study/differences.py": {
        "tests/study/test_differences.py": [
            ("(y[rows], predicted[rows], labels=classes)", "(predicted[rows], y[rows], labels=classes)"),
            ("nearest_others(nearest, None, Y[train], np.arange(len(train)), 1)", "nearest.of(Y[train], 1)"),
            ("both = (first != NO_PREDICTION) & (second != NO_PREDICTION)", "both = first != NO_PREDICTION"),
            ("both[:, 1:] == both[:, :-1]", "both[:, 1:] <= both[:, :-1] + 1"),
        ]
    },
    "study/embed.py": {
        f"{_EMBEDDINGS}::test_the_page_shows_at_once_and_the_embedding_when_it_is_there": [
            ("recipe.method_key, panel.X,", "recipe.method_key, panel.X[::-1],")
        ],
        _REPETITIONS: [("note=note, seconds=seconds", "note=note")],
        _EMBEDDINGS: [("problem=why, broken_off=True", "problem=why")],
    },
    "study/experiments/base/experiment.py": {
        _PUBLISHED: [("return min(most, line.splits) if line.splits else most", "return most")]
    },
    "study/experiments/base/results.py": {
        "tests/study/experiments/test_verdict.py": [
            ("difference_from_published(1 - values, 1 - nearest", "difference_from_published(values, nearest"),
            ("        first, second = second, first", "        pass"),
            ("    if mean.n < FEWEST_SPLITS:", "    if mean.n < 2:"),
            ("if len(shared) >= FEWEST_SPLITS:", "if shared:"),
            ("independent=line.cell.drawn_anew", "independent=False"),
            (", claim.equal_will_do))", ", False))"),
        ],
    },
    "study/experiments/base/run.py": {
        _RUN: [
            ("truncated(Q, d)[0]", "A"),
            ("open_tasks = [task for task in tasks if task.store.get(task.key) is None]", "open_tasks = list(tasks)"),
            ("                task.store.put(task.key, outcome)", "                pass"),
        ],
    },
    "study/experiments/base/store.py": {
        _RUN: [
            ("suppress(OSError, ValueError, TypeError)", "suppress(OSError, TypeError)"),
            ("json.dumps([names, mark, version], sort_keys=True)", "json.dumps([names, mark], sort_keys=True)"),
        ],
    },
    "study/experiments/nca_paper.py": {
        _PUBLISHED: [('"iris": (0.949, 0.944)', '"iris": (0.944, 0.949)')],
    },
    "study/experiments/pydml.py": {
        _PUBLISHED: [('"iris": (0.953, 0.967', '"iris": (0.953, 0.976')],
    },
    "study/experiments/r_report.py": {
        _PUBLISHED: [('"wine": (0.0556,', '"wine": (0.0565,')],
    },
    "study/experiments/sklearn_example.py": {
        _PUBLISHED: [('{"method": "lda"}, 0.66', '{"method": "lda"}, 0.67')],
    },
    "study/features.py": {
        _FEATURES: [
            ('noise={"noise_columns": 0}', 'noise={"noise_columns": 0}, preparation={"random_state": 0}'),
            ('{"step": "standardise", "components": None}', '{"step": "standardise"}'),
            ("_IN_USE.get(key) if noisy is dataset else None", "_IN_USE.get(key)"),
        ],
        _COPING: [("preparation, dataset.y)", "preparation)")],
    },
    "study/fitting.py": {
        f"{_COMPARE}::test_held_out_rows_and_their_labels_reach_no_fit": [
            ('if panel.recipe.method.kind == "embedding" else rows', "if panel.recipe.method.kind else rows")
        ],
        f"{_COMPARE}::test_shuffled_labels_keep_the_sizes_of_classes_and_move_in_both_halves": [
            ("random.default_rng(recipe.random_state).permutation(labelled)", "roll(labelled, recipe.random_state)")
        ],
        f"{_COMPARE}::test_shuffled_numbers_move_with_their_classes": [
            ("target[labelled] = given[drawn]", "target[labelled] = given[labelled]")
        ],
        f"{_COMPARE}::test_labels_none_are_seen_by_nobody": [
            ("return np.full_like(y, UNLABELLED), None", "return np.full_like(y, UNLABELLED), target")
        ],
        _MEASURE: [("if at.coordinates is None else at.coordinates", "if True else at.coordinates")],
        _EMBEDDINGS: [("waits=True, problem=problem, broken_off=False", "waits=True, problem=problem")],
    },
    "study/inference.py": {
        "tests/study/test_inference.py": [
            ("binom.sf(correct - 1, total", "binom.sf(correct, total"),
            ("self.upper < self.chance + MARGIN", "self.upper < 1"),
            ("hypergeom.sf(right[0] - 1", "hypergeom.sf(right[0]"),
            ("values >= value - 1e-12", "values > value + 1e-12"),
            ("np.mean(right / sizes)", "right.sum() / sizes.sum()"),
            ("- right / sizes)) / C", "- right / sizes))"),
            ("2 * float(binom.cdf(min", "1 * float(binom.cdf(min"),
            ("8 * n * c * delta * (1 - delta)", "8 * n * c * delta"),
            ("variance = n * (2 * q + delta * (1 - delta))", "variance = n * (2 * q + delta)"),
            ("else brentq(beyond, estimate, 1.0, args=(-1,))", "else 2 * estimate - low"),
            ("tango_statistic(b, c, n, -MARGIN)", "tango_statistic(b, c, n, 0)"),
            ("tango_statistic(b, c, n, MARGIN)", "tango_statistic(b, c, n, 1)"),
            ("        low, high = min(low, 0.0), max(high, 0.0)\n    p_not_worse", "        pass\n    p_not_worse"),
            ("return max(self.p_not_worse, self.p_not_better)", "return min(self.p_not_worse, self.p_not_better)"),
            ("0.0 if independent else overlap * n_test / n_train", "0.0"),
            ("0.0 if independent else overlap * n_test / n_train", "overlap * n_test / n_train"),
            ("overlap: float = OVERLAP", "overlap: float = 1.0"),
            ("max(abs(mean), 1 / n_test)", "abs(mean)"),
            ("        variance = max(variance, (max(", "        variance = max(variance, 0 * (max("),
            ("max(planned, FEWEST_SPLITS) <= J", "True"),
            ("max(planned, FEWEST_SPLITS) <= J", "planned <= J"),
            ("n_test > 0 and max(", "max("),
            ("mean + MARGIN, MARGIN - mean]", "mean + MARGIN, mean - MARGIN]"),
            ("t.ppf((1 + LEVEL) / 2, J - 1)", "t.ppf((1 + LEVEL) / 2, J)"),
            ("/ error, J - 1)", "/ error, J)"),
            ("math.sqrt(1 / J + 1 / published_splits)", "math.sqrt(1 / J)"),
            ("min(1.0, p_value / share), min", "min(1.0, p_value), min"),
            ("return self.high <= ALPHA\n", "return self.p_value <= ALPHA\n"),
            ("self.high <= ALPHA or self.low > ALPHA", "self.high <= ALPHA"),
            ("(1 + as_good) / (1 + permutations), low", "as_good / (1 + permutations), low"),
            ("FIRST_PLAN * (1 - FIRST_PLAN)", "1.0 * (1 - FIRST_PLAN)"),
            ("np.maximum.accumulate(steps)", "steps"),
            ("(len(order) - np.arange(len(order)))", "len(order)"),
            ("one.p_value / one.share) for one in family", "one.p_value) for one in family"),
            ("one.p_value <= ALPHA * one.share and (", "("),
            ("one.p_value <= ALPHA * one.share", "one.corrected_p <= ALPHA"),
            ("one.p_value <= ALPHA * one.share", "one.p_value <= ALPHA"),
            ("one.complete and one.p_value", "one.p_value"),
            ("one.corrected_p <= ALPHA and one.estimate > 0", "one.p_value <= ALPHA and one.estimate > 0"),
            ("one.corrected_p <= ALPHA and one.estimate > 0", "one.corrected_p <= ALPHA"),
            ("all(one.p_not_better <= ALPHA", "any(one.p_not_better <= ALPHA"),
            ("all(one.p_not_better <= ALPHA", "all(one.p_margin <= ALPHA"),
            ("np.max(np.abs(signs @ d) / scale, axis=1)", "np.abs(signs @ d)[:, -1] / scale[-1]"),
            ("np.sqrt(np.maximum(pluses + minuses, 1))", "np.sqrt(n)"),
            ("np.linalg.cholesky(d.T @ d", "np.linalg.cholesky(4 * d.T @ d"),
            ("one.p_not_worse if not_worse else one.p_value", "one.p_value"),
            ("family = holm(", "family = np.array("),
            ("two_sided = holm(", "two_sided = np.zeros(len(claims)) * len("),
            ("(not_worse or one.estimate > 0)", "True"),
            ("if one.complete and p_family", "if p_family"),
        ],
    },
    "study/learnt.py": {
        "tests/study/test_learnt.py": [
            ("values >= FLAT * values[0]", "values > 0"),
            ("(new, nearest.of(Y[new], largest)) if len(new)", "(train, None) if len(new)"),
            ("if test.answer is Conclusion.BETTER:", "if False:"),
            ("if test.answer is Conclusion.WITHIN_MARGIN:", "if False:"),
        ],
    },
    "study/link.py": {
        _LINK: [
            ('texts["start"] = panel.start', 'texts["start"] = ""'),
            ('    "seed": ("random_state", SEED),\n', ""),
            ("elif int(text) > VERSION:", "elif int(text) > VERSION + 1:"),
            ("name, text in self.texts.items():\n            self._say", "name, text in ():\n            self._say"),
            ("parse_int=str, parse_float=str, parse_constant=str", "parse_float=str, parse_constant=str"),
        ]
    },
    "study/measure.py": {
        _MEASURE: [
            ("if rule.by_scale and not at.learnt:", "if False:"),
            ("train, queries = at.labelled()", "train = queries = at.labelled()[0]"),
        ],
        f"{_MEASURE}::test_where_f_is_estimated_a_sample_of_rows_tells_its_own_k": [
            ("if snapshot.sampled is None:", "if True:"),
            ("tested = tested[_sample(len(tested), at.random_state)]", "pass"),
        ],
        f"{_MEASURE}::test_a_solved_panel": [
            ("new = (self.Y[self.tested], self.y[self.tested])", "new = (self.Y[self.train], self.y[self.train])"),
            ("Y, y = self.Y[self.train], self.y[self.train]", "Y, y = self.Y, self.y"),
        ],
        f"{_MEASURE}::test_embeddings_and_without_held_out_rows_all_panels_have_no_held_out_accuracy": [
            ("np.zeros_like(prepared.held_out) if embedded else prepared.held_out", "prepared.held_out")
        ],
        f"{_MEASURE}::test_shuffled_labels_are_measured_by_the_shuffled_labels": [
            ('if panel.recipe.labels == "none" else panel.y', 'if panel.recipe.labels != "true" else panel.y')
        ],
        f"{_MEASURE}::test_of_many_rows_a_sample_is_asked_and_said": [
            ("= min(QUERIES, int(comparison.prepared.train.sum()))", "= int(comparison.prepared.train.sum())")
        ],
        f"{_MEASURE}::test_numbers_as_labels": [("y, target_similarity=similarity, targets=targets)", "y)")],
        f"{_MEASURE}::test_what_needs_a_learnt_scale_is_left_out_where_there_is_none": [
            ("NEIGHBOURS = 5", "NEIGHBOURS = 6")
        ],
        _OPTIMA: [("(panel.X[rows], y, target_similarity=similarity, targets=targets)", "(panel.X[rows], y)")],
    },
    "study/one_point.py": {
        "tests/study/test_one_point.py": [
            ("train = train[train != row]", "train = train.copy()"),
            ("others = train[train != row]", "others = train"),
            ("int(np.count_nonzero(p < MOSTLY))", "len(least)"),
        ],
    },
    "study/panel.py": {_RECIPE: [("for number in count(2)", "for number in count(1)")]},
    "study/panel_changes.py": {
        _RECIPE: [
            ("panel = _drawn_at_random(before)", "panel = before"),
            ("places[panel.frame.panel] > places[panel.key]", "places[panel.frame.panel] < 0"),
        ],
        (
            f"{_RECIPE}::test_what_is_taken_over_brings_along_what_it_starts_from",
            f"{_REPETITIONS}::test_a_branch_is_permuted_with_what_it_starts_from",
        ): [("needed.add(panel.frame.panel)", "needed.add(panel.key)")],
    },
    "study/pieces.py": {
        _PIECES: [
            (
                "while given in early:\n                yield early.pop(given)",
                "while early:\n                yield early.popitem()[1]",
            )
        ],
    },
    "study/presets.py": {_RECIPE: [("if self.needs_noise and not noise.noise_columns:", "if self.needs_noise:")]},
    "study/recipe.py": {
        _LINK: [
            ('("noise", "flipped_share")', '("noise", "noise_scale")'),
            ('    Field("pace", Choice(tuple(PACES)), ("pace",)),\n', ""),
        ],
        _RECIPE: [
            (" and p.features == panel.features]", "]"),
            ("for name, value in given.items() if value != known[name].default", "for name, value in given.items()"),
            ("        noise=replace(recipe.noise, random_state=seed),\n", ""),
        ],
    },
    "study/repetitions.py": {
        f"{_REPETITIONS}::test_an_embedding_stays_where_it_is_and_only_the_labels_move": [
            ("y=labels_seen(now, ready)[0]", "y=was.y")
        ],
        f"{_REPETITIONS}::test_the_share_that_does_as_well": [
            ("np.count_nonzero(permuted >= real)", "np.count_nonzero(permuted > real)")
        ],
        f"{_REPETITIONS}::test_the_answer_holds_whatever_more_permutations_would_give": [
            ("self.done >= self.wanted and self", "self"),
            ("        if test.decided:", "        if True:"),
        ],
        f"{_REPETITIONS}::test_features_chosen_by_the_labels_need_held_out_rows": [
            ("if recipe.preparation.sees_labels and not comparison.prepared.held_out.any():", "if False:")
        ],
        _REPETITIONS: [
            ("planned=self.wanted,", ""),
            ("share=share_of_plan(self.plan),", ""),
            ("            n_test=self.n_test,\n            shares", "            n_test=1,\n            shares"),
            ("random_state=recipe.preparation.random_state + split", "random_state=recipe.preparation.random_state"),
        ],
    },
    "study/optima.py": {
        _OPTIMA: [
            ("2.0 - 2.0 * overlap", "2.0 - overlap"),
            ("np.linalg.qr(X - X.mean(axis=0)", "np.linalg.qr(X"),
            (">= lower - AS_GOOD for step", ">= 0 for step"),
            ("to = turned_towards(B, A, self.factor)", "to = B"),
            ("<= AS_GOOD]", "<= 1]"),
            ("to = turned_towards(B, A, ways.factor)", "to = B"),
            ("* trial.scale\n", "\n"),
            ("comparison.prepared.held_out[evaluated].all()", "True"),
            ("self._share(self.reached[self.best].predicted)", "self._share(self.right)"),
            ("mean_p = scale_at(comparison, key, end)[0]", "mean_p = end.mean_p"),
        ]
    },
    "study/verdict.py": {
        "tests/study/test_verdict.py": [
            ("p_gap <= ALPHA and gap", "gap"),
            ("gap > _WORTH_NAMING", "gap > 0.001"),
            ("if key == second and answer", "if key == first and answer"),
            ('"✓" if groups[Conclusion.BETTER] else "≈"', '"✓"'),
            ("chance.answer is Conclusion.CANNOT_TELL", "False"),
            ("holm([one.p_value for one in against.values()])", "[one.p_value for one in against.values()]"),
            (
                "n_own, gap = measured.n_queries,",
                "n_own, gap = 1_000,",
            ),
            ("present.min() == present.max()", "True"),
            (" or measured.k_mean_entropy < _RUN_DOWN", ""),
            ("_SEPARATED = 0.999", "_SEPARATED = 0.99"),
            ("_FEW = 10", "_FEW = 14"),
        ]
    },
}
