#include "decide/left_out_losses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/slack.h"
#include "region/classes.h"

namespace dualmargin::decide {

LeftOutLosses::LeftOutLosses(Kind kind, Mat y, Vec weight)
    : kind_(kind), y_(std::move(y)), weight_(std::move(weight)) {
  for (Index i = 0; y_.cols() > 1 && i < y_.rows(); ++i) {
    Index own = 0;
    y_.row(i).maxCoeff(&own);
    own_.push_back(own);
  }
}

bool LeftOutLosses::decided(const std::vector<Ends>& ends, Index place) const {
  return !of_classes() || region::certain_class(ends, place) >= 0;
}

Interval LeftOutLosses::at(Index i, const std::vector<Ends>& ends, Index place) const {
  if (!several()) return at(i, Interval{ends[0].low[place], ends[0].high[place]});
  if (kind_ == Kind::none || !(weight_[i] > 0)) return {0, 0};
  return weighted(i, 2 * share_loss(i, ends, place, &Ends::high, &Ends::low, 0),
                  2 * share_loss(i, ends, place, &Ends::low, &Ends::high, HUGE_VAL));
}

Interval LeftOutLosses::at(Index i, const Interval& ends) const {
  if (kind_ == Kind::none || !(weight_[i] > 0)) return {0, 0};
  const double y = y_(i, 0);
  if (kind_ == Kind::squared) {
    const double below = ends.low - y, above = y - ends.high;
    const double least = std::max({0.0, below, above});
    const double most = std::max(std::abs(below), std::abs(above));
    return weighted(i, least * least, most * most);
  }
  const double one = -2 * log_share(y * ends.low), other = -2 * log_share(y * ends.high);
  return weighted(i, std::min(one, other), std::max(one, other));
}

double LeftOutLosses::sum(const std::vector<Ends>& ends) const {
  double sum = 0;
  for (Index i = 0; i < n(); ++i) sum += at(i, ends, i).low;
  return sum;
}

double LeftOutLosses::log_share(double z) const {
  if (kind_ == Kind::softmax) return z;
  return std::min(z, 0.0) - std::log1p(std::exp(-std::abs(z)));
}

Interval LeftOutLosses::weighted(Index i, double low, double high) const {
  return {weight_[i] * low * rounding::lowered, weight_[i] * high * rounding::raised};
}

double LeftOutLosses::share_loss(Index i, const std::vector<Ends>& ends, Index place,
                                 RowVec Ends::*of_own, RowVec Ends::*of_others,
                                 double unknown) const {
  const auto own = static_cast<std::size_t>(own_[i]);
  const double log_own = log_share((ends[own].*of_own)[place]);
  double sum = 0;
  for (std::size_t k = 0; k < ends.size(); ++k) {
    if (k == own) continue;
    const double ratio = std::exp(log_share((ends[k].*of_others)[place]) - log_own);
    sum += std::isnan(ratio) ? unknown : ratio;
  }
  return std::log1p(sum);
}

}  // namespace dualmargin::decide
