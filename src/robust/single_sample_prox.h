// The exact proximal step of one row, the paper's single-sample proximal point update:
// J. Li, C. Chen, A. M.-C. So (2020), arXiv:2010.12865, (6),
//
//   (w, b, t) <- argmin over |w|_q <= t of
//     alpha [t epsilon + c/2 |w|^2 + h_i(w, b, t)] + (|w - w_k|^2 + (b - b_k)^2 + (t - t_k)^2) / 2.
//
// With weights (s_1, s_2, s_3) on the pieces of h_i, z = y_i x_i, r = alpha (s_1 - s_2) and m = 1 +
// alpha c, (w, t) is the projection of ((w_k + r z) / m, t_k - alpha epsilon + alpha kappa s_2) in
// the metric diag(m I, 1) onto the epigraph, and b = b_k + r y_i: a free intercept is one more
// coordinate, with a metric of 1 and outside the epigraph.
#pragma once

#include <algorithm>

#include "base/numeric.h"
#include "base/roots.h"
#include "base/rounding.h"
#include "robust/robust_svm.h"

namespace dualmargin::robust {

// The weights w during a proximal step of one row z = y x: where a pull r along z leads them,
//
//   epigraph: (w, t) <- argmin (m/2) |w' - (w + r z) / m|^2 + (t' - t)^2 / 2   over  |w'|_q <= t',
//   ball:      w     <- argmin       |w' - (w + r z) / m|^2                    over  |w'|_q <= t.
//
// Both return z'w'; begin(i, |x_i|^2) returns z'w; accept() makes the point of the last call the
// new w.

// Any norm, O(dim) a call.
class DenseWeights {
 public:
  DenseWeights(const RobustSvm& problem, const Vec& w) : p_(problem), w_(w) {}

  double begin(Index i, double) {
    row_ = i;
    return p_.rows.y[i] * p_.rows.dot(i, w_);
  }
  double epigraph(double r, double m, double& t) {
    pull(r, m);
    p_.cone.project_epigraph(m, next_, t);
    return p_.rows.y[row_] * p_.rows.dot(row_, next_);
  }
  // force: nu of project_ball()
  double ball(double r, double m, double t, double& force) {
    pull(r, m);
    force = p_.cone.project_ball(t, next_);
    return p_.rows.y[row_] * p_.rows.dot(row_, next_);
  }
  void accept() { w_.swap(next_); }
  const Vec& w() { return w_; }

 private:
  void pull(double r, double m) {
    next_ = w_ / m;
    if (r != 0) p_.rows.axpy(row_, p_.rows.y[row_] * r / m, next_);
  }

  const RobustSvm& p_;
  Vec w_, next_;
  Index row_ = 0;
};

// q = 2: every call needs |w|^2, w'z and |z|^2 only, so a step costs O(nonzeros of the row).
class ScaledWeights {
 public:
  ScaledWeights(const RobustSvm& problem, const Vec& w)
      : p_(problem), vector_(w), square_(w.squaredNorm()) {}

  double begin(Index i, double square) {
    row_ = i;
    along_ = scale_ * p_.rows.y[i] * p_.rows.dot(i, vector_);
    own_ = square;
    return along_;
  }
  double epigraph(double r, double m, double& t) {
    const double size = pull(r) / m;
    keep_ = 1 / m;
    if (size > t) {
      // as project_epigraph()
      const double inner = m * size <= -t ? 0 : (m * size + t) / (m + 1);
      keep_ = inner > 0 ? keep_ * inner / size : 0;
      t = inner;
    }
    return keep_ * (along_ + r * own_);
  }
  double ball(double r, double m, double t, double& force) {
    const double size = pull(r) / m;
    force = std::max(size - t, 0.0);
    keep_ = (force > 0 ? t / size : 1) / m;
    return keep_ * (along_ + r * own_);
  }
  void accept() {
    const double before = square_;
    square_ = next_square_ * keep_ * keep_;
    if (keep_ == 0) {
      vector_.setZero();
      scale_ = 1;
      return;
    }
    if (pull_ != 0) p_.rows.axpy(row_, p_.rows.y[row_] * pull_ / scale_, vector_);
    scale_ *= keep_;
    // digits were lost, or soon will be
    if (next_square_ < 1e-6 * before || std::abs(std::log(scale_)) > 20) w();
  }
  // w itself, and everything that is kept along with it computed anew; once an epoch
  const Vec& w() {
    vector_ *= scale_;
    scale_ = 1;
    square_ = vector_.squaredNorm();
    return vector_;
  }

 private:
  double pull(double r) {
    pull_ = r;
    next_square_ = std::max(square_ + r * (2 * along_ + r * own_), 0.0);
    return std::sqrt(next_square_);
  }

  const RobustSvm& p_;
  Vec vector_;                 // w = scale_ vector_
  double scale_ = 1, square_;  // square_ = |w|^2
  Index row_ = 0;
  double along_ = 0, own_ = 0;                    // w'z and |z|^2
  double pull_ = 0, next_square_ = 0, keep_ = 1;  // of the last call
};

// Which pieces of a row's loss carry a proximal step: a search on the simplex of the three.
//
// The step of a row is  min_x max_{s in simplex} alpha sum_j s_j h_j(x) + |x - x_bar|^2 / 2 + ...,
// with h = (1 - u, 1 + u - kappa t, 0). For given s its x is one projection; the right s is the one
// whose pieces are all the largest at its x: s_j > 0 => h_j = max h. There is one corner, else one
// point of an edge, else an interior point with this property, and on an edge h_j - h_k falls as
// s_j grows.
//
// differs: J. Li, C. Chen, A. M.-C. So (2020), arXiv:2010.12865, section 3 enumerate cases, with a
// quartic equation for q = 2. As printed that equation is one for twice its unknown and some tests
// are not sufficient; this search needs neither and is safe where the quartic cancels.
struct PieceWeights {
  double first = 0, second = 0;  // of 1 - u and 1 + u - kappa t; the rest lies on the zero piece
};

// Where given weights lead.
struct Landing {
  double u, t;
};

class PieceSearch {
 public:
  // tol: how far below the largest a piece may lie and still carry weight, above the rounding of u
  PieceSearch(double kappa, bool flips, double tol) : kappa_(kappa), flips_(flips), tol_(tol) {}

  // `at(first, second)` is the Landing of these weights; `inside(r)`, with t held at 2 / kappa, is
  // u for the pull r = first - second. The last call of either is for the answer; `interior` says
  // whether it was the second.
  template <class At, class Inside>
  PieceWeights operator()(Landing here, At at, Inside inside, bool& interior) const {
    interior = false;
    Heights corner[3];
    const int guess = largest(heights(here));
    for (int k = 0; k < 3; ++k) {
      const int j = (guess + k) % 3;
      if (j == 1 && !flips_) continue;
      corner[j] = heights(at(j == 0, j == 1));
      if (corner[j].of[j] >= corner[j].top() - tol_) return {double(j == 0), double(j == 1)};
    }
    constexpr int edges[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
    for (const auto& [j, k, third] : edges) {
      if (!flips_ && (j == 1 || k == 1)) continue;
      const double from = corner[k].of[j] - corner[k].of[k], to = corner[j].of[j] - corner[j].of[k];
      if (!(from > 0 && to < 0)) continue;
      PieceWeights s;
      Heights h;
      illinois(
          [&, j = j, k = k](double share) {
            s.first = j == 0 ? share : 0.0;
            s.second = j == 1 ? share : k == 1 ? 1 - share : 0.0;
            h = heights(at(s.first, s.second));
            return h.of[j] - h.of[k];
          },
          0, from, 1, to, tol_);
      if (h.of[third] <= std::max(h.of[j], h.of[k]) + tol_) return s;
    }
    // all three pieces are level: u = 1 and t = 2 / kappa
    interior = true;
    const double low = 1 - inside(-1), high = 1 - inside(1);
    if (high >= 0) return {1, 0};
    if (low <= 0) return inside(-1), PieceWeights{0, 1};
    const double r =
        illinois([&](double pull) { return 1 - inside(pull); }, -1, low, 1, high, tol_);
    return {std::max(r, 0.0), std::max(-r, 0.0)};
  }

 private:
  struct Heights {
    double of[3];
    double top() const { return std::max({of[0], of[1], of[2]}); }
  };
  Heights heights(const Landing& x) const {
    return {{1 - x.u, flips_ ? 1 + x.u - kappa_ * x.t : -HUGE_VAL, 0}};
  }
  static int largest(const Heights& h) {
    return static_cast<int>(std::max_element(h.of, h.of + 3) - h.of);
  }

  double kappa_;
  bool flips_;
  double tol_;
};

// Weights: DenseWeights or, for q = 2, ScaledWeights.
template <class Weights>
class SingleSampleProx {
 public:
  SingleSampleProx(const RobustSvm& problem, const Solution& start)
      : p_(problem),
        weights_(problem, start.w),
        squares_(problem.rows.squared_norms()),
        b_(start.b),
        t_(start.t) {}

  PieceWeights step(Index i, double alpha) {
    const double m = 1 + alpha * p_.ridge, y = p_.rows.y[i], kappa = p_.flip_cost();
    const double lower = t_ - alpha * p_.radius, score = y * b_, lift = p_.free_intercept;
    const Landing here{weights_.begin(i, squares_[i]) + score, t_};

    double t = 0, force = 0;
    const auto at = [&](double first, double second) {
      const double r = alpha * (first - second);
      t = lower + alpha * kappa * second;
      const double u = weights_.epigraph(r, m, t);
      return Landing{u + score + lift * r, t};
    };
    const auto inside = [&](double pull) {
      const double r = alpha * pull;
      t = 2 / kappa;
      return weights_.ball(r, m, t, force) + score + lift * r;
    };
    // above what rounding does to u and kappa t at the corners
    const double size = 1 + std::abs(here.u) + alpha * (squares_[i] + lift) +
                        kappa * (std::abs(t_) + alpha * (p_.radius + kappa));
    bool interior = false;
    PieceWeights s =
        PieceSearch(kappa, p_.flips(), rounding::of_many * size)(here, at, inside, interior);
    if (interior) {
      // t = 2 / kappa is the sum of what was there, the second piece's lift and the cone's push
      const double r = s.first - s.second;
      const double second = (t - lower - m * force) / (alpha * kappa);
      s.second = std::clamp(second, std::max(0.0, -r), 0.5 * (1 - r));
      s.first = s.second + r;
    }
    weights_.accept();
    t_ = t;
    b_ += lift * alpha * (s.first - s.second) * y;
    return s;
  }

  void store(Solution& s) {
    s.w = weights_.w();
    s.b = b_;
    s.t = t_;
  }

 private:
  const RobustSvm& p_;
  Weights weights_;
  const RowVec& squares_;
  double b_, t_;
};

}  // namespace dualmargin::robust
