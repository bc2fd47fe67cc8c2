// Samples in a file: each row is that of the compressed rows, or of the dense ones, of which a
// block is in memory, so that every product of a row has the bits that it has there. The members are
// explained in dense.h.
//
// A thread has a block of its own. Rows that are asked for in their order come by long blocks, and
// the system reads on while one is used: each thread opens the file for columns and for values, so
// that it sees two files that are read from one end to the other. Other rows come by short ones.
// What a row is made of is valid until the thread asks for another row.
#pragma once

#include <memory>
#include <vector>

#include "rows/column_frame.h"
#include "rows/disk_rows.h"
#include "rows/storage.h"

namespace dualmargin {

// The rows of a file, and how their columns are moved and scaled: by the methods, as they pass, or
// as the entries are read, which gives those of a moved and scaled copy.
struct DiskSource {
  const DiskRows& file;
  const std::vector<Start>& start;  // of compressed rows among all entries
  Vec centre, scale;
  ColumnFrame frame, read;

  enum class Apply { in_passes, in_reading };
  DiskSource(const DiskRows& file_, const std::vector<Start>& start_, const Vec& centre_,
             const Vec& scale_, Apply apply = Apply::in_passes);
  DiskSource(const DiskSource&) = delete;

  // The rows, with a bias coordinate unless bias is 0; they refer to this.
  std::unique_ptr<Storage> storage(double bias) const;
  Index nonzeros(Index i) const { return file.head().sparse ? start[i + 1] - start[i] : file.d(); }
};

// A block of rows first, ..., end - 1, of one thread.
class DiskBlock {
 public:
  explicit DiskBlock(const DiskSource& source);

  Index first() const { return first_; }
  Index end() const { return end_; }
  bool has(Index i) const { return first_ <= i && i < end_; }
  const Start* start() const { return start_.data(); }
  const int* column() const { return column_.data(); }
  const double* value() const { return value_.data(); }

  void load(Index i);

 private:
  // 12 bytes each: a block stays in the second cache beside the weights that it meets there.
  static constexpr Index least = 1024, most = 16384;

  void apply(const ColumnFrame& frame, std::size_t count);
  // A file that is changed while it is read must not lead out of the columns.
  void check_columns(std::size_t count, Index i) const;

  const DiskSource& source_;
  const std::unique_ptr<const DiskFile> columns_, values_;
  std::vector<Start> start_;
  std::vector<int> column_;
  std::vector<double> value_;
  Index first_ = 0, end_ = 0, entries_ = least;
};

}  // namespace dualmargin
