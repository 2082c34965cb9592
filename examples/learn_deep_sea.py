"""Algorithm 1 of the paper on DeepSea: believe, solve, act, learn."""

import vapor

sea = vapor.Environment("deep_sea:depth=20,mapping_seed=7")
random = vapor.RandomStream(7)
belief = vapor.Belief.gaussian(sea.model, repeat=10000.0, transform="reward-only", scale=0.03)

solution = None
found = 0
for episode in range(1, 201):
    solution = vapor.solve(belief.problem, warm_start=solution)  # warm from the last policy
    steps = sea.play(solution.policy, random)
    belief.update(steps)
    found += sea.reached_goal(steps)
    if 10 * found >= episode:
        print(f"depth 20: treasure in a tenth of the first {episode} episodes")
        break
else:
    raise SystemExit("not learnt in 200 episodes")
