// The bytes of a JSON text, handed out one by one and bounded: a parser that keeps whole tokens
// cannot be made to keep more than kLongestToken bytes, whatever the text is. Runs of white space
// between tokens are handed out as one space. Internal to the reader of problem files.
#pragma once

#include <array>
#include <cstddef>
#include <istream>
#include <iterator>

namespace vapor {

class JsonSource {
 public:
  static constexpr std::size_t kLongestToken = 4096;

  explicit JsonSource(std::istream& in) : in_(in) {}

  // The next byte is current() until advance() is called; at_end() says that there is none.
  bool at_end() {
    if (!loaded_) load();
    return end_;
  }
  char current() const { return current_; }
  void advance() { loaded_ = false; }

  // Where the last byte handed out stands, counted from 1; the column counts bytes.
  std::size_t line() const { return line_; }
  std::size_t column() const { return column_; }

  bool blank() const { return blank_; }  // only white space so far
  bool failed() const { return in_.bad(); }

  // What nlohmann_json reads from; equal to the default iterator at the end.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    Iterator() = default;
    explicit Iterator(JsonSource& source) : source_(&source) {}
    char operator*() const { return source_->current(); }
    Iterator& operator++() {
      source_->advance();
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_end() == other.at_end(); }

   private:
    bool at_end() const { return source_ == nullptr || source_->at_end(); }

    JsonSource* source_ = nullptr;
  };

 private:
  void load();
  bool read_byte();
  void measure_token();

  std::istream& in_;
  std::array<char, 65536> buffer_{};
  std::size_t used_ = 0;
  std::size_t size_ = 0;

  char current_ = '\0';
  bool loaded_ = false;
  bool end_ = false;
  std::size_t line_ = 1;
  std::size_t column_ = 0;

  bool blank_ = true;
  bool in_space_ = false;
  bool in_string_ = false;
  bool escaped_ = false;
  std::size_t token_size_ = 0;
};

}  // namespace vapor
