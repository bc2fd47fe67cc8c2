#include "decide/conformal_left_out.h"

#include <algorithm>
#include <utility>

namespace dualmargin::decide {

Mat LeftOutOptima::whitening() const {
  const Index q = optima_.rows().dim() + optima_.free();
  const region::Factor& factor = *optima_.metric().factor;
  return factor.whitened(Mat::Identity(q, q)) * (factor.inflation / optima_.root_W());
}

std::vector<LeftOutOptimum> LeftOutOptima::solve(int steps, double refits, Tick& tick) const {
  std::vector<LeftOutOptimum> found(sets_.size());
  for (std::size_t k = 0; k < sets_.size(); ++k) {
    const auto count = static_cast<Index>(sets_[k].size());
    found[k].own = Vec::Zero(count);
    found[k].own_half = Vec::Constant(count, HUGE_VAL);
  }
  if (!optima_.usable()) return found;
  const auto each = [&](const std::vector<std::size_t>& of, auto one) {
    optima_.rows().team.for_chunks(
        static_cast<Index>(of.size()),
        [&](Index k, Tick& t) { one(of[static_cast<std::size_t>(k)], t); }, tick);
  };
  std::vector<std::size_t> all(sets_.size()), open;
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
  each(all, [&](std::size_t k, Tick& t) {
    found[k].w = optima_.w();
    found[k].b = optima_.b();
    if (steps < 1) return;
    optima_.leave(
        without(k), steps, [&](const auto& point) { return take(k, point, found[k]); }, t);
  });
  for (const std::size_t k : all) {
    if (!found[k].near) open.push_back(k);
  }
  std::stable_sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) {
    return found[a].loose() > found[b].loose();
  });
  if (refits < static_cast<double>(open.size())) open.resize(static_cast<std::size_t>(refits));
  each(open, [&](std::size_t k, Tick& t) {
    found[k].refitted = true;
    const Vec w = found[k].w;
    optima_.newton(
        without(k), w, found[k].b, found[k].steps,
        [&](const auto& point) { return take(k, point, found[k]); }, t);
  });
  return found;
}

Altered LeftOutOptima::without(std::size_t k) const {
  const double W = optima_.W();
  const double left =
      rule_ == Rule::cost ? 1.0 : weight_left(optima_.rows().weights, W, sets_[k]) / W;
  Vec ridge = Vec::Constant(optima_.rows().dim(), optima_.kappa() * left);
  if (shrink_.size() > 0) {
    ridge.head(shrink_.rows()).array() *= shrink_.col(static_cast<Index>(k)).array();
  }
  return {sets_[k], nullptr, std::move(ridge)};
}

bool LeftOutOptima::take(std::size_t k, const AlteredOptima::Point& point,
                         LeftOutOptimum& best) const {
  const std::vector<Index>& out = sets_[k];
  Vec own(best.own.size()), half(best.own.size());
  for (std::size_t j = 0; j < out.size(); ++j) {
    const auto at = static_cast<Index>(j);
    own[at] = point.at.z[out[j]];
    half[at] = optima_.half_width(point, out[j]);
  }
  // the score of a row of zeros is known from the first step on, the optimum is not
  if (!(half.maxCoeff() < best.loose() || (point.near && !best.near))) return best.near;
  best = {point.w,     std::move(own), std::move(half), point.b,      point.base,
          point.plain, point.steps,    point.near,      best.refitted};
  return best.near;
}

}  // namespace dualmargin::decide
