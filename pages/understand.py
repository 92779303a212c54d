"""Understand: the stage of Explore, and one question at a time about what it shows."""

from pages.controls.comparison import embeddings, show_comparison
from pages.controls.export import export_menu, picture_request
from pages.controls.optima import many_optima
from pages.controls.perturbation import perturbation_controls, perturbation_numbers
from pages.controls.point import one_point, pin_request, pinned_row
from pages.controls.shell import present
from pages.controls.sidebar import sidebar
from pages.controls.table import selection
from pages.controls.understand import choose_question, grab, metric, where_k_comes_from
from pages.server.measurements import measurements, solved_accuracies
from pages.server.session import workspace
from stage.streamlit_host import live_stage

space = workspace()
present()
dataset, steps = sidebar(space)
comparison = show_comparison(space, dataset, steps, "understand.stage")
question = choose_question()
if question == "cope":
    perturbation_controls(space, comparison)  # above the stage, which responds
raw = comparison.prepared.raw
point, picture = pin_request(space, raw), picture_request(comparison)
solved = solved_accuracies(measurements(space, comparison))
stage = live_stage(space, key="understand.stage", point=point, question=question, picture=picture, solved=solved)
row = pinned_row(space, raw, stage)
embeddings(space)
selection(raw, stage, key="understand")
if question == "point":
    one_point(space, comparison, row)
elif question == "metric":
    metric(space, comparison)
elif question == "k":
    where_k_comes_from(space, comparison)
elif question == "grab":
    grab(space, comparison, stage)
elif question == "cope":
    perturbation_numbers(space, comparison)
else:
    many_optima(space, comparison)
export_menu(space, comparison, stage)
