// Other weights, labels and rows of a fit: where the scores of some rows would be then. Bounds that
// follow from the fit (change_pair.h), or the optimum of the changed problem itself, by Newton steps
// of a smooth loss with a ridge, by refits as far as classes are open. By columns
// (change_columns.h) or by a kernel (change_functions.h).
#pragma once

#include <memory>
#include <vector>

#include "base/function_ref.h"
#include "decide/change_problem.h"

namespace dualmargin::decide {

class Change {
 public:
  Change(const ClassProblems& classes, bool regression);
  Change(const Change&) = delete;

  // Of so many settings, of which `refits` at most are solved: those with the most to gain.
  std::vector<Answer> answers(Index count, FunctionRef<Setting(Index)> setting_of, double refits,
                              Tick& tick) const;

  // What follows from the fit alone.
  Answer bounds(const Setting& setting, Tick& tick) const;

  // Solved until no class is open, and scores of a regression are known to `precise`.
  Answer settled(const Setting& setting, Tick& tick) const;

 private:
  using Problems = std::vector<std::unique_ptr<ChangedProblem>>;
  static constexpr double precise = 1e-8, tie = 1e-9;
  static constexpr std::size_t most_sharpened = 100;
  static constexpr Index few_sharpened = 20;

  // How much is open: predictions, or the width of the values of a regression.
  double open_share(const Answer& answer, const Setting& setting) const;
  const std::vector<Index>& some_of(const Setting& setting) const;
  const RowVec& labels(const Setting& setting, std::size_t k) const;

  Answer nothing() const;
  bool has_weight(const Setting& setting) const;
  bool changes(const Setting& setting) const;
  Problems problems_of(const Setting& setting, Tick& tick) const;

  // Where one class is left any value beyond 1 is optimal; the logistic loss has no optimum.
  bool one_class(const Problems& problems, std::size_t k, Ends& ends) const;

  // most: so many open predictions are worth a pass over the rows each
  void look_again(const Problems& problems, Answer& answer, const Setting& setting, Index most,
                  Tick& tick) const;

  std::vector<Index> open_of(const Answer& answer, const Setting& setting) const;
  // Is there anything to gain by solving further?
  bool open(const Answer& answer, const Setting& setting) const;
  // A pass over the rows for an open prediction is worth its price where one side of 0 is small.
  std::vector<Index> near_a_sign(const Ends& ends, const Setting& setting) const;
  // With a free intercept: by the offset around each of some rows.
  void sharpen(const Problems& problems, const std::vector<Index>& some, Answer& answer,
               Tick& tick) const;

  const ClassProblems& classes_;
  const bool regression_;
  std::vector<Index> all_;
};

}  // namespace dualmargin::decide
