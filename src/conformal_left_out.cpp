// Glue of margin_conformal(method = "jackknife+"): the optima without each row, and the sets that
// they give new rows.
#include "decide/conformal_left_out.h"

#include "border/decide.h"
#include "decide/conformal_counts.h"
#include "decide/conformal_scales.h"
#include "decide/workspace.h"

using namespace dualmargin;

namespace {

template <class Data>
Rcpp::List left_out(const Data& data, const region::StoredRows& stored, const Rcpp::List& problem,
                    const std::vector<Index>& out, const Mat& ratios, const Rcpp::List& asked,
                    Team& team, Tick& tick) {
  using Rcpp::Named;
  const bool free = border::number_at(problem, "free") != 0;
  const decide::Workspace<Data> space(data, stored, RowVec(border::vec_at(problem, "y")),
                                      RowVec(border::vec_at(problem, "omega")),
                                      border::calculus(Rcpp::as<std::string>(problem["loss"]),
                                                       border::number_at(problem, "parameter")),
                                      free, team);
  const auto at = space.at({0, border::number_at(problem, "mu")});
  // of all rows, of which only those that leave have one
  Mat shrink;
  if (ratios.size() > 0) {
    shrink = Mat::Ones(ratios.rows(), space.rows.n());
    for (std::size_t k = 0; k < out.size(); ++k) {
      shrink.col(out[k]) = ratios.col(static_cast<Index>(k));
    }
  }
  const decide::LeftOutOptima<Data> optima(at, border::vec_at(problem, "w"),
                                           border::number_at(problem, "b"), border::rule(problem),
                                           shrink, tick);
  const std::vector<decide::LeftOutOptimum> found =
      optima.solve(out, static_cast<int>(border::number_at(asked, "steps")),
                   border::number_at(asked, "refits"), tick);
  const auto n = static_cast<Index>(found.size());
  Mat w = Mat::Zero(space.moved.dim(), n);
  Vec b(n), own(n), own_half(n), radius(n), plain(n);
  Rcpp::IntegerVector steps(n);
  Rcpp::LogicalVector refitted(n);
  for (Index k = 0; k < n; ++k) {
    const auto& one = found[static_cast<std::size_t>(k)];
    if (one.w.size() > 0) w.col(k) = one.w;
    b[k] = one.b;
    own[k] = one.own;
    own_half[k] = one.own_half;
    radius[k] = one.radius;
    plain[k] = one.plain;
    steps[k] = one.steps;
    refitted[k] = one.refitted;
  }
  return Rcpp::List::create(
      Named("w") = w, Named("b") = b, Named("own") = own, Named("own_half") = own_half,
      Named("radius") = radius, Named("plain") = plain, Named("steps") = steps,
      Named("refitted") = refitted, Named("white") = optima.usable() ? optima.whitening() : Mat());
}

// What is known of the counted rows, each by the optimum without it, and of new rows by these.
// values: f without each counted row, a row a new row; norm, length: of new rows.
struct KnownOfRows {
  const Vec own, half, radius, plain, lost;
  const Rcpp::IntegerVector group;
  const Rcpp::NumericMatrix values;
  const Vec norm, length;

  KnownOfRows(const Rcpp::List& known, const Rcpp::NumericMatrix& values_,
              const Rcpp::NumericVector& norm_, const Rcpp::NumericVector& length_)
      : own(border::vec_at(known, "own")),
        half(border::vec_at(known, "own_half")),
        radius(border::vec_at(known, "radius")),
        plain(border::vec_at(known, "plain")),
        lost(border::vec_at(known, "lost")),
        group(Rcpp::as<Rcpp::IntegerVector>(known["group"])),
        values(values_),
        norm(border::vec(norm_)),
        length(border::vec(length_)) {}

  // what counted row i says of new row t
  decide::Within at(Index t, Index i) const {
    const double far = std::min(radius[i] * norm[t], plain[i] * length[t]);
    return {values(t, i), far + lost[i] * (length[t] + 1)};
  }
};

}  // namespace

// frame and problem as certain_cpp() has them, with the rule; asked: `rows`, from 1, that leave one
// by one, `steps`, `refits`, and `rescale`, whether columns are scaled anew without them.
// [[Rcpp::export(rng = false)]]
Rcpp::List conformal_left_out_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                                  const Rcpp::List& asked) {
  Tick tick = border::patient();
  const MatrixView view = border::view(x);
  region::Frame place = border::row_frame(frame);
  const Vec omega = border::vec_at(problem, "omega");
  if (border::number_at(frame, "move") != 0) place.centre = region::weighted_means(view, omega);
  const region::StoredRows stored(view, place);
  const std::vector<Index> out = border::rows_of(asked["rows"]);
  Mat ratios;
  if (border::number_at(asked, "rescale") != 0) {
    ratios = decide::ridge_ratios(view, omega, place.scales, out);
  }
  Rcpp::List moved(Rcpp::clone(problem));
  const Vec offsets = border::offsets(place, border::mat_at(problem, "w").rows());
  const bool free = border::number_at(problem, "free") != 0;
  moved["b"] =
      free ? border::number_at(problem, "b") + offsets.dot(border::vec_at(problem, "w")) : 0.0;
  Team team(Rcpp::as<int>(frame["threads"]), border::number_at(frame, "chunk_entries"));
  Rcpp::List found = stored.visit([&](const auto& data) {
    return left_out(data, stored, moved, out, ratios, asked, team, tick);
  });
  found["offset"] = offsets;
  return found;
}

// Of two classes: how many counted rows are at least as strange as each label (a column) of new
// rows, for certain (`least`) and possibly (`most`). values: f without each counted row, a row a new
// row; known: `sign`, `own`, `own_half`, `radius`, `plain`, `lost`, `group`; norm, length: of new rows.
// group: of each question, labels one after the other.
// [[Rcpp::export(rng = false)]]
Rcpp::List conformal_label_counts_cpp(const Rcpp::List& known, const Rcpp::NumericMatrix& values,
                                      const Rcpp::NumericVector& norm,
                                      const Rcpp::NumericVector& length,
                                      const Rcpp::IntegerMatrix& group) {
  Tick tick = border::patient();
  const KnownOfRows rows(known, values, norm, length);
  const Vec sign = border::vec_at(known, "sign");
  Rcpp::IntegerMatrix least(values.nrow(), 2), most(values.nrow(), 2);
  for (Index t = 0; t < values.nrow(); ++t, tick.row(t)) {
    for (int l = 0; l < 2; ++l) {
      const double label = l == 0 ? -1.0 : 1.0;
      decide::Sure sure;
      for (Index i = 0; i < rows.own.size(); ++i) {
        if (rows.group[i] != group(t, l)) continue;
        decide::Within value = rows.at(t, i);
        value.middle *= label;
        sure.add({sign[i] * rows.own[i], rows.half[i]}, value);
      }
      least(t, l) = static_cast<int>(sure.least);
      most(t, l) = static_cast<int>(sure.most);
    }
  }
  return Rcpp::List::create(Rcpp::Named("least") = least, Rcpp::Named("most") = most);
}

// Of a regression: the outer ends of intervals, and how far they can be off. known: `y` for `sign`.
// [[Rcpp::export(rng = false)]]
Rcpp::List conformal_left_out_ends_cpp(const Rcpp::List& known, const Rcpp::NumericMatrix& values,
                                       const Rcpp::NumericVector& norm,
                                       const Rcpp::NumericVector& length,
                                       const Rcpp::IntegerVector& group,
                                       const Rcpp::IntegerMatrix& ranks) {
  Tick tick = border::patient();
  const KnownOfRows rows(known, values, norm, length);
  const Vec y = border::vec_at(known, "y");
  const Index levels = ranks.ncol();
  Mat lower = Mat::Constant(values.nrow(), levels, -HUGE_VAL), upper = -lower;
  double off = 0;
  for (Index t = 0; t < values.nrow(); ++t, tick.row(t)) {
    std::vector<decide::Within> low, high;  // high with its sign turned
    for (Index i = 0; i < rows.own.size(); ++i) {
      if (rows.group[i] != group[t]) continue;
      const decide::Within value = rows.at(t, i);
      const double r = std::abs(y[i] - rows.own[i]), both = value.half + rows.half[i];
      low.push_back({value.middle - r, both});
      high.push_back({-(value.middle + r), both});
    }
    for (Index l = 0; group[t] > 0 && l < levels; ++l) {
      const Index k = ranks(group[t] - 1, l);
      if (k < 1) continue;
      const decide::Within from = decide::kth_smallest(low, k), to = decide::kth_smallest(high, k);
      lower(t, l) = from.middle;
      upper(t, l) = -to.middle;
      off = std::max({off, from.half, to.half});
    }
  }
  return Rcpp::List::create(Rcpp::Named("lower") = lower, Rcpp::Named("upper") = upper,
                            Rcpp::Named("off") = off);
}
