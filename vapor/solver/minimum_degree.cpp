#include "vapor/solver/minimum_degree.h"

#include <algorithm>

namespace vapor {
namespace {

// The nodes that are left, by degree: a list for each.
class DegreeLists {
 public:
  explicit DegreeLists(Index nodes)
      : head_(nodes, -1), next_(nodes, -1), previous_(nodes, -1), degree_(nodes, 0) {}

  Index degree(Index node) const { return degree_[node]; }

  void add(Index node, Index degree) {
    degree_[node] = degree;
    previous_[node] = -1;
    next_[node] = head_[degree];
    if (next_[node] >= 0) previous_[next_[node]] = node;
    head_[degree] = node;
    least_ = std::min(least_, degree);
  }

  void remove(Index node) {
    if (next_[node] >= 0) previous_[next_[node]] = previous_[node];
    (previous_[node] >= 0 ? next_[previous_[node]] : head_[degree_[node]]) = next_[node];
  }

  Index take_least() {
    while (head_[least_] < 0) ++least_;
    const Index node = head_[least_];
    remove(node);
    return node;
  }

 private:
  std::vector<Index> head_;             // by degree
  std::vector<Index> next_, previous_;  // by node
  std::vector<Index> degree_;
  Index least_ = 0;
};

// What is left of the graph after some nodes were eliminated. Each of these has become an element:
// a clique of its members, the nodes that were its neighbours then.
class QuotientGraph {
 public:
  QuotientGraph(std::span<const Offset> begin, std::span<const Index> neighbour)
      : lists_(static_cast<Index>(begin.size()) - 1),
        nodes_(begin.size() - 1),
        elements_(begin.size() - 1),
        members_(begin.size() - 1),
        mark_(begin.size() - 1, -1),
        outside_(begin.size() - 1, 0) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i].assign(neighbour.begin() + begin[i], neighbour.begin() + begin[i + 1]);
      lists_.add(static_cast<Index>(i), static_cast<Index>(nodes_[i].size()));
    }
  }

  // Of the node eliminated last: how many neighbours it had.
  Index members(Index element) const { return static_cast<Index>(members_[element].size()); }

  Index eliminate_next() {
    const Index pivot = lists_.take_least();
    ++eliminated_;
    gather_members(pivot);
    count_outside(pivot);
    for (Index i : members_[pivot]) rejoin(i, pivot);
    return pivot;
  }

 private:
  // The members of the pivot's element: its neighbours, and those of the elements it is in, which
  // are absorbed.
  void gather_members(Index pivot) {
    std::vector<Index>& members = members_[pivot];
    mark_[pivot] = pivot;
    const auto add = [&](Index i) {
      if (mark_[i] == pivot) return;
      mark_[i] = pivot;
      members.push_back(i);
    };
    for (Index i : nodes_[pivot]) add(i);
    for (Index e : elements_[pivot]) {
      for (Index i : members_[e]) add(i);
      members_[e] = {};
    }
    nodes_[pivot] = {};
    elements_[pivot] = {};
  }

  // outside_[e] = the number of members of e that are none of the pivot's.
  void count_outside(Index pivot) {
    for (Index i : members_[pivot])
      for (Index e : elements_[i]) outside_[e] = static_cast<Index>(members_[e].size());
    for (Index i : members_[pivot])
      for (Index e : elements_[i]) --outside_[e];
  }

  // A member's neighbours, now that the pivot's element covers some of them, and the bound on its
  // degree that follows.
  void rejoin(Index i, Index pivot) {
    const auto others = static_cast<Index>(members_[pivot].size()) - 1;
    Index degree = others;
    std::erase_if(elements_[i], [&](Index e) {
      if (members_[e].empty() || outside_[e] == 0) {
        members_[e] = {};
        return true;
      }
      degree += outside_[e];
      return false;
    });
    elements_[i].push_back(pivot);
    std::erase_if(nodes_[i], [&](Index j) { return mark_[j] == pivot; });
    degree += static_cast<Index>(nodes_[i].size());
    const auto left = static_cast<Index>(nodes_.size()) - eliminated_ - 1;
    lists_.remove(i);
    lists_.add(i, std::min({degree, lists_.degree(i) + others, left}));
  }

  DegreeLists lists_;
  std::vector<std::vector<Index>> nodes_;     // by node: neighbours that no element covers
  std::vector<std::vector<Index>> elements_;  // by node: the elements it is a member of
  std::vector<std::vector<Index>> members_;   // by element; empty: absorbed
  std::vector<Index> mark_;                   // by node: the last pivot it was a neighbour of
  std::vector<Index> outside_;                // by element
  Index eliminated_ = 0;
};

// What is still to come if the least degree does not fall before a clique is left: it hardly ever
// does. So an order that will be too much work is given up while its fronts are small.
double least_work(double left, double degree) {
  return std::max(0.0, left - degree) * elimination_work(degree) + degree * degree * degree / 6.0;
}

}  // namespace

std::vector<Index> minimum_degree_order(std::span<const Offset> begin,
                                        std::span<const Index> neighbour, double most_work) {
  QuotientGraph graph(begin, neighbour);
  std::vector<Index> order(begin.size() - 1);
  double work = 0.0;
  auto left = static_cast<double>(order.size());
  for (Index& node : order) {
    node = graph.eliminate_next();
    left -= 1.0;
    const double degree = graph.members(node);
    work += elimination_work(degree);
    if (work + least_work(left, degree) > most_work) return {};
  }
  return order;
}

}  // namespace vapor
