// What a Newton step asks of a point of a problem, where it lives: among columns or functions.
//
//   penalty    g(w)
//   direction  (w, b) less H^-1 G is the next point: w's part of H^-1 G; nothing where there is none
//   moved      w - share * direction;  remade: the same point, its values computed anew
#pragma once

#include <algorithm>
#include <optional>

#include "region/of_kernel.h"

namespace dualmargin::region {

inline double penalty(const Problem& problem, const Vec& w) { return problem.g.value(w); }
double penalty(const FunctionProblem& problem, const Function& w);

inline double length(const Vec& w) { return w.norm(); }
inline double length(const Function& w) { return std::sqrt(std::max(0.0, inner(w, w))); }

// Slopes at the pair and shares of weights times curvatures.
struct Bends {
  RowVec slope, h;

  template <class Geometry>
  Bends(const ProblemIn<Geometry>& problem, const RowTerms& pair);
};
std::optional<Vec> direction(const Problem& problem, const Pair& pair, Tick& tick);
std::optional<Function> direction(const FunctionProblem& problem, const FunctionPair& pair,
                                  Tick& tick);

// The same by conjugate gradients with the factor of a problem nearby: a step of n^2 operations each,
// for n^3/3. Nothing where these do not get there in a few.
std::optional<Function> direction(const FunctionProblem& problem, const FunctionPair& pair,
                                  const FunctionFactor& nearby, Tick& tick);

inline Vec moved(const Vec& w, double share, const Vec& direction) { return w - share * direction; }
Function moved(const Function& w, double share, const Function& direction);

inline Vec remade(const Problem&, Vec w, Tick&) { return w; }
Function remade(const FunctionProblem& problem, Function w, Tick& tick);

// A pair at any point. Of functions b is the best one.
FunctionPair pair_of(const FunctionProblem& problem, Function w, double, RowVec a, Tick& tick);

}  // namespace dualmargin::region
