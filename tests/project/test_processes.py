"""The process wrapper: bytes both ways, limits, nothing left behind."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from scaffold_cli import processes
from scaffold_cli.model.errors import UndecidedError


def test_bytes_pass_through_unchanged() -> None:
    data = bytes(range(256)) * 5_000
    assert processes.run(["cat"], stdin=data).stdout == data


def test_a_slow_program_gets_its_input_once() -> None:
    """Longer than a slice of waiting: the rest of the input is not taken for a second one."""
    data = bytes(range(256)) * 5_000
    assert processes.run(["sh", "-c", "sleep 1.3; cat"], stdin=data).stdout == data


def test_a_missing_program_is_named() -> None:
    with pytest.raises(processes.ProgramNotFoundError, match="no-such-program"):
        processes.run(["no-such-program"])


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(UndecidedError, match="gone"):
        processes.run(["true"], cwd=tmp_path / "gone")


def test_time_out_ends_the_children_too(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    done = processes.run(["sh", "-c", f"sleep 600 & echo $! > {pid_file}; wait"], timeout=0.5)
    assert done.timed_out
    assert not done.ok
    assert _is_gone(int(pid_file.read_text()))


def test_a_program_that_ends_is_not_held_up_by_a_child_that_keeps_its_output_open(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    done = processes.run(["sh", "-c", f"sleep 600 & echo $! > {pid_file}; echo ready"], timeout=300)
    assert done.ok
    assert done.stdout == b"ready\n"
    assert _is_gone(int(pid_file.read_text()))


def test_ending_reaches_processes_of_other_threads_and_stops_new_ones() -> None:
    results: list[processes.Completed] = []
    started = threading.Event()

    def work() -> None:
        started.set()
        results.append(processes.run(["sleep", "600"]))

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    with processes.ending():
        thread.join()
        with pytest.raises(processes.EndedError):
            processes.run(["true"])
        assert processes.run(["true"], essential=True).ok
    assert processes.run(["true"]).ok
    assert all(result.code != 0 for result in results)


def _is_gone(pid: int) -> bool:
    """True once the process is dead (a zombie waiting for its reaper counts as dead)."""
    status = Path(f"/proc/{pid}/status")
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if status.exists() and "State:\tZ" in status.read_text():
            return True
        threading.Event().wait(0.01)
    return False
