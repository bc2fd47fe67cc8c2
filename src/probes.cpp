// The one export for the tests: a law is checked from R on one loss, projection or certificate at a
// time, without a solver in between. A build of users has none of it; `make test` sets the macro.
#ifndef DUALMARGIN_PROBES
#include <Rcpp/Lightest>
#else
#include "border/border.h"
#include "probes/along.h"
#include "probes/augmented.h"
#include "probes/class_rows.h"
#include "probes/hard.h"
#include "probes/joint_lemmas.h"
#include "probes/kernel.h"
#include "probes/lemmas.h"
#include "probes/linear.h"
#include "probes/ranks.h"
#include "probes/robust.h"
#include "probes/rounding.h"
#include "probes/rows.h"

namespace {

dualmargin::probes::Table all_probes() {
  dualmargin::probes::Table table;
  dualmargin::linear::add_probes(table);
  dualmargin::decide::add_probes(table);
  dualmargin::decide::add_joint_probes(table);
  dualmargin::kernel::add_probes(table);
  dualmargin::region::add_probes(table);
  dualmargin::augmented::add_probes(table);
  dualmargin::robust::add_probes(table);
  dualmargin::hard::add_probes(table);
  dualmargin::probes::add_rounding_probes(table);
  dualmargin::probes::add_probes(table);
  dualmargin::probes::add_class_rows_probe(table);
  dualmargin::probes::add_rank_probes(table);
  return table;
}

}  // namespace
#endif

// [[Rcpp::export(rng = false)]]
Rcpp::RObject probe_cpp(const std::string& name, const Rcpp::List& arguments) {
#ifdef DUALMARGIN_PROBES
  return all_probes()(name, arguments);
#else
  static_cast<void>(arguments);
  throw std::invalid_argument("this build has no probe " + name);
#endif
}
