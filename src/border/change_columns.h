// The changed problems of a linear fit, for what asks them something: the solvers and what follows
// from them are compiled in change.cpp alone.
#pragma once

#include <utility>

#include "border/change.h"
#include "decide/asked_rows.h"
#include "decide/change_columns.h"

namespace dualmargin::border {

class ColumnQuestion {
 public:
  virtual ~ColumnQuestion() = default;
  virtual Rcpp::List ask(const decide::Change& all, const decide::ColumnProblems& problems,
                         const decide::AskedRows& rows, Tick& tick) const = 0;
};

template <class F>  // f(all, problems, rows, tick)
class ColumnQuestionOf final : public ColumnQuestion {
 public:
  explicit ColumnQuestionOf(F f) : f_(std::move(f)) {}
  Rcpp::List ask(const decide::Change& all, const decide::ColumnProblems& problems,
                 const decide::AskedRows& rows, Tick& tick) const override {
    return f_(all, problems, rows, tick);
  }

 private:
  F f_;
};

// Of the rows of a fit and those that come, see change_cpp().
Rcpp::List with_change(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                       const Rcpp::List& change, SEXP asked, const Rcpp::List& refit,
                       const Rcpp::List& control, const ColumnQuestion& question);

}  // namespace dualmargin::border
