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
#pragma once

#include <algorithm>

#include "base/illinois.h"
#include "base/numeric.h"

namespace dualmargin::robust {

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

}  // namespace dualmargin::robust
