// Glue of margin_loo() of kernel fits: their rows and kernel values stay while sets of them leave.
#include <memory>
#include <vector>

#include "border/kernel_rows.h"
#include "border/removal.h"
#include "decide/remove_functions.h"

using namespace dualmargin;
using namespace dualmargin::decide;

namespace {

class FunctionSession final : public border::RemovalSession {
 public:
  FunctionSession(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                  const Rcpp::List& refit, const Rcpp::List& control, Tick& tick)
      : of_(x, kernel, problem, refit, control, tick), omega_(border::vec_at(problem, "omega")) {
    const region::Calculus phi = border::calculus(Rcpp::as<std::string>(problem["loss"]),
                                                  border::number_at(problem, "parameter"));
    const Mat y = border::mat_at(problem, "y"), dual = border::mat_at(problem, "dual");
    for (Index k = 0; k < y.cols(); ++k) {
      classes_.push_back(std::make_unique<ClassRows>(Vec(y.col(k)), *this));
      removals_.push_back(std::make_unique<FunctionRemoval>(
          classes_[k]->rows, phi, border::number_at(problem, "mu"),
          border::number_at(problem, "free") != 0, RowVec(Vec(dual.col(k))), border::rule(problem),
          of_.refits(), tick));
    }
  }

 private:
  struct ClassRows {
    const RowVec y;
    const region::Samples samples;
    const region::FunctionRows rows;

    ClassRows(Vec y_, FunctionSession& session)
        : y(std::move(y_)),
          samples(y, session.omega_, session.of_.call.team),
          rows(samples, session.of_.gram, session.of_.sizes()) {}
  };

  Index n() const override { return omega_.size(); }
  Index classes() const override { return static_cast<Index>(removals_.size()); }
  region::Ends bounds_of(Index k, Tick& tick) const override { return removals_[k]->bounds(tick); }
  int class_left(Index k, const std::vector<Index>& out) const override {
    return removals_[k]->class_left(out);
  }
  std::vector<How> solve(Index k, std::vector<Leaving>& sets, const Open& open,
                         Tick& tick) override {
    return removals_[k]->solve(sets, open, tick);
  }

  border::KernelRows of_;
  RowVec omega_;
  std::vector<std::unique_ptr<ClassRows>> classes_;
  std::vector<std::unique_ptr<FunctionRemoval>> removals_;
};

}  // namespace

// The rows of a kernel fit, to leave; kernel and problem as certain_kernel_cpp() has them, with the
// rule and whether it is a regression; refit and control: of the refits. Keeps x.
// [[Rcpp::export(rng = false)]]
SEXP removal_kernel_cpp(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                        const Rcpp::List& refit, const Rcpp::List& control) {
  Tick tick = border::patient();
  auto session = std::make_unique<FunctionSession>(x, kernel, problem, refit, control, tick);
  return border::RemovalHandle(session.release(), true, R_NilValue, x);
}
