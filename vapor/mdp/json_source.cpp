#include "vapor/mdp/json_source.h"

#include <fmt/format.h>

#include "vapor/core/error.h"

namespace vapor {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

bool is_structural(char c) {
  return c == '[' || c == ']' || c == '{' || c == '}' || c == ',' || c == ':';
}

}  // namespace

bool JsonSource::read_byte() {
  if (used_ == size_) {
    in_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    size_ = static_cast<std::size_t>(in_.gcount());
    used_ = 0;
    if (size_ == 0) return false;
  }
  if (current_ == '\n') {
    ++line_;
    column_ = 0;
  }
  current_ = buffer_[used_++];
  ++column_;
  return true;
}

void JsonSource::load() {
  loaded_ = true;
  do {
    if (!read_byte()) {
      end_ = true;
      return;
    }
  } while (in_space_ && is_space(current_));
  // The parser would take it for the end of the text.
  if (current_ == '\0')
    throw InputError(fmt::format("line {}, column {}", line_, column_),
                     "not valid JSON, a zero byte");
  in_space_ = !in_string_ && is_space(current_);
  blank_ = blank_ && in_space_;
  measure_token();
}

void JsonSource::measure_token() {
  if (in_string_) {
    ++token_size_;
    if (!escaped_ && current_ == '"') in_string_ = false;
    escaped_ = !escaped_ && current_ == '\\';
  } else if (in_space_ || is_structural(current_)) {
    token_size_ = 0;
  } else {
    ++token_size_;
    in_string_ = current_ == '"';
  }
  if (token_size_ > kLongestToken)
    throw InputError(fmt::format("line {}, column {}", line_, column_),
                     fmt::format("text or number longer than {} characters", kLongestToken));
}

}  // namespace vapor
