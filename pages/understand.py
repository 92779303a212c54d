"""Understand: the stage of Explore, and one question at a time about what it shows."""

from pages.controls import understand
from pages.controls.comparison import embeddings, show_comparison
from pages.controls.export import export_menu, picture_request
from pages.controls.point import one_point, pin_request, pinned_row
from pages.controls.shell import present
from pages.controls.sidebar import sidebar
from pages.controls.table import selection
from pages.server.measurements import measurements, solved_accuracies
from pages.server.session import workspace
from stage.streamlit_host import live_stage

space = workspace()
present()
dataset, steps = sidebar(space)
comparison = show_comparison(space, dataset, steps, "understand.stage")
question = understand.choose_question()
if question == "cope":
    understand.perturbation_controls(space, comparison)  # above the stage, which responds
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
    understand.metric(space, comparison)
elif question == "k":
    understand.where_k_comes_from(space, comparison)
elif question == "grab":
    understand.grab(space, comparison, stage)
elif question == "cope":
    understand.perturbation_numbers(space, comparison)
else:
    understand.many_optima(space, comparison)
export_menu(space, comparison, stage)
