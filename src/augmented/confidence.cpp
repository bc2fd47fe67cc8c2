#include "augmented/confidence.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dualmargin::augmented {

Spread Spread::after(double factor) const {
  return {count, square, trace / factor, width / factor, along / factor};
}

double Spread::sd() const {
  return std::hypot(2 * std::sqrt(std::max(square, 0.0)) * std::sqrt(along), of_trace());
}

double Spread::limit(double t) const {
  constexpr int grid = 64;
  const double right = 1.5707963267948966;
  // |m|^2 - tr(S) has the error of the trace too
  const double lack = std::min(t * of_trace(), std::max(0.0, trace - along));
  double largest = 0;
  for (int k = 0; k <= grid; ++k) {
    const double angle = right * k / grid;
    const double rest = square + along + lack * std::sin(angle);
    largest =
        std::max(largest, t * std::sqrt(along) * std::cos(angle) + std::sqrt(std::max(0.0, rest)));
  }
  return largest * largest;
}

void SpreadOf::add(Vec& p) {
  const double mean = p.mean();
  p.array() -= mean;
  square_ += mean * mean;
  along_ += mean * p;
  gram_.selfadjointView<Eigen::Lower>().rankUpdate(p);
}

Spread SpreadOf::spread() const {
  const Mat gram = gram_.selfadjointView<Eigen::Lower>();
  const double count = static_cast<double>(gram.cols()), k = count - 1;
  const double trace = gram.trace() / k;
  // tr(S^2) / tr(S)^2: squares of squares would leave the range of double precision first
  const double ratio = trace > 0 ? (gram / (k * trace)).squaredNorm() - 1 / k : 0;
  Spread s;
  s.count = count;
  s.trace = trace / count;
  s.width = s.trace * std::sqrt(std::max(0.0, k * k / ((k - 1) * (k + 2)) * ratio));
  s.square = square_ - s.trace;
  const double along = square_ > 0 ? along_.stableNorm() / std::sqrt(square_) : 0;
  s.along = along * along / (k * count);
  if (s.trace > 0) s.along = std::max(s.along, s.width * (s.width / s.trace));
  s.along = std::min(s.along, s.trace);
  return s;
}

ConfidenceSampler::ConfidenceSampler(const ExpectedErm& problem, const ConfidenceOptions& options,
                                     Sampler& seeds)
    : problem_(problem), options_(options), seeds_(seeds), masks_(problem) {
  const double count = masks_.count(), rows = problem.rows.count();
  if (problem.known() || !(count < HUGE_VAL)) return;
  const double drawn = options.batches * static_cast<double>(settling_visits());
  const double few = problem.perturbation.keep() < 0.5 ? 4096 : 64;
  if (count <= drawn * rows || count <= std::min(few * rows, few_masks))
    masks_per_row_ = count / rows;
}

std::vector<Certificate> ConfidenceSampler::estimate(const std::vector<Vec>& points, Tick& tick) {
  std::vector<Certificate> estimates;
  if (problem_.known()) {
    for (const Vec& w : points) estimates.push_back(exact(w, tick));
    return estimates;
  }
  const std::uint64_t visits = replaces() ? 1 : 2;
  Batch one(seed(), points), other(seed(), points);
  const auto replaced = stand_ins(points, tick);
  const auto draws = [&](Index b, Tick& t) {
    Batch& batch = b == 0 ? one : other;
    while (batch.visits < visits) sample(points, replaced, batch, t);
  };
  problem_.rows.team.for_chunks(2, draws, tick);
  spent_ += 2 * static_cast<double>(visits);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec& w = points[k];
    const Vec g = problem_.least_subgradient(w, one.gradient(k) / double(visits));
    const Vec h = problem_.least_subgradient(w, other.gradient(k) / double(visits));
    const double value = (one.value(k) + other.value(k)) / (2 * double(visits));
    estimates.emplace_back(value + problem_.penalty.value(w), g.dot(h) / (2 * problem_.penalty.l2));
  }
  return estimates;
}

GradientBound ConfidenceSampler::certify(const Vec& w, double budget, bool last,
                                         FunctionRef<bool(const Certificate&)> enough, Tick& tick) {
  if (problem_.known()) return exact(w, tick);
  if (enumerates()) {
    spent_ += price_of_masks();
    return masks_.certify(w, tick);
  }
  if (batches_.empty() || points_[0] != w) {
    points_.assign(1, w);
    replaced_ = stand_ins(points_, tick);
    rounding_ = std::make_unique<Rounding>(problem_, points_[0], static_cast<double>(problem_.n()));
    batches_.clear();
    visits_ = 0;
    for (int b = 0; b < options_.batches; ++b) batches_.emplace_back(seed(), points_);
    draw(1, tick);
  }
  const std::uint64_t settled = settling_visits();
  if (visits_ < settled && !draw(settled, tick)) {
    GradientBound c = bound_of(spread(), 1);
    c.drop_bound();
    c.value_error = HUGE_VAL;  // batches agree on what all have missed
    return c;
  }
  const double limit = spent_ + budget, farthest = spent_ + (last ? reach : 1) * budget;
  for (;;) {
    const Spread s = spread();
    const GradientBound c = bound_of(s, 1);
    if (enough(c)) return c;
    double factor = 2;
    while (factor <= most && !enough(bound_of(s.at_best(), factor))) factor *= 2;
    const double taken = price() * static_cast<double>(visits_);
    wanted_ = factor > most ? taken : factor * taken;
    const bool promising = factor <= most && spent_ + wanted_ - taken <= farthest;
    const bool vague = last && s.limit(student()) > 1.25 * s.square;
    const std::uint64_t next = more_visits();
    const double cost = price() * static_cast<double>(next - visits_);
    const bool worth_it = promising ? spent_ + cost <= farthest : vague && spent_ + cost <= limit;
    if (!worth_it || !draw(next, tick)) return c;
  }
}

double ConfidenceSampler::price_of_masks() const {
  const double entries = problem_.rows.nonzeros() / problem_.rows.count();
  return 2 * masks_per_row_ / std::max(1.0, entries);
}

ConfidenceSampler::StandIns ConfidenceSampler::stand_ins(const std::vector<Vec>& points,
                                                         Tick& tick) {
  StandIns all;
  for (const Vec& w : points) all.emplace_back(problem_, w, tick);
  if (replaces()) spent_ += 1;
  return all;
}

std::uint64_t ConfidenceSampler::settling_visits() const {
  const double rare = problem_.perturbation.rarest();
  // of a function of the user's nothing is known: what it does to one value in twenty is seen
  constexpr double unknown = 0.05;
  const bool users_own = problem_.perturbation.users_own();
  if (rare == 1 && !users_own) return 1;
  const auto [sum, squares] = problem_.rows.sum([&](Index i) {
    const double share = problem_.share(i);
    return std::array<double, 2>{share, share * share};
  });
  const double rows = sum * sum / squares;
  if (users_own) {
    return static_cast<std::uint64_t>(std::ceil(events / (rows * std::min(rare, unknown))));
  }
  const double both = std::ceil(events / (rows * rare * rare));
  if (problem_.rows.longest_row() > 1 && both * problem_.rows.count() <= affordable) {
    return static_cast<std::uint64_t>(std::max(1.0, both));
  }
  const double visits = std::ceil(events / (rows * rare));
  const double cycle = static_cast<double>(problem_.perturbation.cycle());
  const bool complete = cycle > 1 && cycle * rare >= 1 - Cycle::near_whole;
  return static_cast<std::uint64_t>(std::max(1.0, complete ? std::min(visits, cycle) : visits));
}

std::uint64_t ConfidenceSampler::more_visits() const {
  const std::uint64_t cycle = problem_.perturbation.cycle();
  return visits_ < cycle && 4 * visits_ > cycle ? cycle : 2 * visits_;
}

bool ConfidenceSampler::draw(std::uint64_t visits, Tick& tick) {
  const bool begins = visits_ == 0;
  std::vector<Batch> drawn = batches_;
  const auto go_on = [&](Index b, Tick& t) {
    Batch& batch = drawn[b];
    while (batch.visits < visits && (t.in_time() || (begins && b < fewest))) {
      sample(points_, replaced_, batch, t, begins && b == 0 ? rounding_.get() : nullptr);
    }
  };
  problem_.rows.team.for_chunks(static_cast<Index>(drawn.size()), go_on, tick);
  const auto cut_short = [&](const Batch& b) { return b.visits < visits; };
  for (const Batch& b : drawn) spent_ += static_cast<double>(b.visits - visits_);
  const auto end = std::remove_if(drawn.begin(), drawn.end(), cut_short);
  if (end != drawn.end() && !begins) return false;
  drawn.erase(end, drawn.end());
  batches_.swap(drawn);
  visits_ = visits;
  return true;
}

Spread ConfidenceSampler::spread() const {
  const Vec& w = points_[0];
  const Index count = static_cast<Index>(batches_.size());
  const double share = 1 / static_cast<double>(visits_);
  SpreadOf all(count);
  Vec p(count);
  for (Index j = 0; j < w.size(); ++j) {
    for (Index b = 0; b < count; ++b) {
      p[b] = problem_.least_subgradient(w[j], share * batches_[b].gradient(0, j));
    }
    all.add(p);
  }
  return all.spread();
}

GradientBound ConfidenceSampler::bound_of(const Spread& s, double factor) const {
  const double count = static_cast<double>(batches_.size());
  Vec values(batches_.size());
  for (Index b = 0; b < values.size(); ++b) {
    values[b] = batches_[b].value(0) / static_cast<double>(visits_);
  }
  const double mean = values.mean();
  const double limit = s.after(factor).limit(student());
  const double se =
      (values.array() - mean).matrix().stableNorm() / std::sqrt(count * (count - 1) * factor);
  GradientBound bound(mean + problem_.penalty.value(points_[0]), limit / (2 * problem_.penalty.l2),
                      rounding_->of_gap(limit), student() * se, rounding_->of_value());
  bound.value_se = se;
  return bound;
}

GradientBound ConfidenceSampler::exact(const Vec& w, Tick& tick) {
  spent_ += 1;
  Vec gradient(w.size());
  const double value = problem_.expectation(w, gradient, tick) + problem_.penalty.value(w);
  return known_certificate(problem_, w, value, problem_.least_subgradient(w, gradient), tick);
}

void ConfidenceSampler::sample(const std::vector<Vec>& points, const StandIns& replaced,
                               Batch& batch, Tick& tick, Rounding* rounding) const {
  const Rows& x = problem_.rows;
  const Index n = problem_.n();
  PerturbedRows rows(x, problem_.perturbation, batch.seed);
  std::vector<Visit> at(n);
  for (Index i = 0; i < n; ++i) at[i] = {i, batch.visits};
  Mat values = Mat::Zero(points.size(), n);  // a column a row
  RowVec size = RowVec::Zero(rounding ? n : 0);
  std::vector<Vec> gradients(points.size(), Vec::Zero(points[0].size()));
  Vec sizes = Vec::Zero(rounding ? x.dim() : 0);
  rows.each(at, [&](Index i, const ShownRow& xi) {
    const double share = problem_.share(i);
    tick.row(i);
    for (std::size_t p = 0; share > 0 && p < points.size(); ++p) {
      const double z = xi.dot(points[p]), y = problem_.rows.y[i];
      const double value = problem_.loss->value(z, y), slope = problem_.loss->slope(z, y);
      const double known_value = replaced[p].value(i, z), known_slope = replaced[p].slope(i, z);
      const auto each = [&](auto f) { xi.for_each_place([&](Index k, Index j) { f(j, xi[k]); }); };
      values(p, i) = share * (value - known_value);
      if (p == 0 && rounding) {
        size[i] =
            rounding->row(i, value + std::abs(known_value), std::abs(slope) + std::abs(known_slope),
                          std::abs(z - replaced[p].score(i)), each, sizes);
      }
      const double rest = share * (slope - known_slope);
      Vec& gradient = gradients[p];
      if (rest != 0) each([&](Index j, double v) { gradient[j] += rest * v; });
    }
  });
  if (rounding) rounding->add(x.sum([&](Index i) { return size[i]; }), sizes);
  for (std::size_t p = 0; p < points.size(); ++p) {
    const double rest = x.accurate_sum([&](Index i) { return values(p, i); });
    gradients[p] += replaced[p].mean_gradient();
    batch.add(p, rest + replaced[p].mean_value(), gradients[p]);
  }
  ++batch.visits;
}

}  // namespace dualmargin::augmented
