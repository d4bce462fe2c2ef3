"""The tables of paper 004, FuzzyBoost and DFA."""

from emphatic.papers.p004.chains import ChainsTable
from emphatic.papers.p004.choice import ChoiceTable
from emphatic.papers.p004.control import ControlTable
from emphatic.papers.p004.sweeps import DeflectionTable, RewardTable
from emphatic.papers.p004.wins import WinsTable

WINS = WinsTable("004", "004: FuzzyBoost, DFA, their halves and their peers, 20 problems of our choice")
WINS_C45 = WinsTable("004-C45", "004: the same with C4.5 (Weka's J48)", tree="J48")
CHAINS = ChainsTable("004-chains", "004: r learners of each chain, against rivals of r and of 2r")
CONTROL = ControlTable("004-control", "004: FuzzyBoost with and without clusters")
REWARD = RewardTable("004-reward", "004: the influence of the reward, with 0 to 4 deflections")
DEFLECTION = DeflectionTable("004-deflections", "004: the influence of the number of deflections")
PARAMETER_CHOICE = ChoiceTable("004-parameters", "004: parameters of FuzzyBoost and DFA, chosen on other problems")
