"""What is broken on purpose in nca_core."""

from tests.mutations.mutation import Changes

_BEST_START = "tests/nca_core/test_best_start.py"
_CLASSIFIERS = "tests/nca_core/classifiers/test_classifiers.py"
_CONTRACT = "tests/nca_core/test_contract.py"
_DASK_CHUNKS = "tests/nca_core/parts/test_dask_chunks.py"
_ESTIMATOR = "tests/nca_core/test_estimator.py"
_EVALUATOR = "tests/nca_core/test_evaluator.py"
_FEATURES_IN_PARTS = "tests/nca_core/test_features_in_parts.py"
_FOLDER = "tests/nca_core/parts/test_folder.py"
_GRID_FIELD = "tests/nca_core/neighbours/grid/test_grid.py"
_LEAVES = "tests/nca_core/neighbours/pairs/test_tree.py"
_MANY_DIMENSIONS = "tests/nca_core/neighbours/pairs/test_many_dimensions.py"
_MEASURE = "tests/study/test_measure.py"
_METHODS = "tests/nca_core/methods/test_methods.py"
_NETWORK = "tests/nca_core/neural/test_network.py"
_NEVER_BELOW = "tests/nca_core/test_never_below.py"
_TRAINING = "tests/nca_core/test_training.py"
_SAMPLED = "tests/nca_core/test_sampled.py"
_RUN = "tests/nca_core/test_run.py"
_SOLVED = "tests/nca_core/methods/test_solved.py"
_SUMMATION_METHODS = "tests/nca_core/neighbours/test_summation_methods.py"
_UNITS = "tests/nca_core/methods/test_units.py"

ENGINE: Changes = {
    "nca_core/accuracy/nearest.py": {
        "tests/nca_core/accuracy/test_evaluation.py": [("farthest + own - rounding", "farthest + own")],
    },
    "nca_core/accuracy/votes.py": {
        "tests/nca_core/accuracy/test_evaluation.py": [
            ("if held_out in self._by_k else max(wanted)", "if held_out in self._by_k else max(wanted) - 1"),
            ("self._by_k[held_out][np.array(wanted) - 1]", "self._by_k[held_out][np.array(wanted) - 2]"),
        ],
        _CLASSIFIERS: [
            ("best[(len(best) - 1) // 2]", "best[0]"),
            ("best[(len(best) - 1) // 2]", "best[-1]"),
            ("round(2 * len(rows)", "round(4 * len(rows)"),
        ],
        f"{_MEASURE}::test_a_solved_panel": [
            ("ks = (1, k) if k else (1,)", "ks = (1, k + 1) if k else (1,)"),
            ("self._Y[sample], self._y[sample], sample, ks", "self._Y[sample], self._y[sample], None, ks"),
            ("[np.arange(n_queries), nearest_of_tied]", "[np.arange(n_queries), 0 * nearest_of_tied]"),
        ],
    },
    "nca_core/accuracy/stochastic_rule.py": {
        f"{_MEASURE}::test_the_most_probable_class_of_some_points_in_blocks": [
            ("distances[np.arange(len(rows)), place[rows]] = np.inf", "distances[np.arange(len(rows)), rows] = np.inf")
        ],
    },
    "nca_core/classifiers/__init__.py": {
        _CLASSIFIERS: [
            ("_FULL_RANK = 1e-8", "_FULL_RANK = 1e-20"),
            ("_FULL_RANK = 1e-8", "_FULL_RANK = 1e-2"),
            ("QuadraticDiscriminantAnalysis(tol=0.0)", "QuadraticDiscriminantAnalysis()"),
            ("min(rounded_k(k_mean_entropy(entropy)), len(Y))", "min(rounded_k(k_mean_entropy(entropy)) + 1, len(Y))"),
            ("shrinkage=shrinkage, tol", "shrinkage=0.9, tol"),
        ],
        "tests/test_start.py::test_the_server_answers_before_it_has_loaded_what_takes_long": [
            ("import numpy as np\n", "import numpy as np\nimport sklearn.base  # noqa: F401\n")
        ],
    },
    "nca_core/compat.py": {
        _CONTRACT: [("isinstance(value, bool) and not", "False and not")],
    },
    "nca_core/estimators/base.py": {
        _SAMPLED: [
            ("return snapshot.sampled is None\n", "pass\n"),
            ("self._iterations = self._best.iteration", "pass"),
        ],
        _NEVER_BELOW: [("snapshot.iteration + n_before", "snapshot.iteration")],
        _CONTRACT: [
            ("snapshot.objective >= best.objective", "snapshot.objective < best.objective"),
            ("if saved != nca_core.__version__", "if False"),
        ],
        _ESTIMATOR: [
            ("classes[classes != UNLABELLED] if", "classes[classes != 1.5] if"),
            ('in "if" else classes', '== "i" else classes'),
            ("codes[known] = slices_of(y[known])", "codes = slices_of(y)"),
        ],
        "tests/nca_core/test_memory.py": [("keep_path=False", "keep_path=True")],
    },
    "nca_core/estimators/mcml.py": {
        _CONTRACT: [("self._root if warm else None", "None")],
    },
    "nca_core/estimators/nca.py": {
        _TRAINING: [("if trained or not isinstance(init, str):", "if trained:"), ("unit / of_data if", "unit if")],
        _SAMPLED: [("end.reason.replace(reached_max_iter(max_iter).reason, of_both)", "of_both")],
        _NEVER_BELOW: [
            ("float(len(X) if sample_weight is None else sample_weight.sum())", "float(len(X))"),
            ("_ONE_NEIGHBOUR = 1.1", "_ONE_NEIGHBOUR = 1.0"),
            ("gained > least_gain", "True"),
        ],
        _FEATURES_IN_PARTS: [
            ("n_components >= len(classes_of(codes)[0])", "n_components > len(classes_of(codes)[0]) + 9"),
            ("members_of(codes, classes_of(codes)[0])", "codes"),
        ],
    },
    "nca_core/estimators/projection.py": {
        _CONTRACT: [('settings.pop("target_similarity", None)', "pass")],
    },
    "nca_core/estimators/variable_kernel.py": {
        _CONTRACT: [("None if sample_weight is None else sample_weight[rows]", "None")],
    },
    "nca_core/features/covariance.py": {
        _UNITS: [
            ("(X - means[members]))", "(X))"),
            ("= centred - centred @ basis @ basis.T", "= centred @ (basis @ basis.T * 0 + np.eye(len(basis)))"),
            ("eigen(covariance, (size > 0) / unit)", "eigen(covariance); unit = unit * 0 + 1"),
            ("eigen(within, (inside | constant) / unit, means)", "eigen(within, None, means)"),
            ("within[constant, constant] = 1.0", "pass"),
            ("if rows is None else", "if True else"),
            ("<= _ALONG * np.linalg.norm(means)", "< 0.0"),
        ],
        _SOLVED: [
            ("roots, vectors = np.sqrt(values[alive])", "roots, vectors = values[alive]"),
            ("    return _covariance_or_root(X - X.mean(axis=0))\n", "    return _covariance_or_root(X)\n"),
        ],
        _FEATURES_IN_PARTS: [
            ("classes.means - classes.counts @ classes.means / classes.counts.sum()", "classes.means"),
            ("covariance = left @ covariance @ left", "pass"),
        ],
    },
    "nca_core/features/kernels.py": {
        "tests/nca_core/test_kernel_features.py": [
            ('"sqeuclidean") / (2.0 * width**2)', '"sqeuclidean") / width**2'),
            ("centre = X.mean(axis=0)", "centre = np.zeros(X.shape[1])"),
            ("np.random.default_rng(random_state)", "np.random.default_rng()"),
        ]
    },
    "nca_core/features/rows.py": {
        "tests/nca_core/test_sparse.py": [
            ("+ (n - stored) * self.mean**2", "+ 0 * stored"),
            ("X @ v.ravel() - mean @ v.ravel()", "X @ v.ravel()"),
            ("self._X[order].astype(dtype, copy=False)", "self._X.astype(dtype, copy=False)"),
        ],
        f"{_MANY_DIMENSIONS}::test_a_gradient_with_many_rows_is_cut_by_its_rows": [
            ("d_Y[start:stop].astype(X.dtype, copy=False), X", "d_Y[: stop - start].astype(X.dtype, copy=False), X")
        ],
    },
    "nca_core/methods/embeddings.py": {
        f"{_METHODS}::test_finite_numbers_of_the_right_shape_or_a_sentence": [
            ('init = "pca" if X.shape[1] >= n_components and np.ptp(X, axis=0).any() else "random"', 'init = "pca"')
        ],
    },
    "nca_core/methods/method.py": {
        f"{_METHODS}::test_methods_that_need_labels_say_so_and_the_others_go_without": [
            ("facts.n_classes < 2", "facts.n_classes < 1")
        ],
        f"{_METHODS}::test_a_trained_method_has_valid_configs_from_every_start_with_every_setting": [
            ("random_state=random_state, **fields", "**fields")
        ],
        "tests/nca_core/methods/test_setting.py": [("_written.fullmatch(text)", "_written.match(text)")],
    },
    "nca_core/methods/with_labels.py": {
        _SOLVED: [
            ("Fitted(root @ A, note=note)", "Fitted(A, note=note)"),
            ("np.where(spread, values, 1.0)", "np.where(spread, values, np.inf)"),
        ]
    },
    "nca_core/methods/without_labels.py": {
        _UNITS: [("np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)", "1.0")],
        _SOLVED: [
            ("principal_axes(X - X.mean(axis=0), n_components)", "principal_axes(X, n_components)"),
            ("(n_components, random_state=random_state)", "(n_components, random_state=0)"),
        ],
    },
    "nca_core/neighbours/choose.py": {
        f"{_SUMMATION_METHODS}::test_starts_and_large_grids_have_their_price": [
            ("_START_TRUNCATED = 2.5e5, 1.5e5", "_START_TRUNCATED = 0.0, 1.5e5")
        ],
    },
    "nca_core/neighbours/grid/field_groups.py": {
        f"{_SUMMATION_METHODS}::test_starts_and_large_grids_have_their_price": [
            ("2: 14.0, 3: 20.0", "2: 7.0, 3: 20.0")
        ],
        f"{_SUMMATION_METHODS}::test_a_few_thousand_points": [
            ("total = total - 1.0", "total = total - 0.0"),
            ("axis += weights * pull", "axis += pull"),
        ],
        f"{_SUMMATION_METHODS}::test_strays_around_very_many_points_leave_these_to_the_grid": [
            ("min(_PLACES_A_POINT * n_points, _MOST_PLACES)", "_PLACES_A_POINT * n_points")
        ],
        f"{_SUMMATION_METHODS}::test_heavy_tails_are_cut_into_tiles": [
            ("outside, sparse = np.zeros(n, dtype=bool), sparse | outside", "pass")
        ],
        f"{_SUMMATION_METHODS}::test_crowded_tiles_feel_their_neighbours_in_other_tiles": [
            ("of_tile[chosen] == number", "of_tile[chosen] >= 0"),
            ("there[tile[there] == around]", "there[around == tile[number]]"),
        ],
    },
    "nca_core/neighbours/grid/grid_field.py": {
        _GRID_FIELD: [
            ("found[d + 1] += 2.0 * d * found[0]", "found[d + 1] += 2.0 * found[0]"),
            ("[:, max(some.stop - REACH, 0) : some.stop].copy()", "[:, max(some.stop - REACH, 0) : some.stop]"),
            ("correlate1d(error, near,", "correlate1d(error, wrong,"),
            ("correlate1d(counts, near, axis, mode", "correlate1d(counts, near[6:7], axis, mode"),
        ],
    },
    "nca_core/neighbours/grid/grid_kernels.py": {
        _GRID_FIELD: [
            ("+ 2 * WIDTH, windows[at + 2 * WIDTH + a], here, 0", "+ 2 * WIDTH, windows[at + WIDTH + a], here, 0")
        ],
        f"{_SUMMATION_METHODS}::test_a_few_thousand_points": [("out[final - 1, j]", "out[final, j]")],
    },
    "nca_core/neighbours/grid/spectral.py": {_GRID_FIELD: [(" | (Z_error > EACH * Z)", "")]},
    "nca_core/neighbours/grid/window.py": {
        _GRID_FIELD: [
            ("REACH = 13", "REACH = 10"),
            ("_SHAPE = 2.3 * WIDTH", "_SHAPE = 2.5 * WIDTH"),
            ("- 1, 0) * CELL", ", 0) * CELL"),
        ],
    },
    "nca_core/neighbours/pairs/dense_queries.py": {
        "tests/nca_core/neighbours/pairs/test_many_dimensions.py": [
            ("np.float32: 400.0", "np.float32: 1e9"),
            ("np.float32: -60.0", "np.float32: -300.0"),
            ("pulls[:d] - pulls[d] * own[:d]", "pulls[:d]"),
        ],
    },
    "nca_core/neighbours/pairs/leaf_kernels.py": {
        f"{_SUMMATION_METHODS}::test_a_few_thousand_points": [
            ("s += e if codes[j] == code else 0.0", "s += e if codes[j] != code else 0.0"),
            ("flat_from(nearby, axis * _WIDTH), points", "flat_from(nearby, 0), points"),
            ("missed += np.exp(-gap) *", "missed += 0.0 *"),
        ],
        _LEAVES: [
            ("not (both and gap <= cuts[node])", "True"),
        ],
    },
    "nca_core/neighbours/pairs/truncated.py": {
        _LEAVES: [
            ("np.maximum(cuts[2 * level :", "np.minimum(cuts[2 * level :"),
            ("np.minimum(CUT + longest, _FARTHEST,", "np.minimum(CUT, _FARTHEST,"),
        ],
    },
    "nca_core/neighbours/pairs/dense.py": {
        _MANY_DIMENSIONS: [
            ("minus -= norms\n", "minus -= 1.01 * norms\n"),
            ("minus, nearest[:, None]", "minus, nearest"),
            ("_TINY = 1e-150", "_TINY = 0.0"),
            ("_LEAST = -400.0", "_LEAST = -40.0"),
            ("near = 4.0 * largest <= -_LEAST", "near = True"),
            ("if self._far.size:", "if False:"),
        ],
    },
    "nca_core/neighbours/pairs/product_kernels.py": {
        _MANY_DIMENSIONS: [
            ("its[axis] += weight * mine[axis]", "its[axis] += weight * other[axis]"),
            ("i, j = first + r, start + k\n", "i, j = first + r, first + k\n"),
            ("left -= _count(row, least)", "left -= 0.0"),
            ("if own <= trusted:", "if own >= 0.0:"),
            ("if x - farther < _NEAR:", "if x - nearest < _NEAR:"),
        ],
    },
    "nca_core/neighbours/pairs/products.py": {
        _MANY_DIMENSIONS: [
            ("| (self._norms > TRUSTED)", ""),
            ("_FEW_FORCES * float(net.max())", "_FEW_FORCES"),
        ],
    },
    "nca_core/neighbours/pairs/row_kernels.py": {
        _LEAVES: [
            (
                "                        nearest = min(nearest, buffer[j])",
                "                        nearest = buffer[j]",
            )
        ],
    },
    "nca_core/neighbours/pairs/tree.py": {
        _LEAVES: [
            (
                "rows, start, stop, self.margin, known, *own, out\n",
                "rows[start:stop], 0, stop - start, self.margin, known, *own, out[:, start:stop]\n",
            )
        ],
    },
    "nca_core/snapshot.py": {
        _NETWORK: [("lambda h: h * (1.0 - h)", "lambda h: h * (1.0 - h) ** 2")],
        _TRAINING: [("del path[1:]", "del path[:]")],
        "tests/stage/test_wire.py": [('"held_out_1nn",\n    "held_out_knn",', '"held_out_knn",\n    "held_out_1nn",')],
        "tests/pages/server/test_saver.py": [("iteration=iteration, seconds=seconds", "seconds=seconds")],
    },
    "nca_core/objectives/__init__.py": {_EVALUATOR: [("-whole / total * share)", "-share)")]},
    "nca_core/objectives/evaluator.py": {
        _NEVER_BELOW: [("p * (partners + 1.0) >= partners", "p >= 0.5")],
        _EVALUATOR: [("return value - float(np.sum(self._penalty * A * A))", "return value")],
        _SAMPLED: [
            ("apart = weights * (p - mean_p)", "apart = p - mean_p"),
            ("left = 1.0 - len(p) / self.n_samples", "left = 1.0"),
        ],
    },
    "nca_core/optimisers.py": {
        _NEVER_BELOW: [("slow = slow + 1 if", "slow = _IN_A_ROW if")],
        _TRAINING: [
            ("(left <= tol and gained <= tol * (1.0 - left))", "(left <= 0.1 * tol and gained <= tol * (1.0 - left))"),
            ("-n * unit * gradient.ravel()", "-n * gradient.ravel()"),
            ("if value <= best:", "if False:"),
        ],
        _SAMPLED: [("_FIRST_RATE * (1.0 - count / (_STEPS * iterations))", "_FIRST_RATE")],
    },
    "nca_core/parts/dask_chunks.py": {
        f"{_DASK_CHUNKS}::test_empty_chunks_are_passed_over": [
            ("for number, count in enumerate(X.chunks[0]) if count", "for number, count in enumerate(X.chunks[0])")
        ],
        "tests/nca_core/parts/test_grids_on_workers.py": [("for_workers = True", "for_workers = False")],
        f"{_DASK_CHUNKS}::test_workers_read_the_files_of_an_address": [
            ("if client is None:\n            return self.over_here", "if True:\n            return self.over_here"),
        ],
    },
    "nca_core/parts/grids_on_workers.py": {
        "tests/nca_core/parts/test_grids_on_workers.py": [
            ("(1.0, 1.0 - len(parts))", "(1.0, 0.0)"),
            ("- (len(parts) - 1) *", "- 0.0 *"),
            ("part.far | (part.relative >= least)", "part.far"),
            ("result[:, part.order] = 2.0 * total", "result[:] = 2.0 * total"),
            ("each(_overview)), self._n)", "each(_overview)[:1]), self._n)"),
        ],
    },
    "nca_core/parts/features_in_parts.py": {
        _FEATURES_IN_PARTS: [
            ("Y[:, self._place[rows]] = found[part]", "Y[:, rows] = found[part]"),
            ("d_Y[:, self._place[ranges[part]]]", "d_Y[:, ranges[part]]"),
            ("[self._order[rows]]\n", "[rows]\n"),
            ("return self.units * self.source.summed(", "return self.source.summed("),
            ("apart**2 * (self.count", "0 * apart**2 * (self.count"),
            ("self.mean + apart * (other.count / n)", "self.mean + apart / 2"),
            ("block[rows[first:last] - done]", "block[rows[first:last] - done - 1]"),
            ("labelled = code >= 0\n        apart", "labelled = code > -999\n        apart"),
            ("self._units * by_features)", "by_features)"),
        ],
        _FOLDER: [("row + (found.count if found else 0)", "row")],
    },
    "nca_core/parts/sources.py": {
        _FEATURES_IN_PARTS: [("np.add(total, found, out=total)", "total")],
        _FOLDER: [
            ("        self.check_unchanged()\n        if seen", "        if seen"),
            ('(int(piece), "") if piece.isdecimal()', "(0, piece) if piece.isdecimal()"),
            ("!= label)", ")"),
        ],
    },
    "nca_core/training/gate.py": {
        _RUN: [
            ("self._urgent_done.wait_for(self._free, longest)", "pass"),
            ("self.yield_to_urgent(LONGEST_YIELD)", "self.yield_to_urgent(1e9)"),
            ("now - since < URGENT_SECONDS", "True"),
        ],
        f"{_RUN}::test_runs_that_share_a_place_count_as_one_training": [
            ("            if place.inside > 0:\n                return\n", "")
        ],
    },
    "nca_core/training/kernel_regression.py": {
        "tests/nca_core/test_kernel_regression.py": [
            ('h -= np.einsum("ij,ij->i", off, predicted)[:, None]', "h -= 0.0"),
            ("inputs.sample_weight[rows]", "np.ones(len(rows))"),
        ]
    },
    "nca_core/training/problem.py": {
        _SAMPLED: [
            ("left -= self._pairs(variables)", "pass"),
            ("max_iter == n_batched or left < self._pairs(reached)", "True"),
            ("left >= _WORTH_GOING_ON * self._pairs(variables)", "False"),
            (", 0.5 * self.n_samples**2)", ", self.n_samples**2)"),
            ('cut = result.ended == "max_iter"', "cut = False"),
        ],
        _NEVER_BELOW: [(" and not result.nothing_left", ""), ("objective_at(2.0 * A)", "objective_at(0.5 * A)")],
        f"{_MEASURE}::test_several_iterations_of_a_trained_panel": [
            (
                "points.accuracies(tested, rounded_k(at.k_mean_entropy))",
                "points.accuracies(tested, rounded_k(at.k_mean_entropy) + 1)",
            ),
            ("getattr(at, name) for", 'getattr(at, name.replace("perplexity", "entropy")) for'),
            ("(project(self._held_out[0]), self._held_out[1])", "(project(self._X), self._y)"),
        ],
        _TRAINING: [("variables.copy()", "variables")],
    },
    "nca_core/training/mcml.py": {
        "tests/nca_core/mcml/test_mcml.py": [("self._dual = max(self._dual, found.dual)", "self._dual = found.dual")],
    },
    "nca_core/training/nca.py": {
        f"{_BEST_START}::test_a_training_reports_what_was_tried_and_goes_on_from_the_best": [
            ("frozen(at.transformation / spread)", "at.transformation")
        ],
        _NETWORK: [("if not OBJECTIVES[config.objective].grows:", "if True:")],
        "tests/nca_core/test_settings.py": [
            ("(self._centred * a, self._n_shown) * a", "(self._centred * a, self._n_shown)"),
            ("shown = turned_towards(shown, self.recorder.snapshots[-1].transformation, self._centred)", "pass"),
        ],
    },
    "nca_core/training/network.py": {
        _NETWORK: [
            ("sample_weight=inputs.sample_weight,\n            target_similarity", "target_similarity"),
            ("2.0 * network.V", "0.5 * network.V"),
            ("weights.start(initial, y, config.random_state)", "weights.start(initial, y, 0)"),
            ("delta.sum(axis=0)", "delta.mean(axis=0)"),
            ('"logistic": 2.0', '"logistic": 8.0'),
            ('"logistic": 2.0', '"logistic": 0.5'),
            ('"logistic": 1e-3', '"logistic": 1e-9'),
            ('"logistic": 1e-3', '"logistic": 1e-1'),
        ]
    },
    "nca_core/training/run.py": {
        f"{_BEST_START}::test_a_run_waits_at_its_start_until_the_short_runs_were_shown": [
            ("interval += SECONDS_A_START * len(snapshot.starts)", "pass")
        ],
        "tests/study/test_compare.py::test_a_frame_that_is_there_already_is_not_trained_for_again": [
            ("initial=self._initial(self._slot) if callable(self._initial) else self._initial", "initial=None")
        ],
        (
            f"{_RUN}::test_a_run_that_is_held_gives_its_place_to_the_next_and_queues_to_go_on",
            f"{_RUN}::test_what_waits_for_its_pace_lets_others_make_their_iterations",
        ): [("            self._leave_queue()\n            with self._changed:", "            with self._changed:")],
        f"{_RUN}::test_a_run_that_is_held_gives_its_place_to_the_next_and_queues_to_go_on": [
            ("while not self.stopped and (self._allowed <= 0 or", "if not self.stopped and (self._allowed <= 0 or")
        ],
        "tests/pages/server/test_restore.py": [
            ("(past[-1].network or past[-1].transformation)", "past[-1].transformation")
        ],
        "tests/pages/server/test_trainings.py::test_the_panels_of_a_tab_take_one_place_together": [
            ("Place() if place is None else place", "Place()")
        ],
        _RUN: [("iterations + max(left, 0.0)", "iterations"), ("if math.isfinite(self._allowed) else", "if True else")],
    },
    "nca_core/training/starts.py": {
        _TRAINING: [
            ("if k < low or pull(found)", "if pull(found)"),
            ("strongest = max(", "strongest = found or max("),
            ("if initialisation in _FOLLOW_X else 1.0", "if False else 1.0"),
            ("runs.unit, tuple(candidates)", "1.0, tuple(candidates)"),
        ],
        f"{_BEST_START}::test_a_training_reports_what_was_tried_and_goes_on_from_the_best": [
            ("(*smooth, *sharp)", "tuple(sharp)")
        ],
    },
    "nca_core/training/warm_up.py": {
        "tests/nca_core/test_warm_up.py": [
            ('in_one, summation="spectral"', 'in_one, summation="dense"'),
            ("        os.nice(NICENESS + 5)", "        os.nice(0)"),
            ("                DENSE_READY.set()", "                pass"),
        ],
    },
}
