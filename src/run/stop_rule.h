// When a stage of a run, one method at work, is over: a value, so that nothing of it is left when
// the next stage begins.
#pragma once

#include <cstddef>
#include <vector>

#include "run/certificate.h"

namespace dualmargin {

struct StopRule {
  double epochs = HUGE_VAL;  // as long as that at most
  // After `trial` epochs only while the rate of the second half of them, kept up, reaches the
  // tolerance within `worth` more.
  double trial = HUGE_VAL, worth = HUGE_VAL;
  bool ascent = false;  // the rate at which the bound rises less and less counts as well
  double tol = 0;  // a relative gap that is enough for this stage
  // How much of the run so far may pass without progress. More than a fifth is for methods that are
  // known to stand still for long before they fall again.
  double patience = 0.2;
};

// How a stage has fared under its rule.
class Progress {
 public:
  // How many certificates without 10 % progress of the gap, and how many epochs, mean "stalled".
  static constexpr int patience_checks = 12;
  static constexpr double patience_epochs = 30;

  Progress() = default;
  Progress(const StopRule& rule, double epoch, std::size_t row)
      : rule_(rule), start_(epoch), since_(epoch), row_(row) {}

  bool over(double epoch) const { return epoch >= start_ + rule_.epochs; }
  bool enough(double relative_gap) const { return relative_gap <= rule_.tol; }
  void be_patient(double share) { rule_.patience = share; }
  // The stage goes on, but what it works at has changed.
  void renew(double epoch) {
    best_ = HUGE_VAL;
    checks_ = 0;
    since_ = epoch;
  }

  // After a certificate with that gap: false, it is stuck.
  bool moves(double epoch, double gap, bool possible, std::size_t rows);
  bool hopeless(double epoch, const std::vector<TraceRow>& trace, double tol) const;

 private:
  using Row = std::vector<TraceRow>::const_iterator;
  // The last row of the stage that is not after an epoch, from `row` on backwards.
  Row row_before(double epoch, Row row, const std::vector<TraceRow>& trace) const;

  StopRule rule_;
  double start_ = 0, since_ = 0, best_ = HUGE_VAL;
  std::size_t row_ = 0;  // of the trace, with which the stage began
  int checks_ = 0;
};

}  // namespace dualmargin
