// A path with a certificate for every lambda of a range.
//
// From the top of the range down. A pair of neighbours that has no certificate for all lambdas
// between them gets a point in the middle; the lower one waits until the walk has come to it. The
// next step is as long as the last one promised.
#pragma once

#include <functional>
#include <vector>

#include "base/function_ref.h"
#include "decide/smooth_chord.h"
#include "linear/problem.h"

namespace dualmargin::decide {

// The problems of the classes, and one more fit of class k at lambda.
struct AlongClasses {
  std::vector<AlongRows> rows;
  std::function<linear::Report(Index k, double lambda, const linear::Solution& start, Tick&)> fit;
};

struct Walk {
  std::vector<double> lambda;                     // from the top down
  std::vector<std::vector<PairNumbers>> numbers;  // of each point, each class
  std::vector<std::vector<Chord>> chords;         // below each point but the last, each class
  std::vector<std::vector<double>> worst;
  bool ended = false;  // by the most points that there may be
};

// first: the reports at the top. seen(k, report): told of every point that becomes one of the path,
// in order.
Walk walk_everywhere(const AlongClasses& classes, std::vector<linear::Report> first,
                     double top_lambda, double end, double eps, Index most,
                     FunctionRef<void(Index, const linear::Report&)> seen, Team& team, Tick& tick);

}  // namespace dualmargin::decide
