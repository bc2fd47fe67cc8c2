#include "decide/along_everywhere.h"

#include <algorithm>
#include <utility>

#include "decide/along_piece.h"

namespace dualmargin::decide {

namespace {

Chord chord_between(const AlongRows& at, const AlongPoint& lower, const AlongPoint& upper,
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

}  // namespace

Walk walk_everywhere(const AlongClasses& classes, std::vector<linear::Report> first,
                     double top_lambda, double end, double eps, Index most,
                     FunctionRef<void(Index, const linear::Report&)> seen, Team& team, Tick& tick) {
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
