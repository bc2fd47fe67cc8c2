#include "rows/libsvm_reader.h"

#include <climits>
#include <cmath>
#include <cstring>

#include "rows/decimal.h"

namespace dualmargin {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
const char* skip_blanks(const char* at, const char* end) {
  while (at != end && is_blank(*at)) ++at;
  return at;
}
bool ends_token(const char* at, const char* end) { return at == end || is_blank(*at); }

bool has_qid(const char* at, const char* end) {
  return end - at >= 4 && std::memcmp(at, "qid:", 4) == 0;
}

const char* token_end(const char* at, const char* end) { return std::find_if(at, end, is_blank); }
bool says_not_finite(const char* begin, const char* end) {
  double value = 0;
  if (read_decimal(begin, end, value) == end && begin != end) return !std::isfinite(value);
  std::string word(begin, end);
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.erase(0, 1);
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return word == "na" || word == "nan" || word == "inf" || word == "infinity";
}
std::string quote(const char* begin, const char* end) {
  std::string shown(begin, std::min(end, begin + 30));
  for (char& c : shown) c = c >= ' ' && c <= '~' ? c : '?';
  return "'" + shown + (end - begin > 30 ? "...'" : "'");
}

}  // namespace

LibsvmReader::LibsvmReader(int features, bool zero_based, bool skip_qid)
    : features_(features),
      first_(zero_based ? 0 : 1),
      limit_(features < 0 ? INT_MAX : features),
      skip_qid_(skip_qid) {
  starts.push_back(0);
}

void LibsvmReader::feed(const char* data, std::size_t size) {
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

bool LibsvmReader::finish() {
  const bool closed = carry_.empty();
  if (!closed) read_line(carry_.data(), carry_.data() + carry_.size());
  carry_.clear();
  return closed;
}

void LibsvmReader::read_line(const char* at, const char* end) {
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

const char* LibsvmReader::read_feature(const char* at, const char* end, int& previous) {
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

void LibsvmReader::label_fault(const char* at, const char* end) const {
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

void LibsvmReader::feature_fault(const char* at, const char* line_end) const {
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

void LibsvmReader::index_fault(long long index, int previous) const {
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

void append_libsvm_row(std::string& out, double label, const int* column, const double* value,
                       std::ptrdiff_t count, bool zero_based) {
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
