#!/usr/bin/env python3
"""VAPOR from Python with nothing but the command: a problem made as a dict, its policy printed.

    examples/solve_from_python.py [VAPOR]     VAPOR: the command, by default `vapor`
"""
import json
import os
import subprocess
import sys
import tempfile

vapor = sys.argv[1] if len(sys.argv) > 1 else "vapor"

# Two layers. In the first, stay where pay is known (0.5) or go where it is not; in the second, one
# safe action, or one of two whose rewards are uncertain.
problem = {
    "format": "vapor-problem",
    "version": 1,
    "initial": [1.0],
    "layers": [
        {
            "reward_mean": [[0.5, 0.0]],
            "sigma": [[0.0, 0.0]],
            "next": [[[[0, 1.0]], [[1, 1.0]]]],
        },
        {"reward_mean": [[0.0], [0.2, 0.3]], "sigma": [[0.0], [1.0, 0.5]]},
    ],
}

with tempfile.TemporaryDirectory() as folder:
    out = os.path.join(folder, "solution.json")
    run = subprocess.run(
        [vapor, "solve", "-", "--json", "--out", out],
        input=json.dumps(problem),
        text=True,
        stdout=subprocess.PIPE,
        check=True,
    )
    certificate = json.loads(run.stdout)
    with open(out) as file:
        solution = json.load(file)

print(f"{certificate['status']}: value {certificate['value']:.9f}, gap {certificate['gap']:.1e}")
for layer, states in enumerate(solution["policy"]):
    for state, actions in enumerate(states):
        print(f"layer {layer}, state {state}: " + ", ".join(f"{a:.4f}" for a in actions))

if certificate["status"] != "solved" or certificate["gap"] < 0:
    sys.exit(1)
