// The rows of a solved problem in a file, as statements on its optimum read them: with the numbers
// that a copy in memory would have (moved_rows.h), block by block.
#pragma once

#include <memory>

#include "region/moved_rows.h"
#include "rows/disk_store.h"

namespace dualmargin::region {

// weighted_means() of the rows of a file, to the same bits.
Vec weighted_means(const DiskStore& x, const Vec& omega);

class FiledRows : public Placed {
 public:
  // the store must outlive this
  FiledRows(const DiskStore& store, const Frame& frame);

  Index n() const override { return source_.file.n(); }

  std::unique_ptr<Storage> storage() const override { return source_.storage(constant_); }

 private:
  double constant_;
  DiskSource source_;
};

}  // namespace dualmargin::region
