// Glue of margin_conformal(method = "jackknife+"): the optima without each row, and the sets that
// they give new rows.
#include "decide/conformal_left_out.h"

#include "border/conformal.h"
#include "decide/conformal_counts.h"
#include "decide/conformal_scales.h"

using namespace dualmargin;

namespace {

// A column for each set that left, and of each row of the sets, one after another, its own score.
Rcpp::List as_list(const decide::AlteredOptima& optima, const decide::LeftOutOptima& left_out,
                   const std::vector<decide::LeftOutOptimum>& found) {
  using Rcpp::Named;
  const auto n = static_cast<Index>(found.size());
  Mat w = Mat::Zero(optima.rows().dim(), n);
  Vec b(n), radius(n), plain(n);
  std::vector<double> own, own_half;
  Rcpp::IntegerVector steps(n);
  Rcpp::LogicalVector refitted(n);
  for (Index k = 0; k < n; ++k) {
    const auto& one = found[static_cast<std::size_t>(k)];
    if (one.w.size() > 0) w.col(k) = one.w;
    b[k] = one.b;
    radius[k] = one.radius;
    plain[k] = one.plain;
    steps[k] = one.steps;
    refitted[k] = one.refitted;
    own.insert(own.end(), one.own.data(), one.own.data() + one.own.size());
    own_half.insert(own_half.end(), one.own_half.data(), one.own_half.data() + one.own.size());
  }
  return Rcpp::List::create(Named("w") = w, Named("b") = b, Named("own") = own,
                            Named("own_half") = own_half, Named("radius") = radius,
                            Named("plain") = plain, Named("steps") = steps,
                            Named("refitted") = refitted,
                            Named("white") = optima.usable() ? left_out.whitening() : Mat());
}

// What is known of the counted rows, each by the optimum without it (its model), and of new rows by
// these. values: f by each model, a row a new row; norm, length: of new rows. share: what a row
// counts.
struct KnownOfRows {
  const Vec own, half, share, radius, plain, lost;
  const std::vector<int> model, group;
  const Mat values;  // a column a new row
  const Vec norm, length;
  const int threads;

  KnownOfRows(const Rcpp::List& known, const Rcpp::NumericMatrix& values_,
              const Rcpp::NumericVector& norm_, const Rcpp::NumericVector& length_)
      : own(border::vec_at(known, "own")),
        half(border::vec_at(known, "own_half")),
        share(border::vec_at(known, "share")),
        radius(border::vec_at(known, "radius")),
        plain(border::vec_at(known, "plain")),
        lost(border::vec_at(known, "lost")),
        model(Rcpp::as<std::vector<int>>(known["model"])),
        group(Rcpp::as<std::vector<int>>(known["group"])),
        values(border::mat(values_).transpose()),
        norm(border::vec(norm_)),
        length(border::vec(length_)),
        threads(Rcpp::as<int>(known["threads"])) {
    const auto of_rows = [&](const char* name, R_xlen_t found) {
      border::assert_length(name, found, own.size());
    };
    of_rows("own_half", half.size());
    of_rows("share", share.size());
    of_rows("model", static_cast<R_xlen_t>(model.size()));
    of_rows("group", static_cast<R_xlen_t>(group.size()));
    for (const Vec* of_models : {&radius, &plain, &lost}) {
      border::assert_length("models", of_models->size(), values.rows());
    }
    for (const Vec* of_new : {&norm, &length}) {
      border::assert_length("length", of_new->size(), values.cols());
    }
    for (const int m : model) {
      if (m < 1 || m > values.rows()) border::assert_length("models", values.rows(), m);
    }
  }

  Index n() const { return own.size(); }
  template <class F>  // f(t, tick) of each new row, by threads
  void each(F f) const {
    Tick tick = border::patient();
    Team team(threads);
    team.for_chunks(values.cols(), f, tick);
  }

  // what counted row i says of new row t
  decide::Within at(Index t, Index i) const {
    const Index m = model[i] - 1;
    const double half =
        length[t] > 0 ? std::min(radius[m] * norm[t], plain[m] * length[t]) : 0.0;
    return {values(m, t), half + lost[m] * (length[t] + 1)};
  }
};

}  // namespace

// frame and problem as certain_cpp() has them, with the rule; asked: `sets` of rows, from 1, that
// leave one by one, `steps`, `refits`, and `rescale`, whether columns are scaled anew without them.
// [[Rcpp::export(rng = false)]]
Rcpp::List conformal_left_out_cpp(SEXP x, const Rcpp::List& frame, const Rcpp::List& problem,
                                  const Rcpp::List& asked) {
  const border::ConformalRows rows(x, frame, problem);
  const std::vector<std::vector<Index>> sets = border::sets_of(asked);
  Mat shrink;
  if (border::number_at(asked, "rescale") != 0) {
    shrink = decide::ridge_ratios(rows.view, rows.omega, rows.place.scales, sets);
  }
  Rcpp::List found = rows.visit(frame, problem, [&](const auto& optima, Tick& tick) {
    const decide::LeftOutOptima left_out(optima, border::rule(problem), shrink, sets);
    return as_list(optima, left_out,
                   left_out.solve(static_cast<int>(border::number_at(asked, "steps")),
                                  border::number_at(asked, "refits"), tick));
  });
  found["offset"] = rows.origin;
  return found;
}

// Of two classes: how many counted rows are at least as strange as each label (a column) of new
// rows, for certain (`least`) and possibly (`most`), each by its `share`. values: f by each model, a
// row a new row; known: of counted rows `sign`, `own`, `own_half`, `share`, `model`, `group`, of models
// `radius`, `plain`, `lost`; norm, length: of new rows. group: of each question, labels one after the
// other.
// [[Rcpp::export(rng = false)]]
Rcpp::List conformal_label_counts_cpp(const Rcpp::List& known, const Rcpp::NumericMatrix& values,
                                      const Rcpp::NumericVector& norm,
                                      const Rcpp::NumericVector& length,
                                      const Rcpp::IntegerMatrix& group) {
  const KnownOfRows rows(known, values, norm, length);
  const Vec sign = border::vec_at(known, "sign", rows.n());
  const std::vector<int> asked(group.begin(), group.end());
  const Index count = rows.values.cols();
  Mat least(count, 2), most(count, 2);
  rows.each([&](Index t, Tick&) {
    for (int l = 0; l < 2; ++l) {
      const double label = l == 0 ? -1.0 : 1.0;
      const int of = asked[l * count + t];
      decide::Sure sure;
      for (Index i = 0; i < rows.n(); ++i) {
        if (rows.group[i] != of) continue;
        decide::Within value = rows.at(t, i);
        value.middle *= label;
        sure.add({sign[i] * rows.own[i], rows.half[i]}, value, rows.share[i]);
      }
      least(t, l) = sure.least;
      most(t, l) = sure.most;
    }
  });
  return Rcpp::List::create(Rcpp::Named("least") = least, Rcpp::Named("most") = most);
}

// Of a regression: the outer ends of intervals, and how far they can be off. known: `y` for `sign`;
// needs: the share of a group (a row) that must be exceeded for a level (a column).
// [[Rcpp::export(rng = false)]]
Rcpp::List conformal_left_out_ends_cpp(const Rcpp::List& known, const Rcpp::NumericMatrix& values,
                                       const Rcpp::NumericVector& norm,
                                       const Rcpp::NumericVector& length,
                                       const Rcpp::IntegerVector& group,
                                       const Rcpp::NumericMatrix& needs) {
  const KnownOfRows rows(known, values, norm, length);
  const Vec y = border::vec_at(known, "y", rows.n());
  const Mat need_of = border::mat(needs);
  const std::vector<int> asked(group.begin(), group.end());
  const Index count = rows.values.cols(), levels = need_of.cols();
  Mat lower = Mat::Constant(count, levels, -HUGE_VAL), upper = -lower;
  Vec off = Vec::Zero(count);
  rows.each([&](Index t, Tick&) {
    std::vector<std::pair<decide::Within, double>> low, high;  // high with its sign turned
    for (Index i = 0; i < rows.n(); ++i) {
      if (rows.group[i] != asked[t]) continue;
      const decide::Within value = rows.at(t, i);
      const double r = std::abs(y[i] - rows.own[i]), both = value.half + rows.half[i];
      low.push_back({{value.middle - r, both}, rows.share[i]});
      high.push_back({{-(value.middle + r), both}, rows.share[i]});
    }
    for (Index l = 0; asked[t] > 0 && l < levels; ++l) {
      const double need = need_of(asked[t] - 1, l);
      if (need < 0) continue;
      const decide::Within from = decide::first_beyond(low, need),
                           to = decide::first_beyond(high, need);
      lower(t, l) = from.middle;
      upper(t, l) = -to.middle;
      off[t] = std::max({off[t], from.half, to.half});
    }
  });
  return Rcpp::List::create(Rcpp::Named("lower") = lower, Rcpp::Named("upper") = upper,
                            Rcpp::Named("off") = count > 0 ? off.maxCoeff() : 0.0);
}
