// A path with a certificate for every lambda of a range.
//
// From the top of the range down. A pair of neighbours that has no certificate for all lambdas
// between them gets a point in the middle; the lower one waits until the walk has come to it. The
// next step is as long as the last one promised.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "decide/along_piece.h"
#include "decide/smooth_chord.h"
#include "linear/report.h"

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

inline Chord chord_between(const AlongRows& at, const AlongPoint& lower, const AlongPoint& upper,
                           Tick& tick) {
  Chord chord{{lower.lambda, upper.lambda}, {}, false, {}};
  if (at.penalty.ridge()) {
    chord.universal = {at.misfit(lower, upper.a), at.misfit(upper, lower.a)};
  }
  if (has_hessian_chord(at)) {
    const auto curved = hessian_chord(at, lower, upper, nullptr, tick);
    chord.has_curved = curved.has_value();
    if (curved) chord.curved = *curved;
  }
  return chord;
}

// first: the reports at the top. seen(k, report): told of every point that becomes one of the path,
// in order.
template <class Seen>
Walk walk_everywhere(const AlongClasses& classes, std::vector<linear::Report> first,
                     double top_lambda, double end, double eps, Index most, Seen seen, Team& team,
                     Tick& tick) {
  const auto count = static_cast<Index>(classes.rows.size());
  struct Stop {
    double lambda;
    std::vector<AlongPoint> points;
    std::vector<linear::Report> reports;
  };
  const auto complete = [&](Stop& stop, Index k, Tick& t) {
    const AlongRows& at = classes.rows[k];
    AlongPoint& point = stop.points[k];
    point = at.point(stop.reports[k].solution, stop.lambda, Wanted::pair, t);
    if (has_hessian_chord(at)) point.gradient = at.gradient_of(point, t);
  };
  const auto stop_at = [&](double lambda, const Stop& near) {
    Stop stop{lambda, std::vector<AlongPoint>(count), std::vector<linear::Report>(count)};
    team.for_chunks(
        count,
        [&](Index k, Tick& t) {
          stop.reports[k] = classes.fit(k, lambda, near.reports[k].solution, t);
          complete(stop, k, t);
        },
        tick);
    return stop;
  };
  Walk walk;
  const auto keep = [&](Stop& stop) {
    walk.lambda.push_back(stop.lambda);
    walk.numbers.emplace_back();
    for (Index k = 0; k < count; ++k) {
      walk.numbers.back().push_back(stop.points[k].numbers(classes.rows[k].penalty));
      seen(k, stop.reports[k]);
    }
  };

  Stop top{top_lambda, std::vector<AlongPoint>(count), std::move(first)};
  for (Index k = 0; k < count; ++k) complete(top, k, tick);
  keep(top);
  std::vector<Stop> waiting;  // the next one last
  double step = std::log((1 + std::sqrt(eps)) / (1 - std::sqrt(eps)));
  while (top.lambda > end) {
    const Index points = static_cast<Index>(walk.lambda.size() + waiting.size());
    if (points >= most) {
      walk.ended = true;
      return walk;
    }
    if (waiting.empty()) {
      double low = std::max(end, top.lambda * std::exp(-step));
      if (low < end * (1 + 1e-9)) low = end;
      waiting.push_back(stop_at(low, top));
    }
    Stop& bottom = waiting.back();
    std::vector<Chord> chords(count);
    std::vector<Progress> found(count);
    team.for_chunks(
        count,
        [&](Index k, Tick& t) {
          const AlongRows& at = classes.rows[k];
          chords[k] = chord_between(at, bottom.points[k], top.points[k], t);
          found[k] = progress_between(at.penalty, bottom.points[k], top.points[k], chords[k], eps);
        },
        tick);
    const double width = std::log(top.lambda / bottom.lambda);
    double worst = 0, growth = HUGE_VAL;
    std::vector<double> each;
    for (const Progress& one : found) {
      worst = std::max(worst, one.worst);
      growth = std::min(growth, one.growth);
      each.push_back(one.worst);
    }
    // the gap of a point itself may be above eps, or rounding may end the walk
    if (worst <= eps || width < 1e-7) {
      walk.chords.push_back(std::move(chords));
      walk.worst.push_back(std::move(each));
      keep(bottom);
      step = std::clamp(growth, width / 2, 3 * width);
      Stop next = std::move(bottom);
      waiting.pop_back();
      top = std::move(next);
    } else {
      // where the foretold step ends, or not far from the middle
      const double foretold = std::clamp(growth, width / 4, width * 0.75);
      waiting.push_back(stop_at(top.lambda * std::exp(-foretold), top));
    }
  }
  return walk;
}

}  // namespace dualmargin::decide
