// What leaves the robust wing: the returned point with its certificate recomputed from the
// definitions, and how the run ended.
#pragma once

#include "core/outcome.h"
#include "robust/robust_svm.h"

namespace dualmargin {

struct RobustReport : Outcome {
  RobustPoint solution;
  Vec scores;
  // The bound holds for |w|_q up to this; infinite but for radius = 0 without ridge.
  double norm_limit = HUGE_VAL;
};

template <class Data>
RobustReport report(const RobustSvm<Data>& problem, RobustPoint s, Monitor& monitor) {
  RobustReport r;
  s.t = problem.best_t(s.w, problem.scores(s.w, s.b, monitor));
  const Certificate c = problem.certify(s, r.scores, monitor);
  static_cast<Outcome&>(r) = Outcome(c, s.w.allFinite(), 0, monitor);
  if (problem.conditional()) {
    r.norm_limit = problem.norm_limit(s.w);
    if (r.status == Status::certified) r.status = Status::conditional;
  }
  r.solution = std::move(s);
  return r;
}

}  // namespace dualmargin
