// How a run ended and how far it is from the optimum: what every family's report has in common.
#pragma once

#include <vector>

#include "run/run.h"

namespace dualmargin {

struct Outcome {
  Certificate certificate;
  Status status = Status::not_finite;
  double null_value = 0, rounding_floor = 0, threshold = 0, epochs = 0, seconds = 0;
  long steps = 0;
  std::vector<TraceRow> trace;

  Outcome() = default;
  // `finite`: is the returned point made of numbers? `floor`: the relative gap rounding permits.
  Outcome(const Certificate& c, bool finite, double floor, const Run& run);

 private:
  // By the certificate of the returned point, whatever the run made of its own.
  void judge(double tol);
};

}  // namespace dualmargin
