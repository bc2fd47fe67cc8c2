// The progress bar that a fit shows in R.
#pragma once

#include "border/border.h"  // R itself, which cli's header asks for
//
#include <cli/progress.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace dualmargin::border {

// A cli progress bar over `parts` fits; shown after cli's two seconds, nothing when switched off.
class Progress {
 public:
  Progress(bool shown, double parts, double tol) : tol_(tol) {
    if (!shown) return;
    bar_ = Rcpp::unwindProtect([&] {
      return cli_progress_bar(100 * parts, Rcpp::List::create(Rcpp::Named("name") = "fitting"));
    });
  }
  ~Progress() {
    if (!Rf_isNull(bar_)) R_ToplevelExec([](void* bar) { cli_progress_done((SEXP)bar); }, bar_);
  }
  Progress(const Progress&) = delete;

  void next_part() { ++part_; }  // in any thread
  // Of the part that this thread works on the share of the way from a relative gap of 1 to the
  // tolerance, on a logarithmic scale.
  void show(double relative_gap) {
    if (Rf_isNull(bar_) || !(relative_gap > 0)) return;
    const double share = std::log(std::min(1.0, relative_gap)) / std::log(std::min(0.5, tol_));
    const double done = 100 * (part_ + std::clamp(share, 0.0, 1.0));
    Rcpp::unwindProtect([&] {
      cli_progress_set(bar_, done);
      return R_NilValue;
    });
  }

 private:
  double tol_;
  std::atomic<int> part_{0};
  Rcpp::RObject bar_ = R_NilValue;
};

}  // namespace dualmargin::border
