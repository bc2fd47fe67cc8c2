// What shows that a kernel of the user's is not positive semidefinite, across the border; R makes an
// error of it.
#pragma once

#include "algebra/function_space.h"
#include "border/border.h"
#include "kernel/semidefinite.h"

namespace dualmargin::border {

// Seen in a run.
inline void add_square(Answer& out, const NegativeSquare& seen) {
  if (!seen) return;
  out.add("negative_square", seen.value);
  out.add("negative_support", static_cast<double>(seen.support));
}

// Seen in the values; rows from 1.
inline Rcpp::List as_list(const kernel::Indefinite& shown) {
  using Kind = kernel::Indefinite::Kind;
  const auto kind = [&] {
    switch (shown.kind) {
      case Kind::diagonal:
        return "diagonal";
      case Kind::minor:
        return "minor";
      case Kind::sides:
        return "sides";
      case Kind::vector:
        return "vector";
      case Kind::nothing:
        return "nothing";
    }
    return "nothing";
  };
  return Rcpp::List::create(Rcpp::Named("kind") = kind(), Rcpp::Named("i") = shown.i + 1.0,
                            Rcpp::Named("j") = shown.j + 1.0, Rcpp::Named("value") = shown.value,
                            Rcpp::Named("other") = shown.other, Rcpp::Named("vector") = shown.a);
}

}  // namespace dualmargin::border
