#include "augmented/lazy_iterate.h"

namespace dualmargin::augmented {

void LazyIterate::soften(double t) {
  if (t == 0) return;
  settle();
  for (Index j = 0; j < v_.size(); ++j) v_[j] = soft_threshold(v_[j], t);
}

const Vec& LazyIterate::settle() {
  if (averages()) {
    sum_ += S_ * v_;
    if (C_ != 0) sum_ -= C_ * g_;
    S_ = C_ = 0;
  }
  v_ *= s_;
  if (c_ != 0) v_ -= c_ * g_;
  s_ = inverse_ = 1;
  c_ = 0;
  return v_;
}

Vec LazyIterate::average() {
  if (!averages()) return Vec();
  settle();
  return sum_ / total_;
}

}  // namespace dualmargin::augmented
