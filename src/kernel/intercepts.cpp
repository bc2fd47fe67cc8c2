#include "kernel/intercepts.h"

namespace dualmargin::kernel {

Vec raised(const Vec& f, double b) { return (f.array() + b).matrix(); }
Mat raised(const Mat& f, const Vec& b) { return f.rowwise() + b.transpose(); }

Vec raised_columns(const Vec& f, const Vec& b) {
  const Index k = b.size(), n = f.size() / k;
  Vec all(f.size());
  for (Index c = 0; c < k; ++c) all.segment(c * n, n) = f.segment(c * n, n).array() + b[c];
  return all;
}

}  // namespace dualmargin::kernel
