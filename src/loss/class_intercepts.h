// Free intercepts of the classes beside the softmax loss, whose optimality condition is that the
// dual points u_i have the shares of the classes as their mean: \sum_i \omega_i a_i = 0.
#pragma once

#include <utility>

#include "base/numeric.h"

namespace dualmargin {

// theta and p, a point of the simplex, with which the (1 - theta) u_i + theta p have the mean
// `target` where the u_i have the mean `mass`; theta is as small as p >= 0 allows, and 0 where no
// class has more than that, or so little more that it is lost beside the others.
struct ClassBalance {
  double theta;
  Vec point;
};
ClassBalance balance_of(const Vec& mass, const Vec& target);

// By what share of a class its mass can be off and still be right to the last digits.
constexpr double same_mass = 3e-15;

// H^{-1} right. Moving all by one number changes nothing: H is made regular in that direction.
Vec class_step(Mat H, const Vec& right);

// The best free intercepts of scores of all classes,
//
//   min_b  \frac1W \sum_i \omega_i \phi(z_i + b; y_i),
//
// by Newton's method. Where a step does not bring the mean probabilities nearer to the shares of the
// classes, `target`, each b_c moves by the logarithm of what is missing, which does.
//   b, u       where it begins, and the probabilities there; at the end those of the best
//   at(b)      probabilities
//   mass(u)    their mean
//   bend(u)    the mean of diag(u_i) - u_i u_i', which is kept while it brings these ten times nearer
//   tolerance  how far from their shares they may stay, as a part of these
//   H          the first of these, where it is known
template <class Points, class At, class Mass, class Bend>
void best_class_intercepts(const Vec& target, Vec& b, Points& u, At at, Mass mass, Bend bend,
                           double tolerance = same_mass, Mat H = Mat()) {
  constexpr int most_steps = 50;
  const auto off_by = [&](const Vec& of) {
    return ((of - target).array() / target.array()).abs().maxCoeff();
  };
  Vec own = mass(u);
  for (int step = 0; step < most_steps; ++step) {
    const double off = off_by(own);
    if (!(off > tolerance)) return;
    const bool unknown = H.size() == 0;
    if (unknown) H = bend(u);
    Vec next = b + class_step(H, target - own);
    Points there = at(next);
    Vec own_there = mass(there);
    const double off_there = off_by(own_there);
    if (!(off_there < off / 10)) H = Mat();
    if (!unknown && !(off_there < off / 2)) continue;
    if (!(off_there < off / 2)) {
      next = b + (target.array() / own.array()).log().matrix();
      there = at(next);
      own_there = mass(there);
      if (!next.allFinite() ||
          !((own_there - target).cwiseAbs().sum() < (own - target).cwiseAbs().sum())) {
        return;
      }
    }
    b = std::move(next);
    u = std::move(there);
    own = std::move(own_there);
  }
}

}  // namespace dualmargin
