// Weighted entropy: the same solver, another regulariser. Cover what matters, as evenly as can be.
#include <cmath>
#include <cstdio>

#include "vapor/mdp/problem_builder.h"
#include "vapor/solver/solve.h"

int main() {
  // A hall with three doors; the third leads to a gallery where two pictures were never seen.
  // Without rewards, max -sum sigma lambda log lambda covers the pairs whose weight sigma is 1.
  const vapor::Problem problem = vapor::ProblemBuilder({1.0})
                                     .layer()
                                     .state({{.sigma = 1.0, .next = {{0, 1.0}}},
                                             {.sigma = 1.0, .next = {{0, 1.0}}},
                                             {.sigma = 1.0, .next = {{1, 1.0}}}})
                                     .layer()
                                     .state({{.sigma = 0.0}})                  // a wall, seen often
                                     .state({{.sigma = 1.0}, {.sigma = 1.0}})  // two pictures
                                     .build();

  const vapor::Solution solution =
      vapor::solve(problem, {.regulariser = vapor::RegulariserKind::kWeightedEntropy});

  std::printf("entropy %.6f, at most %.1e below the largest\n", solution.value, solution.gap);
  for (int door = 0; door < 3; ++door)
    std::printf("door %d: %.4f\n", door + 1, solution.policy[door]);

  // By hand, with q for the third door: 2 h((1 - q) / 2) + h(q) + 2 h(q / 2), h(x) = -x log x, has
  // slope log((1 - q) / q^2) - 1, which is 0 where q^2 = (1 - q) / e.
  const double c = 1.0 / std::exp(1.0);
  const double by_hand = 0.5 * (-c + std::sqrt(c * c + 4.0 * c));
  std::printf("by hand the third door has %.4f\n", by_hand);
  return std::abs(solution.policy[2] - by_hand) < 1e-4 ? 0 : 1;
}
