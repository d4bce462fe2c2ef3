"""Who takes part in a comparison, by name: our classifiers, and the peers their users would pick instead.

Every contender is at its library's defaults, on one thread, silent, and takes a table as it is: nominal columns and
missing cells are prepared as is customary for it. Peers are imported when they are built, so that none has to be there.
"""

from __future__ import annotations

from emphatic.comparison.contenders.contender import Contender
from emphatic.comparison.contenders.measures import measure
from emphatic.comparison.contenders.ours import OURS
from emphatic.comparison.contenders.peers import PEERS

__all__ = ["Contender", "contenders", "installed", "measure"]


def contenders() -> dict[str, Contender]:
    """All contenders by name, ours first.

    >>> from emphatic.comparison.contenders import contenders
    >>> [name for name, contender in contenders().items() if contender.package == "imblearn"]
    ['RUSBoost', 'BalancedRandomForest', 'EasyEnsemble']
    """
    return {contender.name: contender for contender in (*OURS, *PEERS)}


def installed() -> dict[str, Contender]:
    """Those whose package can be imported here.

    >>> from emphatic.comparison.contenders import installed
    >>> {"RealAdaBoost of RBF networks", "SVC"} <= set(installed())
    True
    """
    return {name: contender for name, contender in contenders().items() if contender.is_installed}
