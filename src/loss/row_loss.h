// What row_losses.h gives, of vectors one by one, until all families ask that.
#pragma once

#include "loss/any_loss.h"

namespace dualmargin {

class RowLoss {
 public:
  RowLoss(const AnyLoss& loss) : loss_(loss) {}

  double gamma() const { return loss_.gamma(); }
  bool dual_shift() const { return loss_.dual_shift(); }
  bool smooth() const { return loss_.smooth(); }
  double value(const Vec& omega, const Vec& z, const Vec& y) const {
    return sum(z.size(),
               [&](Index i) { return omega[i] > 0 ? omega[i] * loss_.value(z[i], y[i]) : 0.0; });
  }
  double conjugate(const Vec& omega, const Vec& a, double theta, const Vec& y) const {
    return sum(a.size(), [&](Index i) {
      return omega[i] > 0 ? omega[i] * loss_.conjugate(theta * a[i], y[i]) : 0.0;
    });
  }
  FenchelSums fenchel_sums(const Vec& omega, const Vec& z, const Vec& a, double theta,
                           const Vec& y) const {
    std::array<Sum, 7> total;
    for (Index begin = 0; begin < z.size(); begin += 128) {
      const auto part = loss_.fenchel_sums({begin, std::min<Index>(begin + 128, z.size())}, omega,
                                           z, a, theta, y);
      for (std::size_t k = 0; k < 7; ++k) total[k].add(part[k]);
    }
    return {total[0].value(), total[1].value(), total[2].value(), total[3].value(),
            total[4].value(), total[5].value(), total[6].value()};
  }
  double fenchel_gap(const Vec& omega, const Vec& z, const Vec& a, double theta,
                     const Vec& y) const {
    return fenchel_sums(omega, z, a, theta, y).gap;
  }
  void dual_steps(const Vec& z, double shift, const Vec& y, const Vec& a, double q, Vec& slope,
                  Vec& curvature) const {
    slope.resize(z.size());
    curvature.resize(z.size());
    loss_.dual_steps({0, z.size()}, z, shift, y, a, q, slope, curvature);
  }

 private:
  template <class Term>
  static double sum(Index n, Term term) {
    return sum_over(n, term);
  }

  AnyLoss loss_;
};

}  // namespace dualmargin
