"""Speed and memory of reading and mining sources: ``python -m benchmarks.mining [--json OUT] [--runs N]``.

Figures are ratios to a floor measured in the same run: `ast.parse` with one `ast.walk`, the bare tree-sitter parse,
one file against ten and a hundred, garbage looked for as seldom as the command does. Python texts are modules of the
standard library, Java texts are made here.
"""

from __future__ import annotations

import argparse
import ast
import gc
import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.measure import Program, Row, Timing, in_turn, python, write
from scaffold_cli.__main__ import COLLECT_EVERY
from scaffold_cli.anchoring.catalogue import load
from scaffold_cli.anchoring.comparing import compare_change
from scaffold_cli.anchoring.units import mine_outline
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.syntax import java
from scaffold_cli.syntax import python as python_front_end
from scaffold_cli.syntax.outline import Outline

MODULES = ("smtplib.py", "http/cookies.py", "shutil.py", "ssl.py")
MANY_FILES = 2000
MANY_LIMIT_MIB = 400


def main() -> int:
    """Measure and report; 0 whatever came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--judge", type=int, help="only judge a change of so many files (used for the memory figure)")
    options = parser.parse_args()
    gc.set_threshold(*COLLECT_EVERY)
    if options.judge is not None:
        _judge(_change(options.judge, 0, functions=4))
        return 0
    rows = [
        *python_files(options.runs),
        *java_files(options.runs),
        one_large_file(options.runs),
        *more_files(options.runs),
        many_files(),
    ]
    write(options.json, "python -m benchmarks.mining --json benchmarks/results/mining.json", rows)
    return 0


def python_files(runs: int) -> list[Row]:
    """Lowering, and lowering with all facts, against parsing and one walk of the same text."""
    library = Path(os.__file__).parent
    texts = [(library / name).read_bytes() for name in MODULES if (library / name).is_file()]
    jobs = {
        "ast.parse and one ast.walk": lambda: [sum(1 for _ in ast.walk(ast.parse(text))) for text in texts],
        "outline": lambda: [python_front_end.lower("a.py", text) for text in texts],
        "outline and facts": lambda: [_facts(python_front_end.lower("a.py", text)) for text in texts],
    }
    timings = _in_turn(jobs, runs)
    return [
        _ratio("Python outline", "outline", "ast.parse and one ast.walk", 3, timings),
        _ratio("Python outline and facts", "outline and facts", "ast.parse and one ast.walk", 3, timings),
    ]


def java_files(runs: int) -> list[Row]:
    """The same for Java, against the bare parse."""
    from tree_sitter import Parser

    texts = [_java(number).encode() for number in range(10)]
    grammar = java._grammar()
    jobs = {
        "bare tree-sitter parse": lambda: [Parser(grammar).parse(text) for text in texts],
        "outline": lambda: [java.lower("A.java", text) for text in texts],
        "outline and facts": lambda: [_facts(java.lower("A.java", text)) for text in texts],
    }
    timings = _in_turn(jobs, runs)
    return [
        _ratio("Java outline", "outline", "bare tree-sitter parse", 5, timings),
        _ratio("Java outline and facts", "outline and facts", "bare tree-sitter parse", 5, timings),
    ]


def one_large_file(runs: int) -> Row:
    """A file of 1,000 lines with one guard gone, both sides read for the first time, everything imported."""
    changes = iter([_change(1, salt, functions=143) for salt in range(runs + 1)])
    timings = _in_turn({"judged": lambda: _judge(next(changes))}, runs)
    median = timings["judged"].median * 1000
    return Row("one changed file of 1,000 lines", "at most 150 ms", f"{median:.0f} ms", median <= 150, timings)


def more_files(runs: int) -> list[Row]:
    """Changes of 10 and 100 files against one: time for each file must not grow."""
    counts = (1, 10, 100)
    changes = {count: iter([_change(count, salt) for salt in range(runs + 1)]) for count in counts}
    timings = _in_turn({f"{count} files": partial(_next, changes[count]) for count in counts}, runs)
    each = {count: timings[f"{count} files"].median / count for count in counts}
    return [
        Row(
            f"{count} changed files",
            "at most 1.5 times the time of one for each",
            f"{each[count] / each[1]:.2f} times ({timings[f'{count} files'].median * 1000:.0f} ms)",
            each[count] <= 1.5 * each[1],
            timings,
        )
        for count in counts[1:]
    ]


def many_files() -> Row:
    """Peak memory of a process that judges 2,000 files of 28 lines."""
    argv = (python(), "-m", "benchmarks.mining", "--judge", str(MANY_FILES))
    program = Program("judge", argv, Path(__file__).parent.parent)
    timings = in_turn([program], 1, {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    peak = timings["judge"].peak_mib
    wanted = f"at most {MANY_LIMIT_MIB} MiB"
    return Row(f"{MANY_FILES:,} changed files", wanted, f"{peak:.0f} MiB", peak <= MANY_LIMIT_MIB, timings)


def _ratio(what: str, job: str, floor: str, most: int, timings: dict[str, Timing]) -> Row:
    times = timings[job].median / timings[floor].median
    return Row(what, f"at most {most} times: {floor}", f"{times:.2f} times", times <= most, timings)


def _in_turn(jobs: dict[str, Callable[[], object]], runs: int) -> dict[str, Timing]:
    """Processor seconds of the jobs, run A B C A B C ... in this process, one uncounted round first."""
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for turn in range(runs + 1):
        for name, job in jobs.items():
            started = time.process_time()
            job()
            if turn:
                seconds[name].append(time.process_time() - started)
    return {name: Timing.of(taken) for name, taken in seconds.items()}


def _facts(outline: Outline) -> int:
    """Mine all units, also those nobody would ask for."""
    return sum(len(unit.facts) for unit in mine_outline(outline, load()))


def _next(changes: Iterator[Change]) -> None:
    _judge(next(changes))


def _judge(change: Change) -> None:
    compare_change(change, None, None, load())


def _change(files: int, salt: int, functions: int = 10) -> Change:
    """Files of seven lines a function, each of which loses one guard; no two of them equal, whatever the salt."""
    pairs = [
        FileChange(
            FileVersion(path, _python(functions, f"{salt}_{number}").encode()),
            FileVersion(path, _python(functions, f"{salt}_{number}", lost=functions // 2).encode()),
        )
        for number in range(files)
        for path in (f"pkg/m{salt}_{number}.py",)
    ]
    return Change.of(pairs)


_PYTHON_FUNCTION = """
def read_{salt}_{number}(path, size={number}):
{guard}
    with open(path) as file:
        data = file.read(size + {number})
    return [line.strip() for line in data.split()]
"""
_PYTHON_GUARD = "    if '..' in path:\n        raise ValueError(path)"
_JAVA_METHOD = """
  @Override
  public String read%(number)d(String path, int size) throws IOException {
    if (path.contains("..") || size > %(limit)d) {
      throw new IOException("bad path " + path);
    }
    try (InputStream in = Files.newInputStream(Paths.get(base, path))) {
      for (int i = 0; i < size; i++) {
        total[i] += in.read() & 0x%(limit)x;
      }
    } catch (IOException | RuntimeException e) {
      log.warn(e.getMessage(), e);
      return null;
    }
    return cache.computeIfAbsent(path, key -> new Entry(key, total.length)).value();
  }
"""


def _python(functions: int, salt: str, lost: int = -1) -> str:
    guards = ["    path = path\n    size = size" if number == lost else _PYTHON_GUARD for number in range(functions)]
    return "".join(
        [_PYTHON_FUNCTION.format(salt=salt, number=number, guard=guard) for number, guard in enumerate(guards)]
    )


def _java(salt: int) -> str:
    methods = "".join([_JAVA_METHOD % {"number": number, "limit": number + 16} for number in range(40)])
    return f"package a;\n\nimport java.nio.file.Files;\n\npublic class Reader{salt} extends Base {{\n{methods}}}\n"


if __name__ == "__main__":
    raise SystemExit(main())
