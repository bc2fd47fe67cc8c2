#include "algebra/interior_point.h"

namespace dualmargin {

template <class F>
void Slacks::for_coordinates(F f) const {
  const Index first = over ? over->n() : 0, length = over ? block : slack.size();
  for (Index begin = 0; begin < slack.size(); begin += length) {
    for (Index k = begin + first; k < begin + length; ++k) f(k);
  }
}

template <class Term>
double Slacks::sum(Term term) const {
  Sum total;
  if (over) {
    total.add(over->sum([&](Index i) {
      double in_row = 0;
      for (Index k = i; k < slack.size(); k += block) in_row += term(k);
      return in_row;
    }));
  }
  for_coordinates([&](Index k) { total.add(term(k)); });
  return total.value();
}

double Slacks::degree() const {
  return sum([&](Index k) { return weight[k] * target[k]; });
}

double Slacks::gap() const {
  return sum([&](Index k) { return weight[k] * slack[k] * multiplier[k]; });
}

double Slacks::gap(const Step& step, const StepLengths& length) const {
  return sum([&](Index k) {
    return weight[k] * (slack[k] + length.primal * step.slack[k]) *
           (multiplier[k] + length.dual * step.multiplier[k]);
  });
}

Vec Slacks::ratio() const { return multiplier.cwiseQuotient(slack); }

Vec Slacks::predictor() const { return -slack.cwiseProduct(multiplier); }

Vec Slacks::corrector(double mu, const Step& affine) const {
  return mu * target - slack.cwiseProduct(multiplier) -
         affine.slack.cwiseProduct(affine.multiplier);
}

Vec Slacks::recentred(const Vec& aim, const Step& step, const StepLengths& hope, double mu) const {
  const Vec product =
      (slack + hope.primal * step.slack).cwiseProduct(multiplier + hope.dual * step.multiplier);
  const Vec back = product.cwiseMax(0.1 * mu * target).cwiseMin(10 * mu * target) - product;
  return aim + back.cwiseMax(-10 * mu * target);
}

Vec Slacks::pull(const Vec& aim, const Vec& missing) const {
  return aim.cwiseQuotient(multiplier) - missing;
}

Slacks::Step Slacks::step(const Vec& aim, Vec d_multiplier) const {
  Vec d_slack = (aim - slack.cwiseProduct(d_multiplier)).cwiseQuotient(multiplier);
  return {std::move(d_slack), std::move(d_multiplier)};
}

StepLengths Slacks::room(const Step& step) const {
  return {room(slack, step.slack), room(multiplier, step.multiplier)};
}

bool Slacks::finite(const Step& step) const {
  return std::isfinite(sum([&](Index k) { return step.multiplier[k] - step.multiplier[k]; }));
}

void Slacks::move(const Step& step, const StepLengths& length) {
  slack += length.primal * step.slack;
  multiplier += length.dual * step.multiplier;
}

double Slacks::room(const Vec& v, const Vec& dv) const {
  double step = 2;
  const auto shorten = [&](Index k, double& s) {
    if (dv[k] < 0) s = std::min(s, -v[k] / dv[k]);
  };
  if (over) {
    step = std::min(step, -over->max([&](Index i) {
      double in_row = 2;
      for (Index k = i; k < v.size(); k += block) shorten(k, in_row);
      return -in_row;
    }));
  }
  for_coordinates([&](Index k) { shorten(k, step); });
  return step;
}

KinkTerms::KinkTerms(const RowSums& rows, const Vec& c, const Vec& target, const Vec& q,
                     const Vec& r, const Vec& alpha, const Vec& beta)
    : c_(c), m_(c.size()), second_(r.size() > 0) {
  slacks.over = &rows;
  slacks.block = m_;
  const Index size = (second_ ? 3 : 2) * m_;
  for (Vec* v : {&slacks.slack, &slacks.multiplier, &slacks.weight, &slacks.target})
    v->resize(size);
  const auto fill = [&](Index block, const Vec& slack, const Vec& multiplier) {
    slacks.slack.segment(block * m_, m_) = slack;
    slacks.multiplier.segment(block * m_, m_) = multiplier;
    slacks.weight.segment(block * m_, m_) = c;
    slacks.target.segment(block * m_, m_) = target;
  };
  const Vec top = second_ ? Vec(q.cwiseMax(r)) : q, height = top.cwiseMax(0) + target;
  Vec gamma = (1 - alpha.array()).matrix();
  if (second_) gamma -= beta;
  fill(0, height - q, alpha);
  fill(1, height, gamma);
  if (second_) fill(2, height - r, beta);
}

Vec KinkTerms::first(const Vec& multiplier) const { return multiplier.head(m_); }

Vec KinkTerms::second(const Vec& multiplier) const {
  if (!second_) return Vec::Zero(m_);
  return multiplier.tail(m_);
}

void KinkTerms::look(const Vec& q, const Vec& r) {
  D_ = slacks.ratio();
  missing_ = Vec::Zero(slacks.slack.size());
  const Vec height = slacks.slack.segment(m_, m_);
  missing_.head(m_) = height - q - slacks.slack.head(m_);
  if (second_) missing_.tail(m_) = height - r - slacks.slack.tail(m_);
}

KinkTerms::Curvature KinkTerms::curvature(Index i) const {
  const double D1 = D_[i], D2 = second(D_, i), D3 = D_[m_ + i], per = c_[i] / (D1 + D2 + D3);
  return {per * D1 * (D2 + D3), -per * D1 * D2, per * D2 * (D1 + D3), per * c_[i] * D1 * D2 * D3};
}

template <class HeightsOf>
Vec KinkTerms::exchange(HeightsOf heights) const {
  Vec d(slacks.slack.size());
  for (Index i = 0; i < m_; ++i) {
    const double D1 = D_[i], D2 = second(D_, i), D3 = D_[m_ + i], S = D1 + D2 + D3;
    const auto [g1, g2, g3] = heights(i);
    d[i] = D1 * (D2 * (g1 - g2) + D3 * (g1 - g3)) / S;
    d[m_ + i] = D3 * (D1 * (g3 - g1) + D2 * (g3 - g2)) / S;
    if (second_) d[2 * m_ + i] = D2 * (D1 * (g2 - g1) + D3 * (g2 - g3)) / S;
  }
  return d;
}

Vec KinkTerms::at_rest(const Vec& aim) const {
  const Vec pull = slacks.pull(aim, missing_);
  return exchange([&](Index i) { return Heights{pull[i], second(pull, i), pull[m_ + i]}; });
}

Vec KinkTerms::response(const Vec& dq, const Vec& dr) const {
  return exchange([&](Index i) { return Heights{dq[i], second_ ? dr[i] : 0.0, 0}; });
}

}  // namespace dualmargin
