// The ranks of a job under MPI, whose engine is an R package: what is added up over them goes
// through a function of R, which adds up (R/ranks.R). R is asked on the main thread
// alone, as Team asks its ranks, and no header of MPI is needed.
#pragma once

#include <algorithm>

#include "base/ranks.h"
#include "border/border.h"

namespace dualmargin::border {

class MpiRanks final : public Ranks {
 public:
  // given: list(rank, size, sum, max), two functions of numbers that give as many back
  explicit MpiRanks(const Rcpp::List& given)
      : rank_(Rcpp::as<int>(given["rank"])),
        size_(Rcpp::as<int>(given["size"])),
        sum_(Rcpp::as<Rcpp::Function>(given["sum"])),
        max_(Rcpp::as<Rcpp::Function>(given["max"])) {}

  // Null: one process has all rows.
  static std::unique_ptr<Ranks> from(SEXP given) {
    if (Rf_isNull(given)) return nullptr;
    return std::make_unique<MpiRanks>(Rcpp::List(given));
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(double* x, Index k) override { ask(sum_, x, k); }
  void max(double* x, Index k) override { ask(max_, x, k); }

 private:
  static void ask(const Rcpp::Function& f, double* x, Index k) {
    const Rcpp::NumericVector mine(x, x + k), all = f(mine);
    if (all.size() != k) throw std::logic_error("the ranks gave not as many numbers as were asked");
    std::copy(all.begin(), all.end(), x);
  }

  int rank_, size_;
  Rcpp::Function sum_, max_;
};

}  // namespace dualmargin::border
