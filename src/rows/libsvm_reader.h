// The LIBSVM text format, read in pieces of any size and written row by row.
//
//   label index:value index:value ...      one sample a line, indices increasing, zeros left out
//
// `#` starts a comment; blank lines are skipped; a label without features is a row of zeros. A query
// id, `qid:` behind the label, can be skipped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

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
  LibsvmReader(int features, bool zero_based, bool skip_qid);

  // The next piece of the text; a line may be spread over several.
  void feed(const char* data, std::size_t size);
  // The end of the text. Was its last line closed by a newline?
  bool finish();

  int columns() const { return features_ < 0 ? width_ : features_; }

  Blocks<double> labels, values;
  Blocks<int> starts, indices;  // row i owns entries [starts[i], starts[i + 1]); indices from 0

 private:
  void read_line(const char* at, const char* end);

  const char* read_feature(const char* at, const char* end, int& previous);

  // The rest is off the fast path: it finds the words for what went wrong.
  [[noreturn]] void fail(const std::string& fault) const { throw LibsvmError(line_, fault); }

  [[noreturn]] void label_fault(const char* at, const char* end) const;

  [[noreturn]] void feature_fault(const char* at, const char* line_end) const;

  [[noreturn]] void index_fault(long long index, int previous) const;

  int features_, first_, limit_;
  bool skip_qid_;
  int width_ = 0;
  double line_ = 0;
  std::string carry_;
};

// One line of text; `column` counts from 0.
void append_libsvm_row(std::string& out, double label, const int* column, const double* value,
                       std::ptrdiff_t count, bool zero_based);

}  // namespace dualmargin
