// Perturbations and reports of the augmented family across the border.
#pragma once

#include "augmented/perturbation.h"
#include "augmented/solvers.h"
#include "border/frame.h"
#include "border/names.h"

namespace dualmargin::augmented {

// A user's function f(values, u), called for many rows at once: matrices of a row each for dense
// data, vectors of all stored values for sparse ones.
class CustomStep final : public PerturbationStep {
 public:
  CustomStep(const Rcpp::Function& f, bool balanced, bool sparse)
      : PerturbationStep(Cycle::mirrors_if(balanced)), f_(f), sparse_(sparse) {}

  void apply(std::uint64_t seed, const std::vector<PerturbedRow>& rows,
             double* values) const override {
    Index total = 0;
    for (const PerturbedRow& r : rows) total += r.count;
    const int n = static_cast<int>(rows.size());
    const int p = sparse_ || n == 0 ? 1 : static_cast<int>(rows[0].count);
    Rcpp::NumericVector given(total), u(total);
    each(rows, [&](const PerturbedRow& r, Index k, Index at) {
      given[at] = values[r.first + k];
      u[at] = Uniforms(seed, cycle(), r.at).uniform(k);
    });
    if (!sparse_) {
      given.attr("dim") = Rcpp::IntegerVector::create(n, p);
      u.attr("dim") = Rcpp::IntegerVector::create(n, p);
    }
    const SEXP answer = f_(given, u);
    const Rcpp::NumericVector perturbed(answer);
    each(rows,
         [&](const PerturbedRow& r, Index k, Index at) { values[r.first + k] = perturbed[at]; });
  }
  double norm_after(double, Index) const override { return NAN; }
  bool users_own() const override { return true; }

 private:
  template <class F>
  void each(const std::vector<PerturbedRow>& rows, F f) const {
    const Index n = static_cast<Index>(rows.size());
    Index before = 0;
    for (Index r = 0; r < n; ++r) {
      for (Index k = 0; k < rows[r].count; ++k) f(rows[r], k, sparse_ ? before + k : k * n + r);
      before += rows[r].count;
    }
  }

  Rcpp::Function f_;
  bool sparse_;
};

// `steps`: a list of lists with a name and what belongs to it.
inline Perturbation perturbation(const Rcpp::List& steps, bool balanced, bool sparse) {
  Perturbation chain;
  for (R_xlen_t s = 0; s < steps.size(); ++s) {
    const Rcpp::List step = steps[s];
    const border::Options ask(step);
    const std::string& name = ask.text("name");
    if (name == "dropout") {
      chain.add(dropout(ask.number("rate"), balanced));
    } else if (name == "rescale") {
      chain.add(rescale(ask.number("width"), balanced));
    } else if (name == "gaussian") {
      chain.add(gaussian_noise(ask.number("sd"), balanced));
    } else if (name == "image") {
      const Rcpp::IntegerVector dim = step["dim"];
      chain.add(image_shift(dim[0], dim[1], static_cast<Index>(ask.number("shift")), balanced));
    } else if (name == "custom") {
      chain.add(std::make_unique<CustomStep>(Rcpp::Function(step["f"]), balanced, sparse));
    } else {
      border::unknown("perturbation", name);
    }
  }
  return chain;
}

inline std::vector<AugmentedSolution> starting_points(const border::WarmStart& start, int classes,
                                                      const border::Frame& frame) {
  std::vector<AugmentedSolution> points(classes);
  if (!start.has("coefficients")) return points;
  double none;
  for (int k = 0; k < classes; ++k) {
    if (start.has("coefficients", k)) frame.enter(start, k, points[k].w, none);
  }
  return points;
}

inline border::Answer answer(const AugmentedReport& r, const border::Frame& frame, bool brief) {
  border::Answer out(r, r.solution.solver, brief);
  frame.leave(r.solution.w, 0, out);
  out.add("sampled", static_cast<double>(r.sampled));
  out.add("value_se", r.confidence.value_se);
  out.add("suboptimality",
          std::isfinite(r.certificate.gap) ? r.confidence.suboptimality : HUGE_VAL);
  out.add("certificate_epochs", r.certificate_epochs);
  Mat noise(r.noise.size(), 3);
  for (Index k = 0; k < noise.rows(); ++k) {
    noise.row(k) << r.noise[k].epoch, r.noise[k].perturbation, r.noise[k].total;
  }
  out.add("noise", noise);
  if (!brief) out.add("scores", RowVec(r.scores + frame.level));
  return out;
}

}  // namespace dualmargin::augmented
