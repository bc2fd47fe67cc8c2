// Changed problems of a linear fit: the rows are stored once, and a changed problem is weights on
// them.
#pragma once

#include <memory>
#include <vector>

#include "decide/asked_rows.h"
#include "decide/change_problem.h"
#include "decide/refit.h"
#include "decide/workspace.h"

namespace dualmargin::decide {

// A class problem, with labels after the change.
struct ColumnClass {
  const Workspace& workspace;
  ElasticNet g;
  ClassFit<Vec> fit;
};

class ColumnProblems final : public ClassProblems {
 public:
  // omega: the weights of the fit, 0 of rows that come
  ColumnProblems(std::vector<ColumnClass> classes, RowVec omega, Rule rule, const AskedRows& asked,
                 Refits refits);

  const ColumnClass& at(std::size_t k) const { return classes_[k]; }
  std::size_t count() const override { return classes_.size(); }
  const RowSums& over() const override { return classes_[0].workspace.rows; }
  Index asked() const override { return asked_.n(); }
  const RowVec& omega() const override { return omega_; }
  const RowVec& y(std::size_t k) const override { return classes_[k].workspace.y; }
  const RowVec& old_y(std::size_t k) const override { return classes_[k].fit.old_y; }
  std::unique_ptr<ChangedProblem> problem(std::size_t k, const RowVec& y, const RowVec& omega,
                                          bool changed, Tick& tick) const override;

 private:
  struct Setup;
  class Changed;

  const std::vector<ColumnClass> classes_;
  const RowVec omega_;
  const double total_;
  const Rule rule_;
  const AskedRows& asked_;
  const Refits refits_;
};

}  // namespace dualmargin::decide
