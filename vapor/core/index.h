// Index types and half-open ranges of indices: for (Index s : shape.states_of(l)).
#pragma once

#include <cstdint>

namespace vapor {

using Index = std::int32_t;   // a layer, a state or a pair
using Offset = std::int64_t;  // a position in a list of transitions

// The indices first, first + 1, ..., last - 1.
class Range {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(Index i) : i_(i) {}
    constexpr Index operator*() const { return i_; }
    constexpr Iterator& operator++() {
      ++i_;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    Index i_;
  };

  constexpr Range(Index first, Index last) : first_(first), last_(last) {}
  constexpr Iterator begin() const { return Iterator(first_); }
  constexpr Iterator end() const { return Iterator(last_); }
  constexpr Index first() const { return first_; }
  constexpr Index last() const { return last_; }
  constexpr Index size() const { return last_ - first_; }

 private:
  Index first_;
  Index last_;
};

}  // namespace vapor
