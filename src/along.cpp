// Glue of what is asked of every penalty of a range: names to types, then one call for all fits and
// all that they prove.
#include <array>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "border/border.h"
#include "border/linear.h"
#include "border/refit.h"
#include "border/search.h"
#include "decide/along_everywhere.h"
#include "decide/along_fold.h"
#include "decide/along_piece.h"
#include "decide/equal_rows.h"
#include "linear/path_scale.h"
#include "rows/column_scale.h"
#include "rows/row_store.h"

using namespace dualmargin;
using namespace dualmargin::linear;

namespace {

// The numbers of a point and of a chord, by their rows.
template <class F>
void for_each_number(decide::PairNumbers& pair, F f) {
  f("lambda", pair.lambda);
  f("misfit", pair.misfit);
  f("loss", pair.loss);
  f("w1", pair.w1);
  f("ww", pair.ww);
  f("we", pair.we);
  f("ee", pair.ee);
  f("du", pair.du);
  f("dim", pair.dim);
}
template <class F>
void for_each_number(decide::Chord& chord, F f) {
  const auto flag = [&](const char* name, bool& set) {
    double value = set;
    f(name, value);
    set = value != 0;
  };
  f("l1", chord.ends.l1);
  f("l2", chord.ends.l2);
  f("f12", chord.universal.f12);
  f("f21", chord.universal.f21);
  flag("curved", chord.has_curved);
  f("g", chord.curved.g);
  f("bend", chord.curved.bend);
  f("linear", chord.curved.linear);
  f("harmonic", chord.curved.harmonic);
  f("largest", chord.curved.largest);
  flag("squared", chord.curved.squared);
}

template <class Item>
Rcpp::NumericMatrix numbers_of(std::vector<Item> items) {
  std::vector<std::string> names;
  Item blank{};
  for_each_number(blank, [&](const char* name, double&) { names.emplace_back(name); });
  Rcpp::NumericMatrix out(static_cast<int>(names.size()), static_cast<int>(items.size()));
  double* to = out.begin();
  for (Item& item : items) for_each_number(item, [&](const char*, double& v) { *to++ = v; });
  Rcpp::CharacterVector rows(names.begin(), names.end());
  out.attr("dimnames") = Rcpp::List::create(rows, R_NilValue);
  return out;
}
template <class Item>
Item item_of(const Rcpp::NumericMatrix& numbers, Index column) {
  Item item{};
  const double* from = numbers.begin() + column * numbers.nrow();
  for_each_number(item, [&](const char*, double& v) { v = *from++; });
  return item;
}

// Of class k.
Rcpp::List as_list(const decide::Walk& walk, Index k, bool ridge) {
  std::vector<decide::PairNumbers> points;
  std::vector<decide::Chord> chords;
  Rcpp::NumericVector worst(walk.worst.size());
  for (const auto& point : walk.numbers) points.push_back(point[k]);
  for (const auto& piece : walk.chords) chords.push_back(piece[k]);
  for (std::size_t i = 0; i < walk.worst.size(); ++i) worst[i] = walk.worst[i][k];
  Rcpp::List out =
      Rcpp::List::create(Rcpp::Named("points") = numbers_of(points),
                         Rcpp::Named("chords") = numbers_of(chords), Rcpp::Named("worst") = worst);
  if (ridge) return out;
  const Index p = points.front().w.size(), shares = decide::dual_shares.size();
  const auto count = static_cast<Index>(points.size());
  Mat w(p, count), u(p, count), misfits(shares, count);
  for (Index i = 0; i < count; ++i) {
    w.col(i) = points[i].w;
    u.col(i) = points[i].u;
    for (Index s = 0; s < shares; ++s) misfits(s, i) = points[i].misfits[s];
  }
  out["w"] = Rcpp::wrap(w);
  out["u"] = Rcpp::wrap(u);
  out["misfits"] = Rcpp::wrap(misfits);
  return out;
}

// Point i, from 0, of what as_list() made.
decide::PairNumbers pair_of(const Rcpp::List& kept, bool ridge, Index i) {
  auto pair = item_of<decide::PairNumbers>(kept["points"], i);
  if (ridge) return pair;
  const auto column = [&](const char* name) {
    const Rcpp::NumericMatrix all = kept[name];
    return Vec(Eigen::Map<const Vec>(all.begin() + i * all.nrow(), all.nrow()));
  };
  pair.w = column("w");
  pair.u = column("u");
  const Vec misfits = column("misfits");
  for (std::size_t s = 0; s < pair.misfits.size(); ++s) pair.misfits[s] = misfits[s];
  return pair;
}

}  // namespace

namespace {

// Rows without weight are not there.
std::optional<RowChoice> weighted_rows(const RowVec& labels, const RowVec& omega) {
  RowChoice some;
  for (Index i = 0; i < omega.size(); ++i) {
    if (omega[i] > 0) some.id.push_back(i);
  }
  const auto count = static_cast<Index>(some.id.size());
  if (count == omega.size()) return {};
  some.y = RowVec::of(count, [&](Index i) { return labels[some.id[i]]; });
  some.weights = RowVec::of(count, [&](Index i) { return omega[some.id[i]]; });
  return some;
}

}  // namespace

// problem: `from` and `to` are the largest and the smallest lambda, with `relative` in units of the
// lambda at which a path starts; every lambda between them gets a relative gap of at most eps, from
// `most` points at most, else `ended` is true.
// [[Rcpp::export(rng = false)]]
Rcpp::List path_everywhere_cpp(SEXP x, const Rcpp::NumericVector& y,
                               const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                               const Rcpp::List& control) {
  border::FitCall call(problem, control);
  RowVec labels(border::vec(y));
  const RowVec omega(border::vec(weights));
  const border::Options& given = call.problem;
  const double mixture = given.number("mixture"), eps = given.number("eps");
  const auto most = static_cast<Index>(given.number("most"));
  const bool relative = given.flag("relative");
  const int classes = call.classes();
  const MatrixView view = border::view(x);
  const RowStore store(view, omega.local(), given.flag("scale"),
                       call.free() ? Origin::free : Origin::fixed, call.team,
                       reading_of(call.solver));
  ColumnStore columns(view, store.centre(), store.scales());
  border::Frame frame{store, call.penalized(), call.free()};
  const LossPtr loss = loss_by_name(given.text("loss"), given.number("parameter"));
  if (call.free() && classes == 1 && loss->of_residual()) {
    frame.level = spread_of_values(labels.local(), omega.local(), call.team).centre();
  }
  labels -= frame.level;
  std::vector<Solution> starts = starting_points(call.start, classes, frame);
  const std::optional<RowChoice> some = weighted_rows(labels, omega);
  Tick tick(Rcpp::checkUserInterrupt, Tick::Clock::now(), HUGE_VAL);

  decide::Walk walk;
  std::vector<std::vector<border::Answer>> answers(classes);
  store.visit(call.constant(), [&](const auto& data) {
    const Rows whole(data, labels, omega, call.team);
    const Rows all = some ? Rows(whole, *some) : whole;
    std::deque<RowVec> targets;
    decide::AlongClasses problems;
    for (int k = 0; k < classes; ++k) {
      targets.push_back(border::target(all.y, classes, k));
      problems.rows.emplace_back(Rows(all, targets.back()), loss, mixture, call.free());
      if (some && starts[k].a.size() > 0) {
        const RowVec dual = starts[k].a;
        starts[k].a = RowVec::of(all.n(), [&](Index i) { return dual[some->id[i]]; });
      }
    }
    problems.fit = [&](Index k, double lambda, const Solution& start, Tick& t) {
      auto p = problems.rows[k].problem(lambda);
      p.columns = [&] { return columns.view(call.constant(), t); };
      return refit(call, call.seed_of(k), p, start, t);
    };
    double top = given.number("from"), end = given.number("to");
    if (relative) {
      PathScale scale;
      for (const auto& at : problems.rows) scale.add(at.problem(0), tick);
      const double unit = scale.first_lambda(mixture);
      top *= unit;
      end *= unit;
    }
    std::vector<Report> first(classes);
    call.team.for_chunks(
        classes,
        [&](Index k, Tick& t) {
          const bool null = relative && mixture > 0;
          first[k] = problems.fit(k, top,
                                  null ? null_model(problems.rows[k].problem(0), t) : starts[k], t);
        },
        tick);
    const auto seen = [&](Index k, const Report& report) {
      answers[k].push_back(answer(report, frame, true));
    };
    walk = decide::walk_everywhere(problems, std::move(first), top, end, eps, most, seen, call.team,
                                   tick);
  });
  Rcpp::List solutions(classes), known(classes);
  for (int k = 0; k < classes; ++k) {
    Rcpp::List path(answers[k].size());
    for (std::size_t i = 0; i < answers[k].size(); ++i) path[i] = border::as_list(answers[k][i]);
    solutions[k] = path;
    known[k] = as_list(walk, k, mixture == 0);
  }
  return Rcpp::List::create(
      Rcpp::Named("scales") = store.scales(), Rcpp::Named("origin") = store.centre(),
      Rcpp::Named("lambda") = Rcpp::NumericVector(walk.lambda.begin(), walk.lambda.end()),
      Rcpp::Named("solutions") = solutions, Rcpp::Named("classes") = known,
      Rcpp::Named("ended") = walk.ended);
}

// What is known at any lambdas of a class of such a path, each between the points `upper` and `lower`,
// from 1, of which that with the larger lambda comes first; the same number for a point itself.
// [[Rcpp::export(rng = false)]]
Rcpp::List path_pieces_cpp(const Rcpp::List& kept, double mixture, const Rcpp::IntegerVector& lower,
                           const Rcpp::IntegerVector& upper, const Rcpp::NumericVector& lambda) {
  const decide::PenaltyShare penalty(mixture);
  const R_xlen_t count = lambda.size();
  Rcpp::NumericVector share(count), gap(count), value(count), bound(count), relative(count);
  Rcpp::LogicalVector interpolated(count);
  for (R_xlen_t i = 0; i < count; ++i) {
    const decide::PairNumbers low = pair_of(kept, mixture == 0, lower[i] - 1);
    decide::Piece piece;
    if (lower[i] == upper[i]) {
      piece = piece_at(penalty, low);
    } else {
      const auto high = pair_of(kept, mixture == 0, upper[i] - 1);
      const auto chord = item_of<decide::Chord>(kept["chords"], upper[i] - 1);
      piece = piece_at(penalty, low, high, chord, lambda[i]);
    }
    interpolated[i] = piece.interpolated;
    share[i] = piece.share;
    gap[i] = piece.gap;
    value[i] = piece.value;
    bound[i] = piece.bound;
    relative[i] = piece.relative_gap();
  }
  return Rcpp::List::create(Rcpp::Named("interpolated") = interpolated,
                            Rcpp::Named("share") = share, Rcpp::Named("gap") = gap,
                            Rcpp::Named("value") = value, Rcpp::Named("bound") = bound,
                            Rcpp::Named("relative_gap") = relative);
}

namespace {

// A fold: the rows that are trained on, with their weights, and those held out.
struct FoldRows {
  RowVec omega;
  std::optional<RowChoice> train;
  std::optional<decide::HeldOut> held;
  std::unique_ptr<RowStore> store;  // null: that of all folds
};

}  // namespace

// y: labels -1 and 1; weights: what an error of a row counts; folds: of each the weights in training,
// 0 for rows not trained on, and the numbers from 1 of the rows held out. problem: `from` and `to` are
// the smallest and the largest lambda; the error of the best of at most `most` points shall be within
// eps of the smallest.
// [[Rcpp::export(rng = false)]]
Rcpp::List tune_search_cpp(SEXP x, const Rcpp::NumericVector& y, const Rcpp::NumericVector& weights,
                           const Rcpp::List& folds, const Rcpp::List& problem,
                           const Rcpp::List& control) {
  border::FitCall call(problem, control);
  const RowVec labels(border::vec(y)), counted(border::vec(weights));
  const border::Options& given = call.problem;
  const decide::SearchLimits limits{given.number("from"), given.number("to"), given.number("eps"),
                                    static_cast<Index>(given.number("most"))};
  const bool scale = given.flag("scale");
  const LossPtr loss = loss_by_name(given.text("loss"), given.number("parameter"));
  const MatrixView view = border::view(x);
  Tick tick(Rcpp::checkUserInterrupt, Tick::Clock::now(), HUGE_VAL);
  const RowStore plain(view, tick);  // the rows of all folds, each fold's in a frame of its own
  const std::vector<Index> first =
      plain.visit(0, [&](const auto& data) { return decide::first_equals(data, tick); });

  std::vector<FoldRows> parts(folds.size());
  const Origin origin = call.free() ? Origin::free : Origin::fixed;
  const auto store_for = [&](const RowVec& omega) {
    return std::make_unique<RowStore>(plain, view, omega.local(), scale, origin, call.team);
  };
  // without scales the frames of all folds are the same
  const auto shared = scale ? nullptr : store_for(counted);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Rcpp::List fold = folds[k];
    const Rcpp::IntegerVector test = fold["test"];
    std::vector<Index> out;
    for (const int i : test) out.push_back(i - 1);
    FoldRows& part = parts[k];
    part.omega = RowVec(border::vec(fold["omega"]));
    part.train = weighted_rows(labels, part.omega);
    part.held.emplace(out, labels, counted, first);
    if (scale) part.store = store_for(part.omega);
  }
  std::vector<std::unique_ptr<Storage>> stored;
  std::deque<Rows> wholes;
  std::vector<decide::AlongFold> along;
  for (const FoldRows& part : parts) {
    stored.push_back((part.store ? *part.store : *shared).storage(call.constant()));
    wholes.emplace_back(*stored.back(), labels, part.omega, call.team);
    const Rows& whole = wholes.back();
    const Rows train = part.train ? Rows(whole, *part.train) : whole;
    along.emplace_back(decide::AlongRows(train, loss, 0, call.free()), whole, *part.held, tick);
  }
  const auto fit = [&](Index k, double lambda, const Solution& start, Tick& t) {
    const auto p = along[k].rows().problem(lambda);
    return refit(call, call.seed, p, start, t).solution;
  };
  return border::as_list(decide::PenaltySearch(along, fit, call.team, tick).run(limits));
}
