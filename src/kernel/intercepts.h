// Intercepts beside functions: a number beside one, of several functions a number each. An Array, of
// scores or dual variables, has a column for each function.
#pragma once

#include <type_traits>

#include "base/numeric.h"

namespace dualmargin::kernel {

template <class Array>
using Intercept = std::conditional_t<std::is_same_v<Array, Vec>, double, Vec>;

// Scores with them.
inline Vec raised(const Vec& f, double b) { return (f.array() + b).matrix(); }
inline Mat raised(const Mat& f, const Vec& b) { return f.rowwise() + b.transpose(); }

// The same for what has one column after the other, as a Vec.
inline Vec raised_columns(const Vec& f, const Vec& b) {
  const Index k = b.size(), n = f.size() / k;
  Vec all(f.size());
  for (Index c = 0; c < k; ++c) all.segment(c * n, n) = f.segment(c * n, n).array() + b[c];
  return all;
}

// As a Vec, and back.
inline Vec listed(double b) { return Vec::Constant(1, b); }
inline Vec listed(const Vec& b) { return b; }
template <class Array>
Intercept<Array> unlisted(const Vec& b) {
  if constexpr (std::is_same_v<Array, Vec>) {
    return b[0];
  } else {
    return b;
  }
}

}  // namespace dualmargin::kernel
