// What vapor-atari and its parent say to each other. They share a memory of arrays and a socket:
// the worker sends a Reply and, if that is good, a Hello; then each Request is answered by a Reply.
// The worker ends when the socket closes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "vapor/core/index.h"
#include "vapor/env/vector_environment.h"

namespace vapor::atari {

constexpr std::uint64_t kMagic = 0x315249'5254'4156;  // changes with the protocol

// The arrays of all places, one after another in the shared memory.
struct SharedArrays {
  SharedArrays() = default;
  SharedArrays(std::byte* memory, Index places, std::size_t observation_bytes);

  static std::size_t bytes(Index places, std::size_t observation_bytes);

  std::span<std::int32_t> actions;  // written by the parent; all else by the worker
  std::span<float> rewards;
  std::span<std::uint8_t> ended;
  std::span<std::uint8_t> cut;
  std::span<std::byte> observations;
  std::span<std::byte> last_observations;
};

struct Hello {
  std::uint64_t magic = kMagic;
  std::int32_t places = 0;
  std::int32_t actions = 0;
  std::int32_t channels = 0;
  std::int32_t height = 0;
  std::int32_t width = 0;
  std::int32_t element = 0;  // of Element
  std::uint64_t memory_bytes = 0;

  ObservationShape shape() const {
    return {channels, height, width, static_cast<Element>(element)};
  }
};

// Throws InputError that names `place` unless this is what a worker of this version says of so many
// places, and of arrays of a size that exists.
void expect_hello(const std::string& place, const Hello& hello, Index places);

enum class RequestKind : std::uint32_t { kReset, kStep };

struct Request {
  RequestKind kind = RequestKind::kStep;
  std::uint32_t unused = 0;
  std::uint64_t seed = 0;  // of a reset
};

// The seed of one place, a positive number of 31 bits: what both packages take.
std::int32_t place_seed(std::uint64_t seed, Index place);

enum class Outcome : std::uint32_t {
  kGood,
  kBadInput,  // the settings or the installation cannot work; the message says what to change
  kFailed,    // an error inside the games; the worker ends
};

struct Reply {
  Outcome outcome = Outcome::kGood;
  std::uint32_t message_bytes = 0;  // of the text that follows
};

// A memory that two processes share through its descriptor; unmapped at the end.
class Mapping {
 public:
  Mapping() = default;
  Mapping(int descriptor, std::size_t bytes);  // throws std::system_error
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();

  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// All of it, or false: the other side is gone.
bool send_all(int socket, std::span<const std::byte> bytes);
bool receive_all(int socket, std::span<std::byte> bytes);

template <typename T>
bool send_all(int socket, const T& message) {
  return send_all(socket, std::as_bytes(std::span(&message, 1)));
}
template <typename T>
bool receive_all(int socket, T& message) {
  return receive_all(socket, std::as_writable_bytes(std::span(&message, 1)));
}

bool send_reply(int socket, Outcome outcome, const std::string& message = "");
bool receive_reply(int socket, Reply& reply, std::string& message);

}  // namespace vapor::atari
