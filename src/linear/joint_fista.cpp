// FISTA for the softmax loss of all classes: fista.cpp, whose references and symbols hold here, with a
// matrix w of a column for each class and the best intercepts of all of them,
//
//   min_w  f(w) + \sum_c g(w_c),   f(w) = min_b \frac1W \sum_i \omega_i \phi(w^\top x_i + b; y_i).
//
//   z, z_v   scores w'x_i and v'x_i, without b
//   u        the probabilities at (v, b), a dual point that is balanced; v_c its dual sum, grad f(v)
#include <array>
#include <utility>
#include <vector>

#include "linear/joint_solvers.h"
#include "loss/class_intercepts.h"

namespace dualmargin::linear {

namespace {

// The best free intercepts of scores of all classes, where rows may lie anywhere.
class JointIntercepts {
 public:
  explicit JointIntercepts(const JointProblem& problem)
      : problem_(problem), k_(problem.classes), target_(problem.class_shares()) {
    for (Index l = 0; l < k_; ++l) {
      for (Index c = l; c < k_; ++c) place_.emplace_back(c, l);
    }
  }

  // b is where it begins; u becomes the probabilities of z + b.
  void best(const RowMat& z, Vec& b, RowMat& u) const {
    u = at(z, b);
    if (!problem_.free_intercept) return;
    best_class_intercepts(
        target_, b, u, [&](const Vec& to) { return at(z, to); },
        [&](const RowMat& p) { return mass_of(p); }, [&](const RowMat& p) { return bend_of(p); });
  }

 private:
  RowMat at(RowMat z, const Vec& b) const {
    if (problem_.free_intercept) {
      for (Index i = 0; i < z.size(); ++i) z[i] += b;
    }
    return JointProblem::probabilities(std::move(z));
  }
  Vec mass_of(const RowMat& u) const {
    return sums(problem_.rows, k_,
                [&](Index i, Index c) { return problem_.rows.share(i) * u(i, c); });
  }
  Mat bend_of(const RowMat& u) const {
    const Vec entry = sums(problem_.rows, static_cast<Index>(place_.size()), [&](Index i, Index e) {
      const auto [c, l] = place_[e];
      return problem_.rows.share(i) * u(i, c) * ((c == l ? 1.0 : 0.0) - u(i, l));
    });
    Mat H(k_, k_);
    for (std::size_t e = 0; e < place_.size(); ++e) {
      const auto [c, l] = place_[e];
      H(c, l) = H(l, c) = entry[e];
    }
    return H;
  }

  const JointProblem& problem_;
  Index k_;
  Vec target_;
  std::vector<std::pair<Index, Index>> place_;
};

}  // namespace

JointSolution joint_fista(const JointProblem& problem, bool restart, const JointSolution& start,
                          Run& run) {
  const auto& rows = problem.rows;
  const Index k = problem.classes;
  const ElasticNet& g = problem.space;
  const double mu = g.strong_convexity();
  const ClassLoss& phi = problem.loss;
  const JointIntercepts intercepts(problem);
  JointSolution s = problem.begin(start, "fista");
  Mat w = s.w, v = w, pull;
  Vec b = s.b, own = Vec::Zero(k);
  RowMat z = problem.scores(w, own, run), z_v = z, u;
  double t = 1;
  run.be_patient(0.97);
  run.spend(0.5);
  double L = std::max(rows.column_norms(run).maxCoeff(), 1e-150);
  L = std::max(L * L / phi.gamma, 1e-12 * mu);

  JointBest best(run.iterate());
  const auto cached = [&] {
    JointSolution here{{w, b}, {u}, "fista"};
    const double theta = problem.dual_scale(u, pull, run);
    problem.scale_dual(here.u, theta);
    RowMat scores = z;
    const auto [losses, gaps] = rows.sum([&](Index i) {
      auto zi = scores[i];
      zi += b;
      const double share = rows.share(i);
      return std::array<double, 2>{
          share * phi.value(scores.at(i), problem.y[i]),
          share * phi.fenchel_gap(scores.at(i), here.u.at(i), problem.y[i])};
    });
    const Certificate c(losses + problem.penalty(w), gaps + problem.penalty_gap(w, theta * pull));
    best.offer_primal(here, c.value);
    best.offer_dual(here, c.bound);
    return best.certificate();
  };
  const auto exact = [&] {
    JointSolution at{best.primal(), best.dual(), ""};
    return problem.certify(at, run);
  };
  // see fista.cpp; for any intercepts, those of v moved against the mean of the change
  const auto least = [&](const Mat& next, const RowMat& z_next) {
    const double length = (next - v).squaredNorm();
    if (length == 0) return 0.0;
    Vec shift = Vec::Zero(k);
    if (problem.free_intercept) {
      shift = -sums(rows, k,
                    [&](Index i, Index c) { return rows.share(i) * (z_next(i, c) - z_v(i, c)); });
    }
    RowMat scores = z_next;
    const auto [most, gap] = rows.sum([&](Index i) {
      auto zi = scores[i];
      const double far = (zi - z_v[i] + shift).squaredNorm(), share = rows.share(i);
      zi += b + shift;
      return std::array<double, 2>{share * far,
                                   share * phi.fenchel_gap(scores.at(i), u.at(i), problem.y[i])};
    });
    return std::min(most / phi.gamma, 2 * gap) / length;
  };

  for (;;) {
    intercepts.best(z_v, b, u);
    pull = problem.pull(problem.shares(u), run).v;
    run.spend(0.5);
    if (!run.proceed(cached, exact, 0)) break;

    Mat next;
    RowMat z_next;
    for (;; L *= 2) {
      next = (v - pull / L).unaryExpr([&](double x) { return g.prox(x, 1 / L); });
      z_next = problem.scores(next, own, run);
      run.spend(0.5);
      if (least(next, z_next) <= L || run.exhausted()) break;
    }

    const bool uphill = restart && (v - next).cwiseProduct(next - w).sum() > 0;
    const double q = mu / (L + mu), c = 1 - q * t * t;
    const double renewed = uphill ? 1 : 0.5 * (c + std::sqrt(c * c + 4 * t * t));
    const double beta = uphill ? 0 : (t - 1) / renewed * (1 - (renewed - 1) * mu / L);
    v = next + beta * (next - w);
    RowMat ahead = z_next;
    ahead.add(beta, z_next);
    ahead.add(-beta, z);
    z_v = std::move(ahead);
    t = renewed;
    if (uphill) L /= 2;
    w.swap(next);
    z = std::move(z_next);
  }
  return {best.primal(), best.dual(), "fista"};
}

}  // namespace dualmargin::linear
