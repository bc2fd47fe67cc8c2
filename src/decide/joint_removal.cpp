#include "decide/joint_removal.h"

#include <algorithm>
#include <utility>

#include "decide/joint_problem.h"
#include "decide/removal_ball.h"
#include "decide/removal_step.h"
#include "region/joint_ellipsoid.h"

namespace dualmargin::decide {

// As Residual, with e = kappa w_c + U_c of each class.
struct ResidualOfClasses {
  Mat e, along;
  double square, own, w_square, rounding;

  ResidualOfClasses(const JointFit& fit, Tick& tick)
      : e(fit.kappa() * fit.pair.w + fit.W() * fit.pair.v),
        along(region::class_scores(fit.rows, e, Vec::Zero(fit.classes()), tick)),
        square(e.squaredNorm()),
        own(e.cwiseProduct(fit.pair.w).sum()),
        w_square(fit.pair.w.squaredNorm()),
        rounding(fit.W() * fit.pair.v_rounding.norm() +
                 rounding::of(4) *
                     (fit.kappa() * fit.pair.w.norm() + fit.W() * fit.pair.v.norm())) {}

  Vec along_row(Index i) const { return along.row(i); }
  // its products are at most twice its squares together
  double lost_in_square(Index, double, double, double terms) const {
    return 3 * rounding::of(4 * static_cast<double>(e.size()) + 16) * terms;
  }
  double lost_in_step(Index, double less, double score, double out, double x2) const {
    return rounding::of(2 * (static_cast<double>(e.rows()) + 3)) *
           (out * x2 + std::sqrt(x2 * square) + std::abs(less) * score);
  }
};
// Found by ball_removal().
ResidualOfClasses residual_of(const JointFit& fit, Tick& tick) { return {fit, tick}; }

namespace {

AroundFit around_fit(const JointFit& fit) {
  const auto slope = fit.region.slope(fit.pair, fit.probabilities);
  const double reach = fit.reach(fit.given.omega);
  return {reach,
          fit.region.nu(fit.pair, slope, fit.factor, reach),
          fit.factor.norm(slope.penalty),
          fit.factor.inflation,
          fit.cost(),
          fit.sparse(),
          fit.constant()};
}

// Rows at(0), ..., at(count - 1) in the coordinates of their scores, one row's after another's. What all
// classes have in common changes no probability.
Mat white_scores(const JointFit& fit, Index count, FunctionRef<Index(Index)> at) {
  const Index k = fit.classes();
  std::vector<Mat> white = region::white_classes(
      fit.factor, region::columns_of(fit.rows, count, at, fit.free()), k);
  Mat mean = white[0];
  for (Index c = 1; c < k; ++c) mean += white[c];
  mean /= static_cast<double>(k);
  Mat all(mean.rows(), count * k);
  for (Index a = 0; a < count; ++a) {
    for (Index c = 0; c < k; ++c) all.col(a * k + c) = white[c].col(a) - mean.col(a);
  }
  return all;
}

// white: of the scores of these rows
TakenRows<Mat, Vec> taken_rows(const JointFit& fit, const std::vector<Index>& out,
                               const ConstMatRef& white) {
  const Index k = fit.classes(), all = white.cols();
  TakenRows<Mat, Vec> rows{white.transpose() * white, Mat::Zero(all, all),  Vec(all), Vec(all),
                           0,                         fit.share_left(out)};
  for (Index at = 0; at < all; at += k) {
    const Index i = out[static_cast<std::size_t>(at / k)];
    const double share = fit.omega(i) / fit.W();
    Vec p = fit.probabilities.row(i);
    const Vec root = p.cwiseSqrt();
    rows.L.block(at, at, k, k) =
        std::sqrt(share) * (Mat(root.asDiagonal()) - p * root.transpose());
    p[fit.own(i)] -= 1;
    rows.p.segment(at, k) = share * p;
    rows.z.segment(at, k) = fit.scores(i);
    rows.share += share;
  }
  return rows;
}

// Of the rows with a factor, in blocks.
void step_removal_of_classes(const JointFit& fit, std::vector<Ends>& ends, Tick& tick) {
  const Index k = fit.classes();
  const AroundFit at = around_fit(fit);
  const auto block = [&](Index begin, Index end) {
    const Mat white = white_scores(fit, end - begin, [&](Index a) { return begin + a; });
    std::vector<Index> out(1);
    for (Index& i = out[0] = begin; i < end; ++i) {
      step_removal(fit, at, out, taken_rows(fit, out, white.middleCols((i - begin) * k, k)), ends);
    }
  };
  region::for_row_blocks(fit.rows, region::joint_width(fit.factor, k), block, tick);
}

class JointRemoval final : public Removable {
 public:
  explicit JointRemoval(const JointFit& fit)
      : fit_(fit), rows_(fit.rows, fit.given.problem.own, fit.classes()) {}

  std::vector<RowVec> scores() const override {
    std::vector<RowVec> z;
    for (Index c = 0; c < count(); ++c) z.emplace_back(Vec(fit_.pair.z.col(c)));
    return z;
  }
  Index count() const override { return fit_.classes(); }
  std::vector<Ends> bounds(Tick& tick) const override { return removal_bounds(fit_, tick); }
  std::vector<Ends> bounds(const std::vector<std::vector<Index>>& sets, Tick& tick) const override {
    std::vector<Ends> ends = region::nothing_of(fit_.n(), count());
    for (Index i = 0; i < fit_.n(); ++i) ends[fit_.own(i)].intersect(i, {0, 0});
    if (!fit_.factor.usable() || (fit_.sparse() && !fit_.cost())) return ends;
    const AroundFit at = around_fit(fit_);
    const auto one = [&](Index k, Tick& t) {
      t.look();
      const std::vector<Index>& out = sets[static_cast<std::size_t>(k)];
      if (!is_few(fit_, out)) return;
      const Mat white = white_scores(fit_, static_cast<Index>(out.size()), [&](Index a) {
        return out[static_cast<std::size_t>(a)];
      });
      TakenRows<Mat, Vec> rows = taken_rows(fit_, out, white);
      rows.loose = loose_of(white);
      step_removal(fit_, at, out, rows, ends);
    };
    fit_.rows.team.for_chunks(static_cast<Index>(sets.size()), one, tick);
    return ends;
  }

  // Without all rows of a class and free intercepts what the fit says of the others is void.
  Optimum optimum_left(const std::vector<Index>& out, std::vector<Ends>& ends) const override {
    std::vector<Index> had(ends.size(), 0);
    for (Index i = 0; i < fit_.n(); ++i) had[fit_.own(i)] += fit_.omega(i) > 0;
    std::vector<Index> left = had;
    for (const Index i : out) left[fit_.own(i)] -= fit_.omega(i) > 0;
    if (left == had || !fit_.free()) return Optimum::whole;
    const auto emptied = [&](std::size_t c) { return left[c] == 0 && had[c] > 0; };
    Optimum optimum = Optimum::whole;
    for (std::size_t c = 0; c < ends.size(); ++c) {
      if (emptied(c)) optimum = Optimum::partial;
    }
    for (std::size_t c = 0; optimum == Optimum::partial && c < ends.size(); ++c) {
      for (const Index i : out) {
        ends[c].low[i] = -HUGE_VAL;
        ends[c].high[i] = emptied(c) ? -HUGE_VAL : HUGE_VAL;
      }
    }
    return optimum;
  }

  std::vector<How> solve(std::vector<Leaving>& sets, const Open& open, Tick& tick) override {
    std::vector<How> how(sets.size(), How::pair);
    const auto one = [&](Index k, Tick& t) {
      Leaving& set = sets[k];
      RowVec omega = set.weights(fit_.given.omega);
      if (!fit_.rows.any([&](Index i) { return omega[i] > 0; })) return;
      JointChanged changed(fit_, std::move(omega), fit_.given.problem.own, t);
      const Mat norms = rows_.norms(fit_.factor, fit_.free(), set.out, t);
      how[k] = settle(
          changed, rows_, set.out, norms, set.ends, [&] { return open(set); }, t);
    };
    fit_.rows.team.for_chunks(static_cast<Index>(sets.size()), one, tick);
    return how;
  }

 private:
  const JointFit& fit_;
  const AskedJointIn rows_;
};

}  // namespace

std::unique_ptr<Removable> removal_of(const JointFit& fit) {
  return std::make_unique<JointRemoval>(fit);
}

std::vector<Ends> removal_bounds(const JointFit& fit, Tick& tick) {
  std::vector<Ends> ends = region::nothing_of(fit.n(), fit.classes());
  for (Index i = 0; i < fit.n(); ++i) ends[fit.own(i)].intersect(i, {0, 0});
  if (!fit.free() && !fit.sparse()) ball_removal(fit, ends, tick);
  if (fit.factor.usable()) step_removal_of_classes(fit, ends, tick);
  return ends;
}

}  // namespace dualmargin::decide
