// The processes of a fit whose rows lie on several of them, each with some of the rows and all of the
// coefficients. Every rank makes the same sequence of reductions, and a branch below the border
// depends on reduced numbers only: else one rank waits for a sum that another never asks for.
//
// Clocks and users are local. What a rank wants of the others, that it is late or asked to stop,
// travels with its next sum, and holds on all of them from then on: an Agreement.
#pragma once

#include <atomic>
#include <stdexcept>

#include "base/numeric.h"

namespace dualmargin {

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // Of k numbers each; the same bits on all ranks.
  virtual void sum(double* x, Index k) = 0;
  virtual void max(double* x, Index k) = 0;
};

struct Agreement {
  std::atomic<bool> late_here{false}, stop_here{false};  // told by this rank
  std::atomic<bool> late{false};                         // agreed
};

// On all ranks, after the user of one asked to stop.
struct StoppedByRank : std::runtime_error {
  StoppedByRank() : std::runtime_error("a rank was asked to stop") {}
};

}  // namespace dualmargin
