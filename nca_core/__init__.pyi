from nca_core.estimators.classifier import NCAClassifier as NCAClassifier
from nca_core.estimators.mcml import MCML as MCML
from nca_core.estimators.nca import NeighborhoodComponentsAnalysis as NeighborhoodComponentsAnalysis
from nca_core.estimators.network import NeuralNCA as NeuralNCA
from nca_core.estimators.projection import Projection as Projection
from nca_core.estimators.variable_kernel import VariableKernelClassifier as VariableKernelClassifier
from nca_core.features.validation import UNLABELLED as UNLABELLED
from nca_core.neighbours.similarity import PrecomputedSimilarity as PrecomputedSimilarity
from nca_core.parts.features_in_parts import parts_of_arrays as parts_of_arrays
from nca_core.parts.features_in_parts import parts_of_folder as parts_of_folder

__version__: str
