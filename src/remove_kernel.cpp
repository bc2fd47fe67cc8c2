// Glue of margin_loo() of kernel fits: their rows and kernel values stay while sets of them leave.
#include <memory>
#include <vector>

#include "border/kernel_rows.h"
#include "border/removal.h"
#include "decide/remove_functions.h"

using namespace dualmargin;
using namespace dualmargin::decide;

namespace {

// The class problems of a fit, which point into this.
class FunctionFits {
 public:
  LeftOut::Problems problems;

  FunctionFits(border::KernelRows& of, const Rcpp::List& problem, Tick& tick)
      : of_(of), omega_(border::vec_at(problem, "omega")) {
    const region::Calculus phi = border::calculus(Rcpp::as<std::string>(problem["loss"]),
                                                  border::number_at(problem, "parameter"));
    const Mat y = border::mat_at(problem, "y"), dual = border::mat_at(problem, "dual");
    for (Index k = 0; k < y.cols(); ++k) {
      classes_.push_back(std::make_unique<ClassRows>(Vec(y.col(k)), *this));
      problems.push_back(removal_of(
          classes_[k]->rows, phi, border::number_at(problem, "mu"),
          border::number_at(problem, "free") != 0, RowVec(Vec(dual.col(k))), border::rule(problem),
          of_.refits(), tick));
    }
  }
  FunctionFits(const FunctionFits&) = delete;

 private:
  struct ClassRows {
    const RowVec y;
    const region::Samples samples;
    const region::FunctionRows rows;

    ClassRows(Vec y_, FunctionFits& fits)
        : y(std::move(y_)),
          samples(y, fits.omega_, fits.of_.call.team),
          rows(samples, fits.of_.gram, fits.of_.sizes()) {}
  };

  border::KernelRows& of_;
  RowVec omega_;
  std::vector<std::unique_ptr<ClassRows>> classes_;
};

}  // namespace

// As removal_cpp() of a kernel fit; kernel and problem as certain_kernel_cpp() has them, with the
// rule and whether it is a regression.
// [[Rcpp::export(rng = false)]]
Rcpp::List removal_kernel_cpp(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                              const Rcpp::List& refit, const Rcpp::List& control,
                              const Rcpp::List& asked) {
  Tick tick = border::patient();
  border::KernelRows rows(x, kernel, problem, refit, control, tick);
  const FunctionFits fits(rows, problem, tick);
  return border::removal(fits.problems, problem, asked, tick);
}
