"""EXPERIMENTS: the tables and figures of the papers, each carried out again by one command.

`python -m study.experiments list` lists them. A new one is a file in this folder with an `Experiment`, and one line
here; they run in this order, the cheap ones first.
"""

from study.experiments.base.experiment import Experiment
from study.experiments.gvsm import GVSM_FIG3, GVSM_FIG4
from study.experiments.nca_paper import NCA_FIG1_METRIC, NCA_FIG1_RANK2, NCA_FIG2, NCA_FIG3
from study.experiments.pydml import PYDML
from study.experiments.r_report import R_FIG3, R_FIG4, R_FIG5, R_FIG6, R_TABLE2
from study.experiments.sklearn_example import SKLEARN_EXAMPLE
from study.experiments.talk import TALK_FACES, TALK_MCML, TALK_WINE

_IN_ORDER = (
    TALK_WINE,
    R_FIG4,
    R_FIG5,
    R_FIG6,
    R_FIG3,
    R_TABLE2,
    NCA_FIG1_RANK2,
    NCA_FIG1_METRIC,
    SKLEARN_EXAMPLE,
    TALK_MCML,
    GVSM_FIG3,
    GVSM_FIG4,
    PYDML,
    NCA_FIG2,
    TALK_FACES,
    NCA_FIG3,
)
EXPERIMENTS: dict[str, Experiment] = {experiment.key: experiment for experiment in _IN_ORDER}
