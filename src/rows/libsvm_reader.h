// The LIBSVM text format, read in pieces of any size and written row by row.
//
//   label index:value index:value ...      one sample a line, indices increasing, zeros left out
//
// `#` starts a comment; blank lines are skipped; a label without features is a row of zeros. A query
// id, `qid:` behind the label, can be skipped.
#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rows/decimal.h"

namespace dualmargin {

// A fault of the text, with the number of its line; what() ends with the remedy.
struct LibsvmError : std::runtime_error {
  LibsvmError(double line_, const std::string& fault) : std::runtime_error(fault), line(line_) {}
  double line;
};

// A sequence that grows without copying and frees itself block by block while it is handed over, so
// that reading needs the memory of the result once and not three times.
template <class T>
class Blocks {
 public:
  void push_back(T value) {
    if (fill_ == block) {
      blocks_.emplace_back(new T[block]);
      fill_ = 0;
    }
    blocks_.back()[fill_++] = value;
  }
  std::size_t size() const { return blocks_.empty() ? 0 : (blocks_.size() - 1) * block + fill_; }
  void drain(T* out) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      out = std::copy_n(blocks_[b].get(), b + 1 < blocks_.size() ? block : fill_, out);
      blocks_[b].reset();
    }
    blocks_.clear();
    fill_ = block;
  }

 private:
  static constexpr std::size_t block = 1 << 16;
  std::vector<std::unique_ptr<T[]>> blocks_;
  std::size_t fill_ = block;
};

class LibsvmReader {
 public:
  // features: columns of the result, or negative for as many as the largest index needs.
  LibsvmReader(int features, bool zero_based, bool skip_qid)
      : features_(features),
        first_(zero_based ? 0 : 1),
        limit_(features < 0 ? INT_MAX : features),
        skip_qid_(skip_qid) {
    starts.push_back(0);
  }

  // The next piece of the text; a line may be spread over several.
  void feed(const char* data, std::size_t size) {
    const char* const end = data + size;
    while (data != end) {
      const void* found = std::memchr(data, '\n', static_cast<std::size_t>(end - data));
      if (found == nullptr) {
        carry_.append(data, end);
        return;
      }
      const char* newline = static_cast<const char*>(found);
      if (carry_.empty()) {
        read_line(data, newline);
      } else {
        carry_.append(data, newline);
        read_line(carry_.data(), carry_.data() + carry_.size());
        carry_.clear();
      }
      data = newline + 1;
    }
  }
  // The end of the text. Was its last line closed by a newline?
  bool finish() {
    const bool closed = carry_.empty();
    if (!closed) read_line(carry_.data(), carry_.data() + carry_.size());
    carry_.clear();
    return closed;
  }

  int columns() const { return features_ < 0 ? width_ : features_; }

  Blocks<double> labels, values;
  Blocks<int> starts, indices;  // row i owns entries [starts[i], starts[i + 1]); indices from 0

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  static const char* skip_blanks(const char* at, const char* end) {
    while (at != end && is_blank(*at)) ++at;
    return at;
  }
  static bool ends_token(const char* at, const char* end) { return at == end || is_blank(*at); }

  void read_line(const char* at, const char* end) {
    if (++line_ == 1 && end - at >= 3 && std::memcmp(at, "\xEF\xBB\xBF", 3) == 0) at += 3;  // BOM
    if (const void* comment = std::memchr(at, '#', static_cast<std::size_t>(end - at))) {
      end = static_cast<const char*>(comment);
    }
    at = skip_blanks(at, end);
    if (at == end) return;

    double label = 0;
    const char* next = read_decimal(at, end, label);
    if (next == at || !ends_token(next, end) || !std::isfinite(label)) label_fault(at, end);
    int previous = -1;
    next = skip_blanks(next, end);
    if (skip_qid_ && has_qid(next, end)) next = token_end(next, end);
    for (at = skip_blanks(next, end); at != end; at = skip_blanks(at, end)) {
      at = read_feature(at, end, previous);
    }
    width_ = std::max(width_, previous + 1);
    if (values.size() > INT_MAX || labels.size() + 1 >= INT_MAX) {
      fail("a sparse matrix in R holds at most 2147483647 nonzeros and rows; split the file");
    }
    labels.push_back(label);
    starts.push_back(static_cast<int>(values.size()));
  }

  const char* read_feature(const char* at, const char* end, int& previous) {
    long long index = 0;
    const char* colon = at;
    for (; colon != end && is_digit(*colon); ++colon) {
      if (index <= INT_MAX) index = 10 * index + (*colon - '0');
    }
    if (colon == at || colon == end || *colon != ':') feature_fault(at, end);
    double value = 0;
    const char* next = read_decimal(colon + 1, end, value);
    if (next == colon + 1 || !ends_token(next, end) || !std::isfinite(value)) {
      feature_fault(at, end);
    }
    const long long column = index - first_;
    if (column <= previous || column >= limit_) index_fault(index, previous);
    previous = static_cast<int>(column);
    indices.push_back(previous);
    values.push_back(value);
    return next;
  }

  static bool has_qid(const char* at, const char* end) {
    return end - at >= 4 && std::memcmp(at, "qid:", 4) == 0;
  }

  // The rest is off the fast path: it finds the words for what went wrong.
  [[noreturn]] void fail(const std::string& fault) const { throw LibsvmError(line_, fault); }

  static const char* token_end(const char* at, const char* end) {
    return std::find_if(at, end, is_blank);
  }
  static bool says_not_finite(const char* begin, const char* end) {
    double value = 0;
    if (read_decimal(begin, end, value) == end && begin != end) return !std::isfinite(value);
    std::string word(begin, end);
    if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.erase(0, 1);
    for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return word == "na" || word == "nan" || word == "inf" || word == "infinity";
  }
  static std::string quote(const char* begin, const char* end) {
    std::string shown(begin, std::min(end, begin + 30));
    for (char& c : shown) c = c >= ' ' && c <= '~' ? c : '?';
    return "'" + shown + (end - begin > 30 ? "...'" : "'");
  }

  [[noreturn]] void label_fault(const char* at, const char* end) const {
    end = token_end(at, end);
    const std::string label = quote(at, end);
    if (std::find(at, end, ':') != end) {
      fail("it starts with " + label + " and has no label; put a number before the features");
    }
    if (std::find(at, end, ',') != end) {
      fail("the label " + label + " is a list; keep one label a line");
    }
    if (says_not_finite(at, end)) fail("the label " + label + " is not finite; drop the line");
    fail("the label " + label + " is not a number; write classes as numbers, such as -1 and 1");
  }

  [[noreturn]] void feature_fault(const char* at, const char* line_end) const {
    const char* const end = token_end(at, line_end);
    const char* const colon = std::find(at, end, ':');
    const std::string token = quote(at, end), index = quote(at, colon);
    if (has_qid(at, end)) {
      fail("it has the query id " + token +
           (skip_qid_ ? " in the wrong place; a line has one at most, behind its label"
                      : ", which belongs to ranking; read_libsvm(skip_qid = TRUE) skips it"));
    }
    if (colon == end) fail("the feature " + token + " has no colon; write index:value");
    if (colon == at || !std::all_of(at, colon, is_digit)) {
      fail("the index " + index + " of " + token + " is not a whole number; number the features");
    }
    if (colon + 1 == end) {
      fail(skip_blanks(end, line_end) == line_end
               ? "it ends after " + token + " without a value; is the file cut off?"
               : "the index " + index + " has no value; write index:value without blanks");
    }
    if (says_not_finite(colon + 1, end)) {
      fail("the value of " + token + " is not finite; leave the feature out or impute it");
    }
    fail("the value of " + token + " is not a number; write index:value");
  }

  [[noreturn]] void index_fault(long long index, int previous) const {
    const std::string shown = std::to_string(index);
    if (index < first_) fail("the index 0 needs a file read from 0; use zero_based = TRUE");
    if (index - first_ >= limit_) {
      if (features_ < 0) fail("an index is above 2147483647; R has no wider matrix");
      fail("the index " + shown + " is beyond `features` = " + std::to_string(features_) +
           "; raise `features` or leave it NULL");
    }
    if (index - first_ == previous) fail("the index " + shown + " comes twice; keep one");
    fail("the index " + shown + " comes after " + std::to_string(previous + first_) +
         "; sort the features of a line by index");
  }

  int features_, first_, limit_;
  bool skip_qid_;
  int width_ = 0;
  double line_ = 0;
  std::string carry_;
};

// One line of text; `column` counts from 0.
inline void append_libsvm_row(std::string& out, double label, const int* column,
                              const double* value, std::ptrdiff_t count, bool zero_based) {
  append_decimal(out, label);
  for (std::ptrdiff_t k = 0; k < count; ++k) {
    out += ' ';
    append_integer(out, std::int64_t{column[k]} + (zero_based ? 0 : 1));
    out += ':';
    append_decimal(out, value[k]);
  }
  out += '\n';
}

}  // namespace dualmargin
