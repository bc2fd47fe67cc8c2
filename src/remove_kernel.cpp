// Glue of margin_loo() of kernel fits: their rows and kernel values stay while sets of them leave.
#include <memory>
#include <vector>

#include "border/function_rows.h"
#include "border/refit_kernel.h"
#include "border/removal.h"
#include "decide/remove_functions.h"

using namespace dualmargin;
using namespace dualmargin::decide;

namespace {

class FunctionSession final : public border::RemovalSession {
 public:
  FunctionSession(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                  const Rcpp::List& refit, const Rcpp::List& control, Tick& tick)
      : call_(refit, control),
        formula_(kernel),
        arguments_(formula_.kept_arguments(x, call_.team)),
        size_(formula_.size(*arguments_)),
        loss_(any_loss(Rcpp::as<std::string>(problem["loss"]),
                       border::number_at(problem, "parameter"),
                       border::number_at(problem, "regression") != 0)),
        store_(formula_.store(*arguments_, size_, !loss_.smooth(), tick)),
        gram_(store_.working(), std::sqrt(formula_.constant)),
        omega_(border::vec_at(problem, "omega")) {
    const region::Calculus phi = border::calculus(Rcpp::as<std::string>(problem["loss"]),
                                                  border::number_at(problem, "parameter"));
    const Mat y = border::mat_at(problem, "y"), dual = border::mat_at(problem, "dual");
    for (Index k = 0; k < y.cols(); ++k) {
      classes_.push_back(std::make_unique<ClassRows>(Vec(y.col(k)), *this));
      removals_.push_back(std::make_unique<FunctionRemoval>(
          classes_[k]->rows, gram_, size_, phi, loss_, border::number_at(problem, "mu"),
          border::number_at(problem, "free") != 0, RowVec(Vec(dual.col(k))), border::rule(problem),
          [this](const kernel::KernelProblem& p, const kernel::Solution& start, double tol,
                 Tick& t) { return solved(p, start, tol, t); },
          tick));
    }
  }

 private:
  struct ClassRows {
    const RowVec y;
    const region::Samples samples;
    const region::FunctionRows rows;

    ClassRows(Vec y_, FunctionSession& of)
        : y(std::move(y_)),
          samples(y, of.omega_, of.call_.team),
          rows(
              samples, [&of](const Mat& coef, Tick& t) { return of.gram_.multiply(coef, t); },
              {of.size_, of.formula_.constant}, of.gram_.additions()) {}
  };

  kernel::Solution solved(const kernel::KernelProblem& problem, const kernel::Solution& start,
                          double tol, Tick& tick) const {
    Run::Limits limits = call_.limits;
    limits.tol = tol;
    limits.restart();
    Run run(
        limits, problem.null_value(), [&tick] { tick.ask(); }, [](double, double) {});
    Sampler draws(call_.seed);
    return kernel::solve_by_name(call_.solver, problem, call_.option, start, draws, run);
  }

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

  border::FitCall call_;
  border::FormulaKernel formula_;
  std::shared_ptr<const kernel::Arguments> arguments_;
  KernelSize size_;
  AnyLoss loss_;
  kernel::KernelStore store_;
  Gram gram_;
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
