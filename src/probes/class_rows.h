// For the tests: how often all class problems of a path ask for the rows they share.
#pragma once

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "border/class_rows.h"
#include "border/decide.h"
#include "border/dispatch_loss.h"
#include "decide/workspace.h"
#include "linear/path_scale.h"
#include "probes/probe.h"
#include "rows/dense.h"
#include "rows/row_store.h"

namespace dualmargin::probes {

// A pass that counts the rows whose squares it reads.
class CountedPass final : public PassLoops {
 public:
  CountedPass(std::unique_ptr<PassLoops> pass, std::atomic<Index>& reads)
      : pass_(std::move(pass)), reads_(reads) {}

  void multiply(const Index* id, Index begin, Index end, double* z) const override {
    pass_->multiply(id, begin, end, z);
  }
  void add(const Index* id, Index begin, Index end, const double* coef, Vec& sums) const override {
    pass_->add(id, begin, end, coef, sums);
  }
  void add_squares(const Index* id, Index begin, Index end, const double* coef,
                   Vec& sums) const override {
    reads_ += end - begin;
    pass_->add_squares(id, begin, end, coef, sums);
  }
  Vec divided(Vec sums) const override { return pass_->divided(std::move(sums)); }

 private:
  std::unique_ptr<PassLoops> pass_;
  std::atomic<Index>& reads_;
};

// Dense rows that count their readers.
class CountedRows : public Dense {
 public:
  using Dense::Dense;

  double row_square(Index i) const override {
    ++norms;
    return Dense::row_square(i);
  }
  std::unique_ptr<PassLoops> pass(const double* w) const override {
    return std::make_unique<CountedPass>(Dense::pass(w), reads);
  }

  mutable std::atomic<Index> norms{0}, reads{0};
};

// x: a dense matrix. Norms and reads a row, of problems of every class and lambda and of the
// sizes that regions of them ask for.
inline Rcpp::List probe_class_rows(SEXP x, Rcpp::NumericVector codes, int classes,
                                   Rcpp::NumericVector lambda) {
  const MatrixView view = border::view(x);
  const RowVec y(border::vec(codes)), omega = RowVec::Ones(y.size());
  const RowStore stored(view);
  Team team;
  Run run = quiet_run();
  const auto data = stored.storage(0);
  std::vector<double> made(static_cast<std::size_t>(data->n() * data->dim()));
  for (Index i = 0; i < data->n(); ++i) {
    data->for_each(i, [&](Index j, double v) { made[i * data->dim() + j] = v; });
  }
  const auto count = static_cast<double>(y.size());
  const auto counts = [&](const CountedRows& rows) {
    return Rcpp::NumericVector::create(Rcpp::Named("norms") = rows.norms / count,
                                       Rcpp::Named("reads") = rows.reads / count);
  };

  const CountedRows fitted(made.data(), y.size(), view.p, 0);
  const border::ClassRows each(Rows(fitted, y, omega, team), classes);
  for (int k = 0; k < classes; ++k) {
    for (const double l2 : lambda) {
      const linear::LinearProblem one(each[k], any_loss("logistic", 0, false), {0, l2}, false);
      linear::Solution zero;
      zero.w = Vec::Zero(one.dim());
      zero.a = RowVec::Zero(one.n());
      one.certify(zero, run);
      one.row_smoothness();
      mean_curvature(one);
    }
  }

  const CountedRows asked(made.data(), y.size(), view.p, 0);
  std::vector<std::unique_ptr<decide::Workspace>> workspaces;
  for (int k = 0; k < classes; ++k) {
    RowVec own = border::target(y, classes, k);
    using Kept = decide::Workspace;
    workspaces.push_back(k == 0 ? std::make_unique<Kept>(asked, std::move(own), omega,
                                                         loss_by_name("logistic", 0), false, team)
                                : std::make_unique<Kept>(*workspaces[0], std::move(own)));
    for (const double l2 : lambda) {
      workspaces.back()->at({0, l2}).sizes(run);
      workspaces.back()->rows.squares(run);
    }
  }
  return Rcpp::List::create(Rcpp::Named("fits") = counts(fitted),
                            Rcpp::Named("regions") = counts(asked));
}

inline void add_class_rows_probe(Table& table) { table.add("class_rows", probe_class_rows); }

}  // namespace dualmargin::probes
