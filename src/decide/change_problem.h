// The class problems of a fit of which weights and labels change, wherever their rows live, and what
// is asked of one of them once it has changed.
#pragma once

#include <memory>
#include <vector>

#include "base/function_ref.h"
#include "region/region.h"

namespace dualmargin::decide {

using region::Ends;

// Ends of the scores for each class problem.
struct Answer {
  std::vector<Ends> ends;
  bool solved = false;
};

// Of so many settings, of which `refits` at most are solved, those in which most is open(s, answer).
// look(s, answer, solve, tick) goes on from an answer, which has no ends at first: by the fit alone, or
// solved.
std::vector<Answer> answers_of(Index count, double refits, Team& team,
                               FunctionRef<Answer(Index, Answer, bool, Tick&)> look,
                               FunctionRef<double(Index, const Answer&)> open, Tick& tick);

// What a changed problem is: weights, labels for each class problem (none: those after the change),
// and which of the rows that are asked about matter (none: all).
struct Setting {
  RowVec omega;
  std::vector<RowVec> y;
  std::vector<Index> some;
};

// By what of a pair the ends are met: its ball; all that is cheap beside a refit; the curvature around
// a solved pair; whatever it takes.
enum class Look { ball, cheap, curved, all };

// A class problem of a fit of the first a.size() rows.
template <class Vector>
struct ClassFit {
  Vector w;
  double b = 0;
  RowVec a, old_y;
};

// A changed problem with the best pair of it that is known.
class ChangedProblem {
 public:
  virtual ~ChangedProblem() = default;
  virtual const Loss& phi() const = 0;
  virtual bool free() const = 0;
  // -1 or 1 where only rows of that class stay, and a free intercept makes a margin loss 0
  virtual int left() const = 0;
  // Is the ball next to nothing?
  virtual bool near() const = 0;
  // Newton steps, of a smooth loss with a ridge; false where they are not worth their price.
  virtual bool steps(Tick& tick) = 0;
  // A refit, from the best pair.
  virtual void solve(double tol, Tick& tick) = 0;
  // The rows that are asked about.
  virtual void look(Look how, Ends& ends, Tick& tick) const = 0;
  // With a free intercept: by the offset around each of some of them.
  virtual void around(const std::vector<Index>& some, Ends& ends, Tick& tick) const = 0;
};

class ClassProblems {
 public:
  virtual ~ClassProblems() = default;
  virtual std::size_t count() const = 0;
  virtual const RowSums& over() const = 0;  // the rows of the fit, and those that come
  virtual Index asked() const = 0;          // how many rows are asked about
  // Weights in the fit, labels after the change, and labels of the rows of the fit as they were.
  virtual const RowVec& omega() const = 0;
  virtual const RowVec& y(std::size_t k) const = 0;
  virtual const RowVec& old_y(std::size_t k) const = 0;
  // y, omega: must outlive it; changed: is it another problem at all?
  virtual std::unique_ptr<ChangedProblem> problem(std::size_t k, const RowVec& y,
                                                  const RowVec& omega, bool changed,
                                                  Tick& tick) const = 0;
};

}  // namespace dualmargin::decide
