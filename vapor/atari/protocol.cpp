#include "vapor/atari/protocol.h"

#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "vapor/core/error.h"
#include "vapor/core/random.h"

namespace vapor::atari {
namespace {

constexpr std::size_t kAlignment = 64;  // a cache line
constexpr std::uint32_t kLongestMessage = 1 << 16;
// What no game comes near.
constexpr std::int32_t kMostActions = 1 << 16;
constexpr std::int32_t kLongestSide = 1 << 14;
constexpr std::int64_t kMostElements = std::int64_t{1} << 28;

template <typename T>
std::span<T> take(std::byte* memory, std::size_t& offset, std::size_t count) {
  T* const begin = reinterpret_cast<T*>(memory + offset);
  offset += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
  return {begin, count};
}

}  // namespace

SharedArrays::SharedArrays(std::byte* memory, Index places, std::size_t observation_bytes) {
  const auto n = static_cast<std::size_t>(places);
  std::size_t offset = 0;
  actions = take<std::int32_t>(memory, offset, n);
  rewards = take<float>(memory, offset, n);
  ended = take<std::uint8_t>(memory, offset, n);
  cut = take<std::uint8_t>(memory, offset, n);
  observations = take<std::byte>(memory, offset, n * observation_bytes);
  last_observations = take<std::byte>(memory, offset, n * observation_bytes);
}

std::size_t SharedArrays::bytes(Index places, std::size_t observation_bytes) {
  const auto n = static_cast<std::size_t>(places);
  const auto lines = [](std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment; };
  return kAlignment * (2 * lines(4 * n) + 2 * lines(n) + 2 * lines(n * observation_bytes));
}

void expect_hello(const std::string& place, const Hello& hello, Index places) {
  if (hello.magic != kMagic)
    throw InputError(place, "vapor-atari is of another version; build all programs again");
  const auto within = [](std::int32_t value, std::int32_t most) {
    return value >= 1 && value <= most;
  };
  if (hello.places != places || !within(hello.actions, kMostActions) ||
      !within(hello.channels, kLongestSide) || !within(hello.height, kLongestSide) ||
      !within(hello.width, kLongestSide) || hello.element < 0 ||
      hello.element > static_cast<std::int32_t>(Element::kFloat) ||
      std::int64_t{hello.channels} * hello.height * hello.width > kMostElements ||
      hello.memory_bytes != SharedArrays::bytes(places, hello.shape().bytes()))
    throw InputError(place,
                     "vapor-atari speaks of arrays that cannot be; build all programs again");
}

std::int32_t place_seed(std::uint64_t seed, Index place) {
  RandomStream stream = RandomStream(seed).split("place").split(static_cast<std::uint64_t>(place));
  return static_cast<std::int32_t>(stream.bits() >> 33 | 1U);
}

Mapping::Mapping(int descriptor, std::size_t bytes) : bytes_(bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  data_ = static_cast<std::byte*>(memory);
}

Mapping::Mapping(Mapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Mapping::~Mapping() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

bool send_all(int socket, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

bool receive_all(int socket, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = recv(socket, bytes.data(), bytes.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

bool send_reply(int socket, Outcome outcome, const std::string& message) {
  const auto text = std::as_bytes(std::span(message))
                        .first(std::min<std::size_t>(message.size(), kLongestMessage));
  const Reply reply{outcome, static_cast<std::uint32_t>(text.size())};
  return send_all(socket, reply) && send_all(socket, text);
}

bool receive_reply(int socket, Reply& reply, std::string& message) {
  if (!receive_all(socket, reply) || reply.message_bytes > kLongestMessage) return false;
  message.resize(reply.message_bytes);
  return receive_all(socket, std::as_writable_bytes(std::span(message)));
}

}  // namespace vapor::atari
