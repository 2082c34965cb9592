"""A belief of your own: arms that are alike if they stand side by side, which no table can say."""

import numpy as np

import vapor

ARMS, NOISE = 20, 0.1  # variance of a reward about its mean


class Neighbours:
    """Mean rewards are jointly Gaussian: a reward of one arm tells something about the next."""

    def __init__(self) -> None:
        place = np.arange(ARMS)
        self.mean = np.zeros(ARMS)
        self.covariance = np.exp(-0.5 * ((place[:, None] - place) / 3.0) ** 2)

    def problem(self) -> vapor.Problem:
        sigma = np.sqrt(np.diag(self.covariance))
        return vapor.Problem([self.mean[None]], [sigma[None]])

    def update(self, episode: vapor.Episode) -> None:
        for arm, reward in zip(episode.pairs, episode.rewards, strict=True):
            spread = self.covariance[arm, arm] + NOISE
            gain = self.covariance[arm] / spread
            self.mean = self.mean + gain * (reward - self.mean[arm])
            self.covariance = self.covariance - np.outer(gain, gain) * spread

    def sample(self, random: vapor.RandomStream) -> vapor.Problem:  # Thompson sampling asks for it
        values, vectors = np.linalg.eigh(self.covariance)
        draws = np.array([random.normal() for _ in range(ARMS)])
        drawn = self.mean + vectors @ (np.sqrt(np.maximum(values, 0.0)) * draws)
        return vapor.Problem([drawn[None]], [np.zeros((1, ARMS))])


truth = np.sin(np.arange(ARMS) / 3.0)
arms = vapor.Environment.of_model(
    vapor.Problem([truth[None]], [np.zeros((1, ARMS))]), noise=np.sqrt(NOISE)
)
regrets = {}
for name in ("vapor", "thompson"):
    for kind, belief in {
        "neighbours": Neighbours(),
        "every arm alone": vapor.Belief.gaussian(
            arms.model, noise_variance=NOISE, transform="reward-only"
        ),
    }.items():
        agent, random, regret = vapor.Agent(name, belief), vapor.RandomStream(1), 0.0
        for episode in range(100):
            policy = agent.policy(random.split(episode))
            regret += truth.max() - arms.value(policy)
            agent.observe(arms.play(policy, random))
        regrets[name, kind] = regret
        print(f"{name:10} {kind:16} regret {regret:5.1f}")

# What is known about the arms is worth something.
assert all(regrets[a, "neighbours"] < regrets[a, "every arm alone"] for a in ("vapor", "thompson"))
