"""The text of the proof, with a blank «...» for each thing that differs from one to the next."""

SCRIPT_TEXT = '''"""What NCA Explorer showed, repeated from the data and checked number by number.

    PYTHONPATH=the-folder-of-nca-explorer python nca_proof.py«data_file»

It ends with "All numbers are equal", or says which one is not. On another machine, or with other versions of the
libraries, the last digits may differ, and a training that hangs on them with them.
"""

import hashlib
import math
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np

try:
    from nca_core.warm_up import compile_all
except ImportError:
    sys.exit("Python does not find NCA Explorer: put its folder into PYTHONPATH.")
from datasets.base.fingerprint import content_sha256
from study.compare import compare
from study.embed import embedded
from study.link import from_link
from study.measure import places_of
from study.scores import scores_of
«data_imports»

NAME = «name»
MADE_WITH = «versions»

# The settings of the page, as they stand in its link: data, noise, preparation, split, panels, seeds.
RECIPE = «recipe»

«data_constants»
DATA_SHA256 = "«sha256»"

# What the page showed. The split: rows to train on, rows held out, and which these are.
N_TRAIN, N_HELD_OUT = «n_train», «n_held_out»
HELD_OUT_SHA256 = "«split»"
# For each panel the numbers of the table. K is the number of neighbours that panels without a K of their own vote with.
K = «k»
SHOWN = «numbers»
# Trainings that began from an A which was moved by hand.
STARTS = «starts»
TOLERANCE = «tolerance»


def load():
    """The data, from where they came."""
«load»


def check(what, found, shown):
    """Equal, or the script ends here."""
    if not math.isclose(found, shown, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
        sys.exit(f"{what} is {found!r}; the page showed {shown!r}. It was made with {MADE_WITH}.")
    print(f"    {what:<22} {found:.6g}")


def mean_p_by_definition(Y, y):
    """f/n by eq. 1 to 3 of the NCA paper: p_ij = softmax over j != i of -|y_i - y_j|^2; p_i sums those of its class."""
    squares = ((Y[:, None, :] - Y[None, :, :]) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    weights = np.exp(squares.min(axis=1, keepdims=True) - squares)
    p_ij = weights / weights.sum(axis=1, keepdims=True)
    return float((p_ij * (y[:, None] == y[None, :])).sum(axis=1).mean())


def main():
    # 1. The data are those that were used.
    data = load()
    if content_sha256(data) != DATA_SHA256:
        sys.exit("The data are not those that were used: their SHA-256 is another one.")
    print(f"{data.n_samples} rows, {data.n_features} features, {data.n_classes} classes")

    compile_all()  # the sums over neighbours are compiled first, as in the app: then each digit is the same

    # 2. The recipe is carried out: noise, sample, split, preparation (learned on the training rows alone), and whatever
    #    can be solved in one go (PCA, LDA ...).
    recipe = from_link(RECIPE).recipe
    comparison = embedded(compare(recipe, data, apart=True), nullcontext)
    prepared = comparison.prepared
    for step in prepared.steps:
        print(f"    {step.sentence}")
    check("rows to train on", prepared.train.sum(), N_TRAIN)
    check("rows held out", prepared.held_out.sum(), N_HELD_OUT)
    held_out = np.ascontiguousarray(prepared.raw.row_numbers[prepared.held_out], dtype="<i8")
    if hashlib.sha256(held_out.tobytes()).hexdigest() != HELD_OUT_SHA256:
        sys.exit("Other rows are held out than on the page.")

    # 3. Each panel is trained, where it trains, up to the iteration that was shown, and measured.
    for key, shown in SHOWN.items():
        panel = comparison.panel(key)
        print(panel.recipe.shown_title)
        snapshot = None
        if panel.trains:
            start = np.array(STARTS[key]) if key in STARTS else None
            snapshot = comparison.trained(key, start=start).snapshots[shown["iteration"]]
            check("objective", snapshot.objective, shown["objective"])
        scores = scores_of(comparison, key, snapshot, k=K)
        Y = places_of(comparison, key, snapshot).Y
        check("norm_of_Y", np.linalg.norm(Y), shown["norm_of_Y"])
        for name, number in shown.items():
            if hasattr(scores, name):
                check(name, getattr(scores, name), number)

        # The mean of p_i of NCA once more, by its definition. (A training that goes by numbers compares no classes.)
        by_classes = panel.trains and panel.config.target_similarity is None
        if panel.recipe.method_key == "nca" and by_classes and N_TRAIN <= 3000:
            found = mean_p_by_definition(Y[prepared.train], panel.y[prepared.train])
            if not math.isclose(found, shown["mean_p"], rel_tol=1e-6):
                sys.exit(f"By its definition the mean of p_i is {found}; the page showed {shown['mean_p']}.")

    print("All numbers are equal.")


if __name__ == "__main__":
    main()
'''
