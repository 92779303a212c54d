"""What is broken on purpose in datasets."""

from tests.mutations.mutation import Changes

_CHOICES = "tests/datasets/proposals/test_choices.py"
_DROPPED_TABLE = "tests/pages/test_dropped_table.py"
_FAULTY_LINES = "tests/datasets/reading/test_faulty_lines.py"
_LAYOUT = "tests/datasets/reading/test_layout.py"
_OPENML = "tests/datasets/downloads/test_openml.py"
_POISONED_ROWS = "tests/datasets/test_poisoned_rows.py"
_SVMLIGHT = "tests/datasets/reading/test_svmlight.py"

DATA: Changes = {
    "datasets/base/child_process.py": {
        "tests/datasets/base/test_child_process.py": [("    _end_with(int(sys.argv[2]))", "    pass")],
    },
    "datasets/base/dataset.py": {
        _POISONED_ROWS: [
            ("known = self.X[rows & ~self.gaps[:, column], column]", "known = self.X[~self.gaps[:, column], column]"),
            ("np.bincount(self.codes[fitted_to],", "np.bincount(self.codes,"),
        ],
    },
    "datasets/base/fingerprint.py": {
        "tests/pages/server/test_document.py": [
            ("for array in (dataset.X, dataset.y, dataset.target):", "for array in (dataset.X, dataset.target):")
        ],
    },
    "datasets/catalogue.py": {
        "tests/datasets/test_catalogue.py": [("(entry.defaults | parameters)", "entry.defaults")]
    },
    "datasets/columns/build.py": {
        "tests/datasets/test_splitting.py": [("named and repeats)", "repeats)")],
        "tests/datasets/proposals/test_columns_proposed.py": [
            ("gaps[name] | column_of(table, name).odd for", "gaps[name] for")
        ],
    },
    "datasets/columns/images.py": {
        f"{_DROPPED_TABLE}::test_a_table_of_very_many_columns_offers_fewer_at_one_press_and_one_of_lengths_no_images": [
            ("grey = any(low >= start and high <= end for start, end in _RANGES)", "grey = True")
        ],
    },
    "datasets/columns/splitting.py": {
        "tests/datasets/test_splitting.py": [
            ("times >= values[1 + int(", "times <= values[1 + int("),
            ("found = np.isin(codes, groups[order[:k]])", "found = np.arange(len(codes)) < count"),
        ],
    },
    "datasets/downloads/cache.py": {
        "tests/datasets/downloads/test_entries.py": [
            ("path != newest and path.suffix in (_ENDING, _PART)", "path != newest")
        ],
    },
    "datasets/downloads/fetch.py": {
        f"{_OPENML}::test_a_cancelled_download_leaves_no_thread": [
            ("while not self.stopped.is_set() and (", "while (")
        ],
        f"{_OPENML}::test_a_redirect_to_a_foreign_host_is_refused": [("        self._site.check(newurl)\n", "")],
        f"{_OPENML}::test_each_fault_of_a_server_gets_its_sentence": [("self._check_size(len(self.body))", "pass")],
    },
    "datasets/local_folder.py": {
        "tests/pages/test_names_that_took_a_page_down.py": [
            ('return os.fsencode(path.name).decode("utf-8", "backslashreplace")', "return path.name")
        ],
        "tests/datasets/test_local_folder.py": [("(state.st_mtime_ns, state.st_size)", "(0, 0)")],
    },
    "datasets/noise_lab.py": {_POISONED_ROWS: [("dataset.fitted_to(train).of_rows(train)", "dataset")]},
    "datasets/preparation.py": {
        "tests/datasets/test_preparation.py": [
            ("return QUARTER if enough else 0.0", "return 0.5 if enough else 0.0"),
            ("sizes.sum() >= _FEWEST_ROWS", "len(y) >= _FEWEST_ROWS"),
        ],
        _POISONED_ROWS: [
            ("(X[train], raw.y[train], target, config.random_state)", "(X, raw.y, raw.target, config.random_state)")
        ],
    },
    "datasets/preparation_steps.py": {
        "tests/datasets/test_preparation_steps.py": [
            ("whole[:, self.kept] = A", "whole[:, : A.shape[1]] = A"),
            ("np.argsort(-values[has_one]", "np.argsort(values[has_one]"),
            ("if training.target is None:", "if True:"),
            ("    down = np.array(drawn.components_)\n", "    down = 1.1 * np.array(drawn.components_)\n"),
        ]
    },
    "datasets/proposals/apply.py": {
        _CHOICES: [
            ("    if plan.label is None or plan.columns.features:\n        return []\n", "    return []\n"),
            ("levels.counts[~levels.missing].max() > 1", "True"),
        ]
    },
    "datasets/proposals/choices.py": {_CHOICES: [("if mine.get(key) != before.get(key):", "if True:")]},
    "datasets/proposals/roles.py": {
        "tests/datasets/proposals/test_found_by_looking.py": [
            ("(names_identifier(fact.name) or is_large) and fact.n_values >= _FEWEST_IDS and", "False and"),
            ("_FEWEST_IDS = 6", "_FEWEST_IDS = 5"),
        ],
    },
    "datasets/reading/formats.py": {
        f"{_SVMLIGHT}::test_what_a_line_leaves_out_is_zero_and_lines_keep_their_numbers": [
            ("begin = 0 if X[:, :1].nnz else 1", "begin = 0")
        ],
        "tests/test_bad_inputs.py::test_refused_in_one_sentence": [
            ("    if n_rows * n_columns > limits.cells:", "    if False:")
        ],
    },
    "datasets/reading/decoding.py": {
        f"{_SVMLIGHT}::test_other_text_is_not_taken_for_it": [
            ("found is None or any(b <= a for a, b in pairwise(indices))", "found is None")
        ],
    },
    "datasets/reading/blocks.py": {
        "tests/datasets/reading/test_blocks.py": [
            ("_ALIKE = 0.75", "_ALIKE = 0.99"),
            ("not quoted and _BORDER", "_BORDER"),
            ("in again) and (others or", "in again) and (False or"),
        ]
    },
    "datasets/reading/layout.py": {_LAYOUT: [("_MOST_LINES_OF_A_CELL = 200", "_MOST_LINES_OF_A_CELL = 0")]},
    "datasets/reading/place.py": {
        _LAYOUT: [
            ("_FOREIGN_ROW = -4", "_FOREIGN_ROW = -1"),
            ("            most = max(most, self.width // 2)", "            pass"),
            ("2 * sum(map(body.could_be_data, above)) <= len(above)", "True"),
        ]
    },
    "datasets/reading/reader.py": {
        "tests/datasets/reading/test_child.py": [
            ("len(data) <= _READ_HERE", "True"),
            ("    cells.validate(full=True)\n", ""),
        ],
    },
    "datasets/reading/table.py": {
        _FAULTY_LINES: [("if line in present]", "]")],
        "tests/datasets/reading/test_said_otherwise.py": [("_without_unit(bare_number(cell))", "bare_number(cell)")],
        "tests/datasets/reading/test_table.py": [
            ('_LONE_SURROGATE.sub("\\ufffd", text)', "text"),
            ("_AT_A_TIME = 10_000", "_AT_A_TIME = 10_000_000"),
        ],
    },
    "datasets/reading/text.py": {
        _FAULTY_LINES: [("_MOST_SKIPPED = 0.5", "_MOST_SKIPPED = 0.95"), ("if len(row) < n_columns:", "if False:")],
    },
    "datasets/previews.py": {
        "tests/study/test_trained_pictures.py": [('if kept["data"] != _fingerprint(dataset):', "if False:")]
    },
}
