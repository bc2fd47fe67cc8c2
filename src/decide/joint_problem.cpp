#include "decide/joint_problem.h"

#include <algorithm>
#include <utility>

#include "decide/eigenvalues.h"

namespace dualmargin::decide {

JointChanged::JointChanged(const JointFit& fit, RowVec omega, const std::vector<Index>& own,
                           Tick& tick)
    : fit_(fit),
      omega_(std::move(omega)),
      rows_(fit.rows, fit.none, omega_),
      classes_(classes_with_rows(own)),
      problem_(problem_of(own)),
      region_(rows_, problem_, tick),
      pair_(pair_of_fit(own)),
      chord_(fit, leaving(own), rows_.total_weight / fit.rows.total_weight),
      by_chord_(chord_.usable() && !fit.sparse()) {
  tell();
}

bool JointChanged::step(Tick& tick) {
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
  const Mat dz = region::class_scores(rows_, dw, db, tick);
  const double value = region_.value(pair_.z, pair_.w), before = nu_;
  for (double share = 1; share > 1e-3; share /= 2) {
    const Mat w = pair_.w - share * dw, z = pair_.z - share * dz;
    if (!(region_.value(z, w) <= value * (1 + rounding::of_value()))) continue;
    take(w, pair_.b - share * db, region_.probabilities(z));
    ++steps_;
    if (share == 1 && !(nu_ < before / 2)) ++stalled_;
    return true;
  }
  stalled_ += 3;
  return by_chord_;
}

void JointChanged::solve(double tol, Tick& tick) {
  const Vec moved_by = pair_.w.transpose() * rows_.shift;
  const linear::JointSolution start{
      {pair_.w, pair_.b - moved_by}, {RowMat(Mat(pair_.u.transpose()))}, ""};
  const Rows unmoved = rows_.unmoved();
  const linear::JointSolution to = fit_.refit(
      {unmoved, problem_.own, pair_.w.cols(), problem_.softmax, problem_.free, problem_.g}, start,
      tol, tick);
  const Vec b =
      problem_.free ? Vec(to.b + to.w.transpose() * rows_.shift) : Vec(Vec::Zero(pair_.w.cols()));
  take(to.w, b, to.a.local().transpose());
}

std::vector<Index> JointChanged::classes_with_rows(const std::vector<Index>& own) const {
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

region::JointProblem JointChanged::problem_of(const std::vector<Index>& own) const {
  region::JointProblem problem = fit_.given.problem;
  problem.g = fit_.g_for(rows_.total_weight);
  std::vector<Index> place(static_cast<std::size_t>(fit_.classes()), 0);
  for (std::size_t c = 0; c < classes_.size(); ++c) place[classes_[c]] = c;
  for (std::size_t i = 0; i < own.size(); ++i) problem.own[i] = place[own[i]];
  return problem;
}

Mat JointChanged::some_of(const Mat& of_all) const {
  Mat some(of_all.rows(), static_cast<Index>(classes_.size()));
  for (std::size_t c = 0; c < classes_.size(); ++c) some.col(c) = of_all.col(classes_[c]);
  return some;
}

std::vector<Index> JointChanged::leaving(const std::vector<Index>& own) const {
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

region::JointPair JointChanged::pair_of_fit(const std::vector<Index>& own) const {
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

Vec JointChanged::slope_at(const Vec& z, Index own) const {
  if (problem_.softmax) return region_.probabilities(z.transpose()).transpose();
  Vec margin = z.array() + 1;
  margin[own] -= 1;
  Index top = 0;
  margin.maxCoeff(&top);
  return Vec::Unit(z.size(), top);
}

region::JointPair JointChanged::pair_at(const Mat& w, const Vec& b, Mat u) const {
  for (Index i = 0; i < rows_.n(); ++i) u(i, problem_.own[i]) -= 1;
  return region_.pair(w, b, std::move(u));
}

void JointChanged::take(const Mat& w, const Vec& b, Mat u) {
  pair_ = pair_at(w, b, std::move(u));
  tell();
}

void JointChanged::tell() {
  tell_ball();
  known_.step = HUGE_VAL;
  if (by_chord_) return tell_chord();
  if (fit_.factor.usable()) tell_curvature();
}

void JointChanged::tell_ball() {
  known_.classes = classes_;
  known_.w = pair_.w;
  known_.b = pair_.b;
  if (problem_.free) return;
  const auto ball = region_.ball(pair_);
  known_.centre = ball.centre;
  known_.ball = ball.radius;
}

void JointChanged::tell_chord() {
  slope_ = region_.slope(pair_, region_.probabilities(pair_.z));
  const double t = rows_.max([&](Index i) {
    if (!(omega_[i] > 0)) return 0.0;
    const auto moved = pair_.z.row(i) - fit_.pair.z.row(i);
    return moved.maxCoeff() - moved.minCoeff() +
           2 * (pair_.z_rounding[i] + fit_.pair.z_rounding[i]);
  });
  const double root = std::sqrt(chord_.least(t)), reach = fit_.reach(omega_);
  nu_ = region_.nu(pair_, slope_, fit_.factor, reach) / root;
  known_.step = region::by_curvature(nu_, reach, false, 1 / root);
}

void JointChanged::tell_curvature() {
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
  known_.step = region::by_curvature(nu_, fit_.reach(omega_), false, 1 / std::sqrt(least));
}

double JointChanged::least_ratio(const Mat& hessian) const {
  region::Factor reduced;
  const bool all = static_cast<Index>(classes_.size()) == fit_.classes();
  if (!all) reduced = fit_.region.factored(part_of(fit_.hessian));
  const region::Factor& of = all ? fit_.factor : reduced;
  if (!of.usable()) return 0;
  const Mat once = of.whitened(hessian), ratio = of.whitened(Mat(once.transpose()));
  const Vec found = eigenvalues(ratio);
  if (found.size() == 0) return 0;
  const double low = found.minCoeff(), high = found.maxCoeff();
  const double lost = of.inflation + factor_.inflation - 2;
  return low - 4 * lost * std::max(1.0, high);
}

Mat JointChanged::part_of(const Mat& hessian) const {
  const Index m = fit_.width(), k = static_cast<Index>(classes_.size());
  Mat part(k * m, k * m);
  for (Index c = 0; c < k; ++c) {
    for (Index o = 0; o < k; ++o) {
      part.block(c * m, o * m, m, m) = hessian.block(classes_[c] * m, classes_[o] * m, m, m);
    }
  }
  return part;
}

How settle(JointChanged& changed, const AskedJoint& asked, const std::vector<Index>& some,
                const Mat& norms, std::vector<Ends>& ends, FunctionRef<bool()> open, Tick& tick) {
  constexpr int most_steps = 30;
  const auto look = [&] { asked.look(changed.known(), some, norms, ends, tick); };
  look();
  if (!open()) return How::pair;
  bool stepped = false;
  for (int step = 0; step < most_steps; ++step) {
    const bool more = changed.step(tick);
    stepped = stepped || more;
    look();
    if (!open()) return How::step;
    if (!more) break;
  }
  // near the optimum its curvature says what there is to say
  if (stepped && std::isfinite(changed.known().step)) return How::step;
  for (const double tol : refit_tolerances) {
    changed.solve(tol, tick);
    look();
    if (!open()) break;
  }
  return How::refit;
}

}  // namespace dualmargin::decide
