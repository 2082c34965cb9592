"""Learner frames a second of processor time, ours beside the same learner in Python, one thread each, in turns.

    python3 benchmarks/deep/compare.py build/release/benchmarks/deep/deep_learner_bench

Debian's torch multiplies matrices by whatever libblas.so.3 is installed, which may be the slow
reference one; --blas names another for Python to use.
"""
import argparse
import json
import os
import subprocess
from pathlib import Path

LEARNER = Path(__file__).with_name("learner.py")
CASES = [  # arguments of both, steps of ours and of Python's, the ratio that ours should reach
    (["--net", "conv", "--torso", "small", "--batch", "600"], 3, 2, 1),
    (["--net", "conv", "--torso", "small", "--batch", "200"], 9, 5, 1),
    (["--net", "conv", "--torso", "large", "--batch", "600"], 2, 1, 1),
    (["--net", "deep_sea", "--hidden", "256", "--batch", "200"], 300, 20, 8),
    (["--net", "deep_sea", "--hidden", "64", "--batch", "200"], 1000, 50, 15),
]


def rate(command, environment):
    output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(output.stdout)["frames_per_second"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bench", help="the program deep_learner_bench")
    parser.add_argument("--python", default="/usr/bin/python3", help="one that imports torch")
    parser.add_argument("--blas", help="a libblas.so.3 that Python loads first")
    parser.add_argument("--rounds", type=int, default=2, help="the best round counts")
    options = parser.parse_args()
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    python_environment = dict(environment)
    if options.blas:
        python_environment["LD_PRELOAD"] = options.blas
    for arguments, our_steps, their_steps, floor in CASES:
        ours, dense, sparse = [], [], []
        for _ in range(options.rounds):
            ours.append(rate([options.bench, *arguments, "--steps", str(our_steps), "--json"],
                             environment))
            theirs = [options.python, str(LEARNER), *arguments, "--steps", str(their_steps)]
            dense.append(rate(theirs, python_environment))
            if "deep_sea" in arguments:
                sparse.append(rate([*theirs, "--sparse"], python_environment))
        result = {"case": " ".join(arguments), "ours": max(ours), "python": max(dense),
                  "ratio": round(max(ours) / max(dense), 2), "floor": floor}
        if sparse:
            result["python_sparse"] = max(sparse)
            result["ratio_sparse"] = round(max(ours) / max(sparse), 2)
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
