// Intercepts beside functions: a number beside one, of several functions a number each. An Array, of
// scores or dual variables, has a column for each function.
#pragma once

#include <type_traits>

#include "base/numeric.h"

namespace dualmargin::kernel {

template <class Array>
using Intercept = std::conditional_t<std::is_same_v<Array, Vec>, double, Vec>;

// Scores with them.
Vec raised(const Vec& f, double b);
Mat raised(const Mat& f, const Vec& b);

// The same for what has one column after the other, as a Vec.
Vec raised_columns(const Vec& f, const Vec& b);

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
