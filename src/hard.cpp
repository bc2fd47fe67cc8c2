// Glue of margin_hard(): names to types, then one call.
#include "border.h"
#include "dispatch_hard.h"
#include "hard/binary_rows.h"
#include "hard/multiclass_rows.h"
#include "hard/report.h"

using namespace dualmargin;

namespace {

// f(rows) with the rows of a margin problem made of `data`.
template <class Data, class F>
void with_margin_rows(const Data& data, const Vec& labels, int classes, const Vec& omega, F f) {
  std::vector<Index> used;
  for (Index i = 0; i < omega.size(); ++i) {
    if (omega[i] > 0) used.push_back(i);
  }
  if (classes == 1) {
    f(BinaryRows<Data>(data, labels, std::move(used)));
  } else {
    f(MulticlassRows<Data>(data, labels, classes, std::move(used)));
  }
}

Rcpp::List as_list(const HardReport& r) {
  Rcpp::List list = border::as_list(r, r.solution.solver, false);
  list["bound"] = r.certificate.bound;
  list["separable"] = r.solution.separable;
  list["residual"] = r.residual;
  list["dual"] = r.solution.q;
  list["weights_of_rows"] = r.solution.c;
  return list;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List fit_hard_cpp(SEXP x, const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
                        const Rcpp::List& problem, const Rcpp::List& control) {
  const border::Options ask(problem), knobs(control), option(control["options"]);
  const Vec labels = border::vec(y), omega = border::vec(weights);
  const std::string intercept = ask.text("intercept");
  const int classes = static_cast<int>(ask.number("n_classes"));
  const bool penalized = intercept == "penalized";
  const border::Rows rows(x, omega, ask.flag("scale"));
  const Monitor::Limits limits{knobs.number("tol"), knobs.number("max_epochs"),
                               knobs.number("max_seconds"), knobs.flag("certify_every_epoch")};
  border::Progress progress(knobs.flag("progress"), 1, limits.tol);
  Monitor monitor(limits, 1, Rcpp::checkUserInterrupt,
                  [&](double, double relative_gap) { progress.show(relative_gap); });
  Sampler sampler(static_cast<std::uint64_t>(knobs.number("seed")));
  Rcpp::List answer;
  rows.visit(penalized ? 1.0 : 0.0, [&](const auto& data) {
    with_margin_rows(data, labels, classes, omega, [&](const MarginRows& a) {
      const HardMargin hard(a, intercept == "free");
      const HardReport r =
          report(hard, solve_hard(knobs.text("solver"), hard, option, sampler, monitor), monitor);
      answer = as_list(r);
      const Index p = rows.scales().size(), dim = data.dim(), k = a.dim() / dim;
      // for k classes scores are in the unit of the margin at length 1 / sqrt(2)
      Mat w = Eigen::Map<const Mat>(r.solution.w.data(), dim, k);
      if (k > 1) w *= std::sqrt(0.5);
      Vec b = Vec::Constant(k, r.solution.b);
      if (penalized) b = w.row(p).transpose();
      if (k == 1) {
        answer["intercept"] = b[0];
      } else {
        answer["intercept"] = b;
      }
      w = (w.topRows(p).array().colwise() / rows.scales().array()).matrix().eval();
      if (k == 1) {
        answer["coefficients"] = Vec(w.col(0));
      } else {
        answer["coefficients"] = w;
      }
      Mat scores(data.n(), k);
      for (Index i = 0; i < data.n(); ++i) {
        for (Index c = 0; c < k; ++c) {
          double z = b[c];
          data.for_each(i, [&](Index j, double v) {
            if (j < p) z += v * w(j, c) * rows.scales()[j];
          });
          scores(i, c) = z;
        }
      }
      if (k == 1) {
        answer["scores"] = Vec(scores.col(0));
      } else {
        answer["scores"] = scores;
      }
    });
    return 0;
  });
  return Rcpp::List::create(Rcpp::Named("scales") = rows.scales(),
                            Rcpp::Named("solutions") = Rcpp::List::create(answer));
}
