// The problem that other weights and labels of the rows of a fit of all classes make: its pairs,
// from that of the fit to one at its optimum, and what each says of the rows that are asked about.
// The pair of the fit serves with its dual variables where labels stay, and with the slopes there
// where they are new.
//
// With the Hessian H of the fit all norms are known once; where rho is the least eigenvalue of
// H^{-1/2} H' H^{-1/2}, or below it, those of the changed problem are at most rho^{-1/2} times as
// large. As long as a few rows leave and steps are short, H serves in the place of H'
// (joint_chord.h).
#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <utility>
#include <vector>

#include "decide/joint_asked.h"
#include "decide/joint_chord.h"

namespace dualmargin::decide {

class JointChanged {
 public:
  // own: the class of each row, from 0
  JointChanged(const JointFit& fit, RowVec omega, const std::vector<Index>& own, Tick& tick)
      : fit_(fit),
        omega_(std::move(omega)),
        rows_(fit.data, fit.none, omega_, fit.rows.team),
        moved_(rows_, fit.moved),
        classes_(classes_with_rows(own)),
        problem_(problem_of(own)),
        region_(moved_, problem_, tick),
        pair_(pair_of_fit(own)),
        chord_(fit, leaving(own), rows_.total_weight / fit.rows.total_weight),
        by_chord_(chord_.usable() && !fit.sparse()) {
    tell();
  }
  JointChanged(const JointChanged&) = delete;

  const JointOptimum& known() const { return known_; }

  // A Newton step of the softmax loss, halved until the objective does not rise. False where there
  // is none, as with an l1 part, or where it brings nothing any more.
  bool step(Tick& tick) {
    if (fit_.sparse()) return false;
    if (by_chord_ && (stalled_ > 0 || steps_ == most_by_chord)) {
      by_chord_ = false;
      stalled_ = 0;
      tell();
    }
    if (!(by_chord_ || factor_.usable()) || stalled_ > 2) return false;
    const Index k = pair_.w.cols(), m = fit_.width(), d = pair_.w.rows();
    const Vec all = by_chord_ ? chord_.solve(slope_.gradient) : factor_.solve(slope_.gradient);
    if (!all.allFinite()) return false;
    const Eigen::Map<const Mat> move(all.data(), m, k);
    const Mat dw = move.topRows(d);
    const Vec db = fit_.free() ? Vec(move.row(d)) : Vec(Vec::Zero(k));
    const Mat dz = region::class_scores(moved_, dw, db, tick);
    const double value = region_.value(pair_.z, pair_.w), before = nu_;
    for (double share = 1; share > 1e-3; share /= 2) {
      const Mat w = pair_.w - share * dw, z = pair_.z - share * dz;
      if (!(region_.value(z, w) <= value * (1 + 1e-14))) continue;
      take(w, pair_.b - share * db, region_.probabilities(z));
      ++steps_;
      if (share == 1 && !(nu_ < before / 2)) ++stalled_;
      return true;
    }
    stalled_ += 3;
    return by_chord_;
  }
  // The optimum to a relative gap.
  void solve(double tol, Tick& tick) {
    const Vec moved_by = pair_.w.transpose() * moved_.shift;
    const linear::JointSolution start{
        {pair_.w, pair_.b - moved_by}, {RowMat(Mat(pair_.u.transpose()))}, ""};
    const linear::JointSolution to = fit_.refit(
        {rows_, problem_.own, pair_.w.cols(), problem_.softmax, problem_.free, problem_.g}, start,
        tol, tick);
    const Vec b = problem_.free ? Vec(to.b + to.w.transpose() * moved_.shift)
                                : Vec(Vec::Zero(pair_.w.cols()));
    take(to.w, b, to.u.local().transpose());
  }

 private:
  // Without free intercepts a class needs no rows; with them its score falls without end, and the
  // others have an optimum of their own.
  std::vector<Index> classes_with_rows(const std::vector<Index>& own) const {
    std::vector<bool> has(static_cast<std::size_t>(fit_.classes()), !fit_.free());
    for (Index i = 0; i < rows_.n(); ++i) {
      if (omega_[i] > 0) has[own[i]] = true;
    }
    std::vector<Index> some;
    for (Index c = 0; c < fit_.classes(); ++c) {
      if (has[c]) some.push_back(c);
    }
    return some;
  }
  region::JointProblem problem_of(const std::vector<Index>& own) const {
    region::JointProblem problem = fit_.given.problem;
    problem.g = fit_.g_for(rows_.total_weight);
    std::vector<Index> place(static_cast<std::size_t>(fit_.classes()), 0);
    for (std::size_t c = 0; c < classes_.size(); ++c) place[classes_[c]] = c;
    for (std::size_t i = 0; i < own.size(); ++i) problem.own[i] = place[own[i]];
    return problem;
  }
  Mat some_of(const Mat& of_all) const {
    Mat some(of_all.rows(), static_cast<Index>(classes_.size()));
    for (std::size_t c = 0; c < classes_.size(); ++c) some.col(c) = of_all.col(classes_[c]);
    return some;
  }
  // The rows that leave where nothing else changes; none where it does.
  std::vector<Index> leaving(const std::vector<Index>& own) const {
    std::vector<Index> out;
    if (static_cast<Index>(classes_.size()) < fit_.classes()) return out;
    for (Index i = 0; i < rows_.n(); ++i) {
      const double before = fit_.given.omega[i];
      if (omega_[i] == before && (own[i] == fit_.given.problem.own[i] || before == 0)) continue;
      if (omega_[i] != 0) return {};
      out.push_back(i);
    }
    return out;
  }
  region::JointPair pair_of_fit(const std::vector<Index>& own) const {
    const Mat w = some_of(fit_.pair.w), z = some_of(fit_.pair.z);
    const Vec b = some_of(fit_.pair.b.transpose()).transpose();
    Mat u = some_of(fit_.pair.u);
    for (Index i = 0; i < rows_.n(); ++i) {
      const bool stays = fit_.given.omega[i] > 0 && own[i] == fit_.given.problem.own[i];
      if (stays || !(omega_[i] > 0)) continue;
      u.row(i) = slope_at(z.row(i), problem_.own[i]);
    }
    return pair_at(w, b, std::move(u));
  }
  // phi'(z) + e_own, one of them
  Vec slope_at(const Vec& z, Index own) const {
    if (problem_.softmax) return region_.probabilities(z.transpose()).transpose();
    Vec margin = z.array() + 1;
    margin[own] -= 1;
    Index top = 0;
    margin.maxCoeff(&top);
    return Vec::Unit(z.size(), top);
  }
  region::JointPair pair_at(const Mat& w, const Vec& b, Mat u) const {
    for (Index i = 0; i < rows_.n(); ++i) u(i, problem_.own[i]) -= 1;
    return region_.pair(w, b, std::move(u));
  }

  void take(const Mat& w, const Vec& b, Mat u) {
    pair_ = pair_at(w, b, std::move(u));
    tell();
  }
  void tell() {
    tell_ball();
    known_.step = HUGE_VAL;
    if (by_chord_) return tell_chord();
    if (fit_.factor.usable()) tell_curvature();
  }
  void tell_ball() {
    known_.classes = classes_;
    known_.w = pair_.w;
    known_.b = pair_.b;
    if (problem_.free) return;
    const auto ball = region_.ball(pair_);
    known_.centre = ball.centre;
    known_.ball = ball.radius;
  }
  void tell_chord() {
    slope_ = region_.slope(pair_, region_.probabilities(pair_.z));
    const double t = rows_.max([&](Index i) {
      if (!(omega_[i] > 0)) return 0.0;
      const auto moved = pair_.z.row(i) - fit_.pair.z.row(i);
      return moved.maxCoeff() - moved.minCoeff() +
             2 * (pair_.z_rounding[i] + fit_.pair.z_rounding[i]);
    });
    const double root = std::sqrt(chord_.least(t)), reach = fit_.reach(omega_);
    nu_ = region_.nu(pair_, slope_, fit_.factor, reach) / root;
    known_.step = nu_ * region::step_factor(nu_ * reach / root) / root;
  }
  void tell_curvature() {
    const Mat q = region_.probabilities(pair_.z), hessian = region_.hessian(q);
    factor_ = region_.factored(hessian);
    if (!factor_.usable()) return;
    slope_ = region_.slope(pair_, q);
    const double least = least_ratio(hessian);
    if (!(least > 0)) {
      nu_ = factor_.norm(slope_.gradient);
      return;
    }
    const double reach = fit_.reach(omega_) / std::sqrt(least);
    nu_ = region_.nu(pair_, slope_, factor_, reach);
    known_.step = nu_ * region::step_factor(nu_ * reach) / std::sqrt(least);
  }
  // rho, from below; of the classes that are left, whose norms in all of H are larger yet
  double least_ratio(const Mat& hessian) const {
    region::Factor reduced;
    const bool all = static_cast<Index>(classes_.size()) == fit_.classes();
    if (!all) reduced = fit_.region.factored(part_of(fit_.hessian));
    const region::Factor& of = all ? fit_.factor : reduced;
    if (!of.usable()) return 0;
    const Mat once = of.whitened(hessian), ratio = of.whitened(Mat(once.transpose()));
    const Eigen::SelfAdjointEigenSolver<Mat> solver(ratio, Eigen::EigenvaluesOnly);
    if (solver.info() != Eigen::Success) return 0;
    const double low = solver.eigenvalues().minCoeff(), high = solver.eigenvalues().maxCoeff();
    const double lost = of.inflation + factor_.inflation - 2;
    return low - 4 * lost * std::max(1.0, high);
  }
  Mat part_of(const Mat& hessian) const {
    const Index m = fit_.width(), k = static_cast<Index>(classes_.size());
    Mat part(k * m, k * m);
    for (Index c = 0; c < k; ++c) {
      for (Index o = 0; o < k; ++o) {
        part.block(c * m, o * m, m, m) = hessian.block(classes_[c] * m, classes_[o] * m, m, m);
      }
    }
    return part;
  }

  static constexpr int most_by_chord = 6;

  const JointFit& fit_;
  const RowVec omega_;
  const Rows rows_;
  const region::MovedRows moved_;
  const std::vector<Index> classes_;
  const region::JointProblem problem_;
  const region::JointRegion region_;
  region::JointPair pair_;
  const JointChord chord_;
  bool by_chord_;  // does H serve?
  JointOptimum known_;
  region::Factor factor_;
  typename region::JointRegion::Slope slope_;
  double nu_ = HUGE_VAL;
  int steps_ = 0, stalled_ = 0;
};

// Solved until open() is false or no way is left; each pair that comes by meets the ends.
enum class JointWay { pair, step, refit };
template <class Open>
JointWay settle(JointChanged& changed, const AskedJoint& asked, const std::vector<Index>& some,
                const Mat& norms, std::vector<Ends>& ends, Open open, Tick& tick) {
  constexpr int most_steps = 30;
  const auto look = [&] { asked.look(changed.known(), some, norms, ends, tick); };
  look();
  if (!open()) return JointWay::pair;
  bool stepped = false;
  for (int step = 0; step < most_steps; ++step) {
    const bool more = changed.step(tick);
    stepped = stepped || more;
    look();
    if (!open()) return JointWay::step;
    if (!more) break;
  }
  // near the optimum its curvature says what there is to say
  if (stepped && std::isfinite(changed.known().step)) return JointWay::step;
  for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    changed.solve(tol, tick);
    look();
    if (!open()) break;
  }
  return JointWay::refit;
}

}  // namespace dualmargin::decide
