// Another run of a call, for what solves many problems in one call, or one of them further.
#pragma once

#include "border/call.h"
#include "decide/settle.h"

namespace dualmargin::border {

// To a tolerance of its own, with the limits of the call counted anew. In any thread, whose tick it
// is.
inline Run another_run(const FitCall& call, double tol, double null_value, Tick& tick) {
  Run::Limits limits = call.limits;
  limits.tol = tol;
  limits.restart();
  return Run(
      limits, null_value, [&tick] { tick.ask(); }, [](double, double) {});
}

// A fit whose problems may be solved further. given: call and control as a fit has them; refits, how
// often; gap, the relative one that there is; regression, of which every row is open until it is
// narrow.
struct Further {
  FitCall call;
  decide::Allowed allowed;
  bool regression;

  explicit Further(const Rcpp::List& given)
      : call(given["call"], given["control"]),
        allowed{Rcpp::as<double>(given["refits"]), Rcpp::as<double>(given["gap"])},
        regression(Rcpp::as<double>(given["regression"]) != 0) {}
};

}  // namespace dualmargin::border
