"""The tables of paper 003, multi-view forests, on other digits than the paper's (see `digits`).

No parameter is chosen. Beyond the paper there are forests with 40 prototypes per class, Dempster's rule, pruning by
kappa on folds of the training part and by removal, a ratio that we infer, and all readings of the masses.
"""

from emphatic.papers.p003.forests import ForestsTable
from emphatic.papers.p003.masses import MassesTable
from emphatic.papers.p003.masses_choice import MassesChoiceTable
from emphatic.papers.p003.svc import MachinesTable
from emphatic.papers.p003.trees import TreesTable

TABLE_2 = TreesTable("003-2", "003, Table 2: single-view class trees, other digits than the paper's")
TABLE_3 = ForestsTable("003-3", "003, Table 3: multi-view forests, other digits than the paper's")
MASSES = MassesTable("003-masses", "003, Table 3 read in six ways: how outputs become masses")
MASSES_CHOICE = MassesChoiceTable("003-masses-choice", "003: readings of the masses on other problems")
MACHINES = MachinesTable("003-svc", "003: support vector machines on the same views")
