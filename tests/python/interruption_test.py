"""Ctrl-C stops what is long, and the interpreter is free meanwhile."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

import vapor


def interrupted(program: str, tmp_path: Path) -> str:
    """What a program prints that gets a SIGINT once it has printed a line."""
    script = tmp_path / "program.py"
    script.write_text(textwrap.dedent(program))
    process = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    return rest


def test_a_solve_is_interrupted(tmp_path: Path) -> None:
    rest = interrupted(
        """
        import vapor
        problem = vapor.random_problem(layers=30, states=40, actions=5)
        try:
            print("begun", flush=True)
            while True:
                vapor.solve(problem, method="frank_wolfe", tol=1e-12, max_iterations=10**8)
        except KeyboardInterrupt:
            print("stopped", vapor.solve(problem).status)
        """,
        tmp_path,
    )
    assert rest == "stopped solved\n"


def test_a_batch_is_interrupted(tmp_path: Path) -> None:
    rest = interrupted(
        """
        import vapor
        problems = [vapor.random_problem(layers=30, states=40, seed=s) for s in range(4)]
        try:
            print("begun", flush=True)
            vapor.solve_many(problems, method="frank_wolfe", tol=1e-12, max_iterations=10**8)
        except KeyboardInterrupt:
            print("stopped")
        """,
        tmp_path,
    )
    assert rest == "stopped\n"


def test_runs_are_interrupted_and_go_on(tmp_path: Path) -> None:
    rest = interrupted(
        f"""
        import vapor
        def begin(*state):
            if not begin.told:
                print("begun", flush=True)
            begin.told = True
        begin.told = False
        try:
            vapor.run("deep_sea:depth=10", "vapor", episodes=10**6, seeds=2, out={str(tmp_path)!r},
                      progress=begin)
        except KeyboardInterrupt:
            print("stopped")
        """,
        tmp_path,
    )
    assert rest == "stopped\n"
    runs = [vapor.Run.read(tmp_path / f"seed-{seed}") for seed in (1, 2)]
    assert all(not run.finished and len(run.episodes["return"]) > 0 for run in runs)


def test_other_threads_run_during_a_solve() -> None:
    problem = vapor.random_problem(layers=30, states=40, actions=5)
    running, counted = threading.Event(), 0

    def solve() -> None:
        running.set()
        vapor.solve(problem, method="frank_wolfe", tol=1e-12, max_seconds=1.0)
        running.clear()

    worker = threading.Thread(target=solve)
    worker.start()
    running.wait()
    while running.is_set():
        counted += 1
    worker.join()
    assert counted > 1000


def test_an_exception_of_keep_going_ends_the_run(tmp_path: Path) -> None:
    def fail(*_: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        vapor.run("deep_sea:depth=10", "vapor", episodes=10**6, out=tmp_path, progress=fail)


def test_two_threads_cannot_use_one_agent_at_once() -> None:
    world = vapor.Environment("deep_sea:depth=40")
    agent = vapor.Agent("vapor", vapor.Belief.about(world))
    refused: list[str] = []

    def use() -> None:
        for episode in range(20):
            try:
                agent.observe(world.play(agent.policy(vapor.RandomStream(episode)),
                                         vapor.RandomStream(episode)))  # fmt: skip
            except RuntimeError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused
    assert all("another thread is using" in reason for reason in refused)
    assert agent.policy(vapor.RandomStream(1)).flat.min() >= 0.0
