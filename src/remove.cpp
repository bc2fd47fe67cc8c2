// Glue of margin_loo(): the rows of a fit, or their kernel values, are stored once and stay while sets
// of them leave.
#include "decide/remove.h"

#include <memory>
#include <vector>

#include "border/kernel_rows.h"
#include "border/refit.h"
#include "border/removal.h"
#include "decide/remove_functions.h"
#include "rows/column_scale.h"
#include "rows/row_store.h"

using namespace dualmargin;
using namespace dualmargin::decide;

namespace {

// The class problems of a fit, which point into this.
class Fits {
 public:
  LeftOut::Problems problems;

  Fits(const MatrixView& view, const RowFrame& frame, const Rcpp::List& problem,
       const Rcpp::List& asked, border::FitCall& call, Tick& tick)
      : stored_(view, frame),
        data_(stored_.storage(frame)),
        columns_(view, stored_.centre(), stored_.scales()) {
    const Mat y = border::mat_at(problem, "y"), w = border::mat_at(problem, "w"),
              dual = border::mat_at(problem, "dual");
    const Vec b = border::vec_at(problem, "b"), offsets = frame.offsets();
    const bool free = border::number_at(problem, "free") != 0;
    const ElasticNet g{border::number_at(problem, "l1"), border::number_at(problem, "mu")};
    const bool curved = !border::has(asked, "ball_alone");
    const auto refits = linear::refits_of(call, [this] { return columns_.view(data_->bias()); });
    for (Index k = 0; k < y.cols(); ++k) {
      RowVec own(Vec(y.col(k)));
      if (k == 0) {
        workspaces_.push_back(std::make_unique<Workspace>(
            *data_, std::move(own), RowVec(border::vec_at(problem, "omega")),
            border::loss_of(problem), free, call.team));
      } else {
        workspaces_.push_back(std::make_unique<Workspace>(*workspaces_[0], std::move(own)));
      }
      const Vec v = w.col(k);
      problems.push_back(removal_of(*workspaces_.back(), -offsets, g, v,
                                    free ? b[k] + offsets.dot(v) : 0.0, RowVec(Vec(dual.col(k))),
                                    border::rule(asked), curved, refits, tick));
    }
  }
  Fits(const Fits&) = delete;

 private:
  const RowStore stored_;
  const std::unique_ptr<Storage> data_;
  ColumnStore columns_;
  std::vector<std::unique_ptr<Workspace>> workspaces_;
};

// The class problems of a fit, which point into this.
class FunctionFits {
 public:
  LeftOut::Problems problems;

  FunctionFits(border::KernelRows& of, const Rcpp::List& problem, const Rcpp::List& asked,
               Tick& tick)
      : of_(of), omega_(border::vec_at(problem, "omega")) {
    const LossPtr phi = border::loss_of(problem);
    const Mat y = border::mat_at(problem, "y"), dual = border::mat_at(problem, "dual");
    for (Index k = 0; k < y.cols(); ++k) {
      classes_.push_back(std::make_unique<ClassRows>(Vec(y.col(k)), *this));
      problems.push_back(removal_of(classes_[k]->rows, phi, border::number_at(problem, "mu"),
                                    border::number_at(problem, "free") != 0,
                                    RowVec(Vec(dual.col(k))), border::rule(asked), of_.refits(),
                                    tick));
    }
  }
  FunctionFits(const FunctionFits&) = delete;

 private:
  struct ClassRows {
    const RowVec y;
    const region::FunctionRows rows;

    ClassRows(Vec y_, FunctionFits& fits)
        : y(std::move(y_)),
          rows({y, fits.omega_, fits.of_.call.team}, fits.of_.gram, fits.of_.sizes()) {}
  };

  border::KernelRows& of_;
  RowVec omega_;
  std::vector<std::unique_ptr<ClassRows>> classes_;
};

// A ridge and fewer rows than columns: coefficients lie in the span of the rows, and the metric is that
// of their products.
bool is_wide(const MatrixView& view, const Rcpp::List& problem) {
  return border::number_at(problem, "l1") == 0 && view.p > view.n &&
         view.n <= region::largest_hessian;
}

}  // namespace

// Sets of rows that leave a fit; fitted: border/decide.h; asked: border/removal.h, with the rule.
// [[Rcpp::export(rng = false)]]
Rcpp::List removal_cpp(const Rcpp::List& fitted, const Rcpp::List& asked) {
  const border::FittedRows of(fitted);
  if (of.geometry == "classes") return border::removal_of_classes(of, asked);
  Tick tick = border::patient();
  const auto by_products = [&](border::KernelRows& rows) {
    const FunctionFits fits(rows, of.problem, asked, tick);
    return border::removal(fits.problems, of.problem, asked, tick);
  };
  if (of.geometry == "kernel") {
    border::KernelRows rows(of.x, of.frame, of.problem, of.refit, of.control, tick);
    border::assert_problem(of.problem, rows.gram.n(), 0);
    return by_products(rows);
  }
  const MatrixView view = border::view(of.x);
  const RowFrame at = border::row_frame(
      of.frame, [&] { return weighted_means(view, border::vec_at(of.problem, "omega")); });
  border::assert_problem(of.problem, view.n, at.offsets().size());
  if (is_wide(view, of.problem) && !border::has(asked, "coefficients")) {
    border::KernelRows rows(view, at, of, tick);
    return by_products(rows);
  }
  border::FitCall call(of.refit, of.control);
  const Fits fits(view, at, of.problem, asked, call, tick);
  return border::removal(fits.problems, of.problem, asked, tick);
}
