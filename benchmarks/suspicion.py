"""Learn what changes that take a protection away read like, and measure it on projects it was not learnt from.

    python -m benchmarks.suspicion FILE.jsonl.gz… [--write anchors/suspicion.json] [--json OUT] [--let-through 0.015]

Rows are as in `benchmarks.real_changes`; those of the set "degrade" lost a protection, all others are harmless, and so
are those of "degrade" turned round: repairs. Whole files of Python and Java that parse are used. Every figure is of
rows whose project was left out when the weights that judge them were fitted (one fold of twenty; the last fit, which is
written, uses all rows). The limit is the score that the wanted share of harmless changes, judged so, reaches.
Needs the extra `learn`.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GroupKFold

from benchmarks.real_changes import Row, change_of, read_rows
from scaffold_cli.anchoring.catalogue import load
from scaffold_cli.anchoring.comparing import Fates, compare_change
from scaffold_cli.anchoring.suspicion import forest
from scaffold_cli.anchoring.suspicion.signs import Signs

FOLDS = 20
LEAST_PROJECTS = 10
"""A sign seen in fewer projects is left out: it would be learnt by heart."""
REFACTORINGS = 3.0
"""How much a refactoring weighs: few are known, and most changes that a guard sees are meant as one."""
SETTINGS = {
    "max_iter": 400,
    "learning_rate": 0.04,
    "max_leaf_nodes": 10,
    "min_samples_leaf": 10,
    "l2_regularization": 5.0,
    "max_features": 0.2,
    "random_state": 0,
}
SHARES = (0.01, 0.02, 0.03, 0.05, 0.1)


class Samples:
    """Rows as a matrix: one line for each change, one column for each feature."""

    def __init__(self, rows: list[Row], fates: list[Fates]) -> None:
        known = [forest.features(signs_of(item)) for item in fates]
        self.projects = np.array([row["source"].partition("@")[0] for row in rows])
        self.sets = np.array([row["set"] for row in rows])
        self.labels = np.array([row["set"] == "degrade" for row in rows])
        seen: dict[str, set[str]] = {}
        for found, project in zip(known, self.projects, strict=True):
            for name in found:
                seen.setdefault(name, set()).add(project)
        self.names = sorted(name for name, projects in seen.items() if len(projects) >= LEAST_PROJECTS)
        self.weighed = np.array([is_weighed(item) for item in fates])
        self.weights = np.where(self.sets == "benign", REFACTORINGS, 1.0)
        self.matrix = np.array([[found.get(name, 0.0) for name in self.names] for found in known])

    def left_out(self) -> Any:
        """The score of each row by weights that saw nothing of its project."""
        scores = np.zeros(len(self.labels))
        for train, test in GroupKFold(FOLDS).split(self.matrix, self.labels, self.projects):
            scores[test] = fitted(self.matrix[train], self.labels[train], self.weights[train]).predict_proba(
                self.matrix[test]
            )[:, 1]
        return scores * self.weighed


def turned(row: Row) -> Row:
    """A loss turned round: the repair it came from."""
    files = [{**item, "before": item["after"], "after": item["before"]} for item in row["files"]]
    return {**row, "set": "repair", "files": files}


def signs_of(fates: Fates) -> Signs:
    """What a change shows to the weights."""
    assert fates.weighing is not None
    return fates.weighing.signs


def is_weighed(fates: Fates) -> bool:
    """True where the guard would suspect a change if it read badly enough."""
    assert fates.weighing is not None
    return not fates.unparsable and fates.weighing.is_weighty(fates.held)


def fitted(matrix: Any, labels: Any, weights: Any) -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(**SETTINGS).fit(matrix, labels, sample_weight=weights)


def exported(model: HistGradientBoostingClassifier, names: list[str], limit: float, rows: list[Row]) -> dict[str, Any]:
    """The weights as `suspicion.forest` reads them, without features that no tree asks about.

    scikit-learn gives its trees by private attributes only; `_check` holds what is written against its own answers.
    """
    grown = [stage[0].nodes for stage in model._predictors]
    used = sorted({int(node["feature_idx"]) for nodes in grown for node in nodes if not node["is_leaf"]})
    place = {old: new for new, old in enumerate(used)}
    sets = Counter(f"{row['set']}, {row['language']}" for row in rows)
    return {
        "about": "Written by `python -m benchmarks.suspicion`; see docs/anchors.md. Not to be edited by hand.",
        "learnt from": dict(sorted(sets.items())),
        "limit": round(limit, 4),
        "base": float(model._baseline_prediction.ravel()[0]),
        "names": [names[index] for index in used],
        "trees": [[_node(node, place) for node in nodes] for nodes in grown],
    }


def _node(node: Any, place: dict[int, int]) -> list[float]:
    if node["is_leaf"]:
        return [-1, 0, 0, 0, float(f"{node['value']:.6g}")]
    limit = float(node["num_threshold"])
    return [place[int(node["feature_idx"])], limit, int(node["left"]), int(node["right"]), 0]


def figures(samples: Samples, scores: Any, limit: float) -> dict[str, Any]:
    """Shares of losses found at given shares of harmless changes suspected, projects left out."""
    harmless, losses = scores[~samples.labels], scores[samples.labels]
    sets = sorted(set(samples.sets))
    table = {f"{share:.0%}": round(float((losses > np.quantile(harmless, 1 - share)).mean()), 3) for share in SHARES}
    return {
        "rows": len(scores),
        "projects": len(set(samples.projects)),
        "losses": int(samples.labels.sum()),
        "features": len(samples.names),
        "losses found when this share of harmless changes is suspected": table,
        "limit": round(limit, 4),
        "at the limit": {
            "losses found": round(float((losses >= limit).mean()), 3),
            "harmless suspected": round(float((harmless >= limit).mean()), 3),
            **{f"{name} suspected": round(float((scores[samples.sets == name] >= limit).mean()), 3) for name in sets},
        },
    }


def main() -> None:
    """Read, learn, measure, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.suspicion", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--write", type=Path, default=None, help="where the weights go")
    parser.add_argument("--json", type=Path, default=None, help="where the figures go")
    parser.add_argument("--let-through", type=float, default=0.015, help="share of harmless changes to suspect")
    arguments = parser.parse_args()
    wanted = [
        row
        for row in read_rows(arguments.files)
        if row["unit"] == "file" and row["py3"] is not False and row["language"] in ("python", "java")
    ]
    wanted += [turned(row) for row in wanted if row["set"] == "degrade"]
    catalogue = load()
    fates = [compare_change(change_of(row), None, None, catalogue) for row in wanted]
    samples = Samples(wanted, fates)
    scores = samples.left_out()
    limit = float(np.quantile(scores[~samples.labels], 1 - arguments.let_through))
    names = " ".join(path.name for path in arguments.files)
    command = f"python -m benchmarks.suspicion {names} --let-through {arguments.let_through}"
    result = {"command": command, **figures(samples, scores, limit)}
    print(json.dumps(result, indent=1))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")
    if arguments.write is not None:
        model = fitted(samples.matrix, samples.labels, samples.weights)
        arguments.write.write_text(json.dumps(exported(model, samples.names, limit, wanted)) + "\n")
        _check(arguments.write, [signs_of(item) for item in fates], model.predict_proba(samples.matrix)[:, 1])


def _check(path: Path, signs: list[Signs], wanted: Any) -> None:
    """What was written judges as what was fitted."""
    written = forest.load(path)
    worst = max(abs(written.score(item) - score) for item, score in zip(signs, wanted, strict=True))
    if worst > 1e-4:
        raise SystemExit(f"the weights written differ from those fitted by {worst}")


if __name__ == "__main__":
    main()
