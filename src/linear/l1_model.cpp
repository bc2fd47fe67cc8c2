#include "linear/l1_model.h"

#include <limits>
#include <utility>

#include "algebra/cholesky.h"
#include "algebra/conjugate_gradients.h"
#include "base/rounding.h"
#include "linear/working_set.h"

namespace dualmargin::linear {

namespace {

// H is a matrix or remains a product of columns. Both provide
//   diagonal(k)                          H_kk
//   product(k) add(k, step)              (H d)_k for the present d; d_k += step
//   multiply(set, v)                     H v within a set of coordinates
//   solve(set, ridge, right, precision)  (H + ridge) step = right within a set; no step: it failed
//   settled(yes)                         the last such step has changed no sign
//   in_time()                            is there time, and are more rounds worth theirs?
//   cross() total()                      sum_i h_i x_i; sum_i h_i with a free intercept, else 0

// The share of a column's curvature below which what a free intercept leaves of it is rounding.
constexpr double flat = rounding::of_order;

class MatrixCurvature {
 public:
  MatrixCurvature(const WeightedGram& gram, bool free, Tick& tick)
      : H_(gram.matrix()),
        cross_(Vec::Zero(gram.size())),
        image_(cross_),
        total_(free ? gram.total() : 0.0),
        tick_(tick) {
    if (total_ > 0) {
      const Vec second = H_.diagonal();
      for (Index k = 0; k < gram.size(); ++k) cross_[k] = gram.cross(k);
      H_.selfadjointView<Eigen::Lower>().rankUpdate(cross_, -1 / total_);
      // a column whose curvature is the intercept's has none but rounding
      for (Index k = 0; k < gram.size(); ++k) {
        if (H_(k, k) <= flat * second[k]) H_(k, k) = 0;
      }
    }
    H_.triangularView<Eigen::StrictlyUpper>() = H_.transpose();
  }

  // A matrix, without an intercept.
  MatrixCurvature(Mat H, Tick& tick)
      : H_(std::move(H)), image_(Vec::Zero(H_.rows())), total_(0), tick_(tick) {}

  double diagonal(Index k) const { return H_(k, k); }
  double product(Index k) const { return image_[k]; }
  void add(Index k, double step) { image_ += step * H_.col(k); }
  Vec multiply(const std::vector<Index>& set, const Vec& v) {
    Vec whole = Vec::Zero(H_.rows()), image(v.size());
    for (Index k = 0; k < v.size(); ++k) whole += v[k] * H_.col(set[k]);
    for (Index k = 0; k < v.size(); ++k) image[k] = whole[set[k]];
    return image;
  }
  LinearSolution solve(const std::vector<Index>& set, const Vec& ridge, const Vec& right, double) {
    const Index m = right.size();
    Mat A(m, m);
    for (Index j = 0; j < m; ++j) {
      for (Index i = j; i < m; ++i) A(i, j) = H_(set[i], set[j]);
      A(j, j) += ridge[j];
    }
    const auto raise = [](Mat& M, double share) { M.diagonal() *= 1 + share; };
    Cholesky factor;
    if (!factor.factor(std::move(A), beside_rounding, raise, tick_)) return {};
    return {factor.solve(right), Vec::Zero(m)};
  }
  void settled(bool) {}
  bool in_time() { return tick_.poll(); }
  const Vec& cross() const { return cross_; }
  double total() const { return total_; }

 private:
  Mat H_;
  Vec cross_, image_;  // image_ = H d
  double total_;
  Tick& tick_;
};

// By columns: coordinate descent keeps s = h (X d) and visits the entries of one column a step (Yuan,
// Ho and Lin, section 4), conjugate gradients those of the columns in use. `most`: entries to visit;
// by then a step is worth more than the rest of the model.
class ColumnCurvature {
 public:
  ColumnCurvature(const Columns& x, const std::vector<Index>& set, const Vec& h, bool free,
                  double most, Tick& tick)
      : x_(x),
        set_(set),
        h_(h),
        diagonal_(set.size()),
        cross_(Vec::Zero(set.size())),
        s_(Vec::Zero(x.n())),
        total_(free ? h.sum() : 0.0),
        most_(most),
        tick_(tick) {
    for (std::size_t k = 0; k < set.size(); ++k) {
      const Columns::Moments m = x.moments(set[k], h);
      diagonal_[k] = m.second;
      if (total_ > 0) {
        cross_[k] = m.first;
        diagonal_[k] -= m.first * m.first / total_;
        if (diagonal_[k] <= flat * m.second) diagonal_[k] = 0;
      }
      visit(k);
    }
  }

  double diagonal(Index k) const { return diagonal_[k]; }
  double product(Index k) {
    visit(k);
    return x_.dot(set_[k], s_) - (total_ > 0 ? cross_[k] * t_ / total_ : 0.0);
  }
  void add(Index k, double step) {
    x_.axpy(set_[k], step, h_, s_);
    t_ += step * cross_[k];
    visit(k);
  }
  Vec multiply(const std::vector<Index>& set, const Vec& v) {
    Vec product = Vec::Zero(x_.n()), image(v.size());
    double shift = 0;
    for (Index k = 0; k < v.size(); ++k) {
      x_.axpy(set_[set[k]], v[k], product);
      shift += cross_[set[k]] * v[k];
      visit(set[k]);
    }
    product.array() *= h_.array();
    if (total_ > 0) shift /= total_;
    for (Index k = 0; k < v.size(); ++k) {
      image[k] = x_.dot(set_[set[k]], product) - cross_[set[k]] * shift;
      visit(set[k]);
    }
    return image;
  }
  LinearSolution solve(const std::vector<Index>& set, const Vec& ridge, const Vec& right,
                       double precision) {
    Vec scale(right.size());
    for (Index k = 0; k < right.size(); ++k) scale[k] = 1 / (diagonal_[set[k]] + ridge[k]);
    const auto apply = [&](const Vec& v) { return Vec(multiply(set, v) + ridge.cwiseProduct(v)); };
    const auto scaled = [&](const Vec& v) { return Vec(v.cwiseProduct(scale)); };
    double enough = 0;
    const auto more = [&](int step, double rho) {
      if (step == 0) enough = std::max(1e-2 * rho, precision * precision);
      return step < patience_ && rho > enough && in_time();
    };
    return pcg(apply, scaled, right, more);
  }
  // precision pays once the signs have settled
  void settled(bool yes) { patience_ = yes ? 2 * patience_ : 20; }
  bool in_time() { return visited_ < most_ && tick_.poll(); }
  const Vec& cross() const { return cross_; }
  double total() const { return total_; }
  double visited() const { return visited_; }  // entries

 private:
  void visit(Index k) {
    visited_ += static_cast<double>(x_.nonzeros(set_[k]));
    tick_.row(k);
  }

  const Columns& x_;
  const std::vector<Index>& set_;
  const Vec& h_;
  Vec diagonal_, cross_;
  Vec s_;         // h (X d)
  double t_ = 0;  // sum_i s_i
  double total_, most_;
  Tick& tick_;
  int patience_ = 20;  // conjugate gradient steps
  double visited_ = 0;
};

template <class Curvature>
class L1Model {
 public:
  // On the coordinates of a set. norm: of the columns, by coordinate.
  L1Model(Curvature& H, const std::vector<Index>& set, const NewtonModel& model, const Vec& norm)
      : H_(H), set_(set), model_(model), w_(set.size()), ridge_(set.size()) {
    const ElasticNet& g = model.g;
    slope_.resize(size());
    for (Index k = 0; k < size(); ++k) {
      const Index j = set[k];
      w_[k] = model.w[j];
      slope_[k] = model.u[j] + g.l2_of(j) * w_[k];
      ridge_[k] = g.l2_of(j) + model.damping;
      // A column whose rows all sit on linear pieces of the loss needs a length to aim for, if it
      // is to move at all. What is left in a matrix after many updates is no curvature.
      const bool rests = descent_rate(g, j, w_[k], model.u[j]) <= 0;
      const double square = norm[j] * norm[j];
      const double least = rounding::of_many * square;
      if (ridge_[k] == 0 && !rests && H.diagonal(k) <= least) ridge_[k] = 1e-3 * square;
    }
    if (H.total() > 0) slope_ -= (model.r / H.total()) * H.cross();
    v_ = w_;
  }

  // Until the violation has fallen to `precision` of the first one, in so many rounds at most.
  Direction minimise(double precision, int rounds) {
    const double first = violation();
    for (int round = 0; round < rounds && H_.in_time(); ++round) {
      if (sweep(false) <= precision * first) break;
      for (int inner = 0; inner < 3; ++inner) sweep(true);
      // A step ends at the first bound that it meets, or costs what is cut off: on columns that
      // correlate rounds are spared by going on to the minimum of a face (models of nonnegative
      // absolute deviations, 60 x 200: from more than 200 rounds to 5). Zeros of an l1 part alone
      // are crossed, and nothing is gained there.
      const int faces = model_.g.bounded() ? 40 : 1;
      for (int face = 0; face < faces && !finish(0.3 * precision * first); ++face) {
        if (!H_.in_time()) break;
      }
    }
    return direction();
  }

 private:
  Index size() const { return static_cast<Index>(set_.size()); }
  double l1(Index k) const { return model_.g.l1_of(set_[k]); }
  double curvature(Index k) const { return H_.diagonal(k) + ridge_[k]; }
  double gradient(Index k) { return slope_[k] + H_.product(k) + ridge_[k] * (v_[k] - w_[k]); }
  bool in_use(Index k) const { return !on_kink(model_.g, set_[k], v_[k]); }
  // where an exact coordinate step from v ends
  double end_of_step(Index k, double v, double gradient) const {
    const double h = curvature(k);
    return model_.g.nearest(set_[k], soft_threshold(v - gradient / h, l1(k) / h));
  }
  void move(Index k, double v) {
    H_.add(k, v - v_[k]);
    v_[k] = v;
  }

  // One pass of exact coordinate steps; the root of sum curvature step^2.
  double sweep(bool only_in_use) {
    double squares = 0;
    for (Index k = 0; k < size(); ++k) {
      if (!(curvature(k) > 0) || (only_in_use && !in_use(k))) continue;
      const double end = end_of_step(k, v_[k], gradient(k)), s = end - v_[k];
      if (s == 0) continue;
      move(k, end);
      squares += curvature(k) * s * s;
    }
    return std::sqrt(squares);
  }
  // The same of the steps from w, without taking them.
  double violation() const {
    double squares = 0;
    for (Index k = 0; k < size(); ++k) {
      const double h = curvature(k);
      if (!(h > 0)) continue;
      const double s = end_of_step(k, w_[k], slope_[k]) - w_[k];
      squares += h * s * s;
    }
    return std::sqrt(squares);
  }

  // Newton on the coordinates in use. Where the step crosses kinks: the better of leaving the
  // crossing ones there and of the minimum along the step. True: it crossed none, or nothing
  // moved.
  bool finish(double precision) {
    std::vector<Index> support;
    for (Index k = 0; k < size(); ++k) {
      if (in_use(k) && curvature(k) > 0) support.push_back(k);
    }
    const Index m = static_cast<Index>(support.size());
    if (m < 2) return true;
    Vec v(m), right(m), ridge(m);
    std::vector<Coordinate> coordinates;
    for (Index k = 0; k < m; ++k) {
      const Index place = support[k], j = set_[place];
      v[k] = v_[place];
      ridge[k] = ridge_[place];
      right[k] = -gradient(place) - std::copysign(l1(place), v[k]);
      coordinates.push_back({v[k], l1(place), model_.g.lower(j), model_.g.upper(j)});
    }
    const LinearSolution full = H_.solve(support, ridge, right, precision);
    if (full.solution.size() == 0) return true;
    Vec end = up_to_kinks(coordinates, full.solution);
    const bool inside = end == v + full.solution;
    H_.settled(inside);
    if (!inside) {
      // as long as no sign changes the model is quadratic
      const auto value_of = [&](const Vec& step) {
        const Vec image = H_.multiply(support, step) + ridge.cwiseProduct(step);
        return 0.5 * step.dot(image) - right.dot(step);
      };
      double by_clipping = value_of(end - v);
      for (double t = 0.5; model_.g.bounded() && t > 1e-3 && H_.in_time(); t /= 2) {
        const Vec shorter_step_end = up_to_kinks(coordinates, t * full.solution);
        const double value = value_of(shorter_step_end - v);
        if (by_clipping < std::min(value, 0.0)) break;
        if (!(value < by_clipping)) continue;
        by_clipping = value;
        end = shorter_step_end;
      }
      const auto [length, by_going] =
          beyond_kinks(coordinates, full.solution, right.dot(full.solution),
                       full.solution.dot(right - full.residual));
      if (!(by_clipping < by_going)) end = within_bounds(coordinates, length * full.solution);
    }
    for (Index k = 0; k < m; ++k) move(support[k], end[k]);
    return inside || end == v;
  }

  // u'd + 1/2 d'(H + damping) d + l2/2 (|v|^2 - |w|^2) + l1 (|v|_1 - |w|_1) is negative unless w is
  // optimal.
  Direction direction() {
    Direction d;
    d.delta = Vec::Zero(model_.w.size());
    double change = 0;
    for (Index k = 0; k < size(); ++k) {
      const double step = v_[k] - w_[k];
      if (step == 0) continue;
      d.delta[set_[k]] = step;
      change +=
          0.5 * step * (slope_[k] + gradient(k)) + l1(k) * (std::abs(v_[k]) - std::abs(w_[k]));
    }
    if (H_.total() > 0) d.delta_b = -(model_.r + H_.cross().dot(v_ - w_)) / H_.total();
    d.predicted = -change;
    return d;
  }

  Curvature& H_;
  const std::vector<Index>& set_;
  const NewtonModel& model_;
  Vec w_, v_, slope_, ridge_;  // slope_: of the smooth part at w
};

Direction over_matrix(MatrixCurvature H, const std::vector<Index>& set, const NewtonModel& model,
                      const Vec& norm) {
  L1Model<MatrixCurvature> l1(H, set, model, norm);
  constexpr double rough = 1e-3, exact = 1e-8;  // of a large model a direction is enough
  return set.size() > 500 ? l1.minimise(rough, 30) : l1.minimise(exact, 200);
}

}  // namespace

Direction l1_direction(const WeightedGram& gram, bool free, const NewtonModel& model,
                       const Vec& norm, Tick& tick) {
  return over_matrix({gram, free, tick}, gram.coordinates(), model, norm);
}
Direction l1_direction(Mat H, const std::vector<Index>& set, const NewtonModel& model,
                       const Vec& norm, Tick& tick) {
  return over_matrix({std::move(H), tick}, set, model, norm);
}
Direction l1_direction(const Columns& x, const std::vector<Index>& set, bool free,
                       const NewtonModel& model, const Vec& norm, ColumnWork& work, Tick& tick) {
  ColumnCurvature H(x, set, model.h.local(), free, work.most, tick);
  L1Model<ColumnCurvature> l1(H, set, model, norm);
  Direction d = l1.minimise(work.precision, std::numeric_limits<int>::max());
  work.visited = H.visited();
  return d;
}

}  // namespace dualmargin::linear
