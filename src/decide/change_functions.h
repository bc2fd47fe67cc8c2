// Changed problems of a kernel fit: the kernel values of its rows stay, and a changed problem is
// weights on them.
#pragma once

#include <memory>
#include <vector>

#include "decide/asked_functions.h"
#include "decide/change_problem.h"
#include "decide/refit.h"
#include "decide/refit_functions.h"
#include "region/of_kernel.h"

namespace dualmargin::decide {

using region::FunctionPair;
using region::FunctionProblem;

class FunctionProblems final : public ClassProblems {
 public:
  // A class problem: labels of all rows after the change, and of the rows of the fit, with their dual
  // variables.
  struct Class {
    RowVec y, old_y, a;
  };

  // rows: all rows with the weights of the fit, 0 of those that come, and not moved
  FunctionProblems(std::vector<Class> classes, const FunctionRows& rows, const LossPtr& phi,
                   double mu, bool free, Rule rule, const AskedFunctions& asked,
                   FunctionRefits refits, Tick& tick);

  // Of two classes and rows that do not change: the problem of the fit, and the fit.
  FunctionProblem fitted() const { return {rows_, phi_, {0, mu_}, free_}; }
  const ClassFit<Function>& fit(std::size_t k) const { return fits_[k]; }

  std::size_t count() const override { return classes_.size(); }
  const RowSums& over() const override { return rows_; }
  Index asked() const override { return asked_.n(); }
  const RowVec& omega() const override { return rows_.weights; }
  const RowVec& y(std::size_t k) const override { return classes_[k].y; }
  const RowVec& old_y(std::size_t k) const override { return classes_[k].old_y; }
  std::unique_ptr<ChangedProblem> problem(std::size_t k, const RowVec& y, const RowVec& omega,
                                          bool changed, Tick& tick) const override;

 private:
  struct Setup;
  class Changed;

  // The factor at the fit.
  const region::FunctionFactor& near_fit(std::size_t k, Tick& tick) const;

  using Near = Kept<region::FunctionFactor>;

  const std::vector<Class> classes_;
  const FunctionRows& rows_;
  const LossPtr phi_;
  const double mu_;
  const bool free_;
  const Rule rule_;
  const AskedFunctions& asked_;
  const FunctionRefits refits_;
  Function centre_;
  std::vector<ClassFit<Function>> fits_;
  std::vector<std::unique_ptr<Near>> near_;
};

}  // namespace dualmargin::decide
