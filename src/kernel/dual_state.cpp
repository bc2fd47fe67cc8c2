#include "kernel/dual_state.h"

namespace dualmargin::kernel {

template <class Problem>
DualState<Problem>::DualState(const Problem& problem, const Solution& start, Tick& tick)
    : problem_(problem), free_(problem.losses.free_intercept), q_(problem.n()) {
  const Array a = problem.dual_or_rest(start.a), beta = problem.coefficients({a});
  const Array f = problem.x().multiply(beta, tick);
  b_ = free_ ? listed(start.b) : Vec::Zero(a.cols());
  if (b_.size() == 0) b_ = listed(problem.losses.best_intercept(f, start.b));
  centre_ = b_;
  a_ = Eigen::Map<const Vec>(a.data(), a.size());
  f_ = Eigen::Map<const Vec>(f.data(), f.size());
  const Vec& omega = problem.losses.omega.local();
  const double total_weight = problem.losses.total_weight;
  if (free_) {
    // As in dual_state.h of the linear family, but larger: blocks and the subspace step bear a
    // large constant, and every move of the centre then leaves a hundredth of what is missing.
    // With 5 a fit took up to three times as many epochs, with 20 as many or a few less.
    const double mean = problem.space.mean_square(), gamma = problem.losses.gamma();
    constant_ = 100 * (problem.space.lambda() * gamma + mean / total_weight);
    b_ += constant_ * beta.colwise().sum().transpose();
  }
  shares_ = (omega / total_weight).replicate(a.cols(), 1);
  for (Index i = 0; i < problem.n(); ++i) {
    q_[i] = -problem.space.unit(i) * (problem.x().squared_norm(i) + constant_);
  }
}

template <class Problem>
void DualState<Problem>::load(const Index* rows, Index count, Array& z, Array& a) const {
  const Index n = problem_.n(), k = a_.size() / n;
  z.resize(count, k);
  a.resize(count, k);
  for (Index c = 0; c < k; ++c) {
    for (Index j = 0; j < count; ++j) {
      z(j, c) = score(rows[j] + n * c);
      a(j, c) = a_[rows[j] + n * c];
    }
  }
}

template <class Problem>
Index DualState<Problem>::move(const KernelBlock& block, const Index* rows, const Array& a) {
  const Index n = problem_.n();
  Array change = a;
  for (Index c = 0; c < a.cols(); ++c) {
    for (Index j = 0; j < a.rows(); ++j) {
      double& own = a_[rows[j] + n * c];
      change(j, c) -= own;
      own = a(j, c);
    }
  }
  const Index moved = (change.array() != 0).rowwise().any().count();
  for (Index j = 0; j < a.rows(); ++j) change.row(j) *= problem_.space.unit(rows[j]);
  Eigen::Map<Mat> f(f_.data(), n, a.cols());
  block.add(change, f);
  if (problem_.x().constant() != 0) {
    f.rowwise() += problem_.x().constant() * change.colwise().sum();
  }
  b_ += constant_ * change.colwise().sum().transpose();
  return moved;
}

template <class Problem>
void DualState<Problem>::move(Index i, double t) {
  const double change = problem_.space.unit(i) * (t - a_[i]);
  a_[i] = t;
  if (change == 0) return;
  problem_.x().axpy(i, change, f_);
  b_[0] += constant_ * change;
}

template <class Problem>
void DualState<Problem>::move(double step, const Vec& da, const Vec& df, const Vec& db) {
  a_ += step * da;
  f_ += step * df;
  b_ += step * db;
}

template <class Problem>
void DualState<Problem>::recentre_intercept() {
  const Vec step = b_ - centre_;
  centre_ = b_;
  b_ += step;
}

template <class Problem>
bool DualState<Problem>::proceed(Run& run) {
  Solution s = solution("");
  const auto estimate = [&] { return problem_.estimate(s, s, run); };
  const auto certify = [&] {
    const Certificate c = problem_.certify(s, s, run);
    const bool whole = free_ && run.within_tolerance(c);
    if (whole) a_ = Eigen::Map<const Vec>(s.a.data(), s.a.size());
    if (whole) b_ = centre_ = listed(s.b);
    if (whole || !free_) f_ = Eigen::Map<const Vec>(s.f.data(), s.f.size());
    return c;
  };
  return run.proceed(estimate, certify, 0);
}

template <class Problem>
auto DualState<Problem>::solution(const char* solver) const -> Solution {
  const Index n = problem_.n(), k = a_.size() / n;
  const auto array = [&](const Vec& v) { return Eigen::Map<const Array>(v.data(), n, k); };
  return {{array(f_), Array(), unlisted<Array>(b_)}, {array(a_)}, solver};
}

template class DualState<KernelProblem>;
template class DualState<SoftmaxProblem>;

}  // namespace dualmargin::kernel
