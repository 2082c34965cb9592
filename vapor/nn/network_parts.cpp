#include "vapor/nn/network_parts.h"

#include <algorithm>

#include "vapor/core/check.h"

namespace vapor::nn {
namespace {

struct SharedPart {
  Index begin;  // its first column
  Index outputs;
  float weight;
  bool served = false;   // it has had the outputs of the last pass
  bool stepped = false;  // it has stepped since the last `forward`
  RowBuffer values = {}, gradient = {};
};

void copy_columns(const Rows& from, Index begin, const Rows& to) {
  for (Index r = 0; r < to.rows; ++r) std::copy_n(from[r] + begin, to.columns, to[r]);
}

// What the parts have in common.
class SharedNetwork {
 public:
  SharedNetwork(std::unique_ptr<Network> whole, std::span<const NetworkPart> parts)
      : whole_(std::move(whole)) {
    Index begin = 0;
    for (const NetworkPart& part : parts) {
      parts_.push_back({begin, part.outputs, static_cast<float>(part.weight)});
      begin += part.outputs;
    }
    VAPOR_CHECK_EQ(begin, whole_->outputs());
  }

  // A part that asks twice wants a new pass: what stands under the numbers may have changed.
  Rows run(Index part, std::span<const Index> observations, Pass pass) {
    if (parts_[part].served || pass != pass_ || !std::ranges::equal(observations, observations_))
      pass_of_all(observations, pass);
    parts_[part].served = true;
    return parts_[part].values.first(rows());
  }

  Rows gradient(Index part) {
    VAPOR_CHECK_EQ(pass_ == Pass::kLearn, true);
    return parts_[part].gradient.first(rows());
  }

  void step(Index part) {
    VAPOR_CHECK_EQ(pass_ == Pass::kLearn, true);
    parts_[part].stepped = true;
    if (!std::ranges::all_of(parts_, &SharedPart::stepped)) return;
    const Rows whole = whole_->gradient();
    for (SharedPart& p : parts_) {
      const Rows mine = p.gradient.first(rows());
      for (Index r = 0; r < mine.rows; ++r)
        for (Index j = 0; j < mine.columns; ++j) whole[r][p.begin + j] = p.weight * mine[r][j];
    }
    whole_->step();
    forget();
  }

  // Both change what a recurrent whole computes at the same observations.
  void set_first_rows(std::span<const Index> first_rows) {
    whole_->set_first_rows(first_rows);
    forget();
  }
  void begin_episode(Index place) {
    whole_->begin_episode(place);
    forget();
  }

  Index outputs(Index part) const { return parts_[part].outputs; }
  Index begin(Index part) const { return parts_[part].begin; }
  Network& whole() { return *whole_; }

  void forget() {
    for (SharedPart& part : parts_) part.served = true;
  }

 private:
  Index rows() const { return static_cast<Index>(observations_.size()); }

  void pass_of_all(std::span<const Index> observations, Pass pass) {
    const Rows outputs = nn::run(*whole_, observations, pass);
    observations_.assign(observations.begin(), observations.end());
    pass_ = pass;
    for (SharedPart& part : parts_) {
      if (rows() > part.values.capacity()) part.values.resize(rows(), part.outputs);
      copy_columns(outputs, part.begin, part.values.first(rows()));
      part.served = part.stepped = false;
      if (pass == Pass::kLearn) part.gradient.resize(rows(), part.outputs);
    }
  }

  std::unique_ptr<Network> whole_;
  std::vector<SharedPart> parts_;
  std::vector<Index> observations_;  // of the last pass
  Pass pass_ = Pass::kPlay;
};

class FrozenPart : public FrozenFunction {
 public:
  FrozenPart(std::shared_ptr<SharedNetwork> shared, Index part)
      : shared_(std::move(shared)), part_(part), whole_(shared_->whole().frozen()) {}

  Index outputs() const override { return shared_->outputs(part_); }
  Rows forward(std::span<const Index> observations) override {
    const auto rows = static_cast<Index>(observations.size());
    if (rows > values_.capacity()) values_.resize(rows, outputs());
    copy_columns(whole_->forward(observations), shared_->begin(part_), values_.first(rows));
    return values_.first(rows);
  }
  void refresh(Network& /*source*/) override { whole_->refresh(shared_->whole()); }
  void archive(Archive& archive) override { whole_->archive(archive); }

 private:
  std::shared_ptr<SharedNetwork> shared_;
  Index part_;
  std::unique_ptr<FrozenFunction> whole_;
  RowBuffer values_;
};

class PartNetwork : public Network {
 public:
  PartNetwork(std::shared_ptr<SharedNetwork> shared, Index part)
      : shared_(std::move(shared)), part_(part) {}

  Index outputs() const override { return shared_->outputs(part_); }
  Rows forward(std::span<const Index> observations) override {
    return shared_->run(part_, observations, Pass::kLearn);
  }
  Rows evaluate(std::span<const Index> observations) override {
    return shared_->run(part_, observations, Pass::kPlay);
  }
  Rows gradient() override { return shared_->gradient(part_); }
  void set_first_rows(std::span<const Index> first_rows) override {
    shared_->set_first_rows(first_rows);
  }
  void begin_episode(Index place) override { shared_->begin_episode(place); }
  void step() override { shared_->step(part_); }
  std::unique_ptr<FrozenFunction> frozen() override {
    shared_->forget();
    return std::make_unique<FrozenPart>(shared_, part_);
  }
  void archive(Archive& archive) override {
    if (part_ == 0) shared_->whole().archive(archive);
    if (archive.is_restoring()) shared_->forget();
  }
  void archive_parameters(Archive& archive) override {
    if (part_ == 0) shared_->whole().archive_parameters(archive);
    if (archive.is_restoring()) shared_->forget();
  }

 private:
  std::shared_ptr<SharedNetwork> shared_;
  Index part_;
};

}  // namespace

std::vector<std::unique_ptr<Network>> split_network(std::unique_ptr<Network> whole,
                                                    std::span<const NetworkPart> parts) {
  std::vector<std::unique_ptr<Network>> networks;
  if (parts.size() == 1 && parts[0].weight == 1.0) {
    networks.push_back(std::move(whole));
    return networks;
  }
  const auto shared = std::make_shared<SharedNetwork>(std::move(whole), parts);
  for (Index part = 0; part < std::ssize(parts); ++part)
    networks.push_back(std::make_unique<PartNetwork>(shared, part));
  return networks;
}

}  // namespace vapor::nn
