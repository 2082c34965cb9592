"""Two agents in one environment, three seeds each, kept as records and read back."""

import sys
from pathlib import Path

import numpy as np

import vapor

out = Path(sys.argv[1] if len(sys.argv) > 1 else "out/examples/compare_agents_py")

means = []
for agent in ["vapor", "epsilon-greedy:epsilon=0.1"]:
    # A run that stands already is left alone.
    runs = vapor.run(
        "deep_sea:depth=8", agent, episodes=100, seeds=3, out=out / agent.split(":")[0]
    )
    regret = np.array([run.episodes["regret"].sum() for run in runs])
    error = regret.std(ddof=1) / np.sqrt(len(regret))
    print(f"{agent:28} regret {regret.mean():6.2f} +- {error:.2f} over {len(regret)} seeds")
    means.append(regret.mean())

page = vapor.report(out, out / "report").page
print(f"the report is {page}")
assert means[0] < means[1]
