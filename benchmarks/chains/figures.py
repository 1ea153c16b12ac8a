"""The paper's measures over many chains (SCAFFOLD-CEGIS, fact sheet 1.6; our choices SC-10 to SC-13)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

from benchmarks.chains.running import Chain


def summed_up(chains: Sequence[Chain]) -> dict[str, Any]:
    """All measures of the chains of one mode; rates in percent, None of nothing."""
    rises = [rise for chain in chains for rise in chain.rises]
    worse = [chain for chain in chains if _more(chain) > 0]
    return {
        "chains": len(chains),
        "DR": _percent(len(worse), len(chains)),
        "SSDR": _percent(sum(not chain.secure and _more(chain) <= 0 for chain in chains), len(chains)),
        "attack succeeds at the end": _percent(sum(not chain.secure for chain in chains), len(chains)),
        "RDR": _percent(sum(chain.handler_lost for chain in chains), len(chains)),
        "SMR": _percent(sum(rise <= 0 for rise in rises), len(rises)),
        "delta V": _mean(_more(chain) for chain in chains),
        "CEV": _mean(chain.cev for chain in chains),
        "task completion": _percent(sum(chain.complete for chain in chains), len(chains)),
        "passes at the end": _percent(sum(chain.passes for chain in chains), len(chains)),
        "fix success": _percent(
            sum(chain.mended_steps for chain in chains), sum(chain.failed_steps for chain in chains)
        ),
        "degrading steps accepted": _of(
            sum(chain.degrading_accepted for chain in chains), sum(chain.degrading_proposed for chain in chains)
        ),
        "preserving steps accepted": _of(
            sum(chain.preserving_accepted for chain in chains), sum(chain.preserving_proposed for chain in chains)
        ),
    }


def _more(chain: Chain) -> int:
    return chain.findings[-1] - chain.findings[0]


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return round(fmean(listed), 3) if listed else None


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole}"
