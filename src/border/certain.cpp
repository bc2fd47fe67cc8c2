#include "border/certain.h"

#include <string>

#include "region/classes.h"
#include "region/of_hard.h"
#include "region/of_limit.h"
#include "region/secant.h"

namespace dualmargin::region {

FrameTeam::FrameTeam(const Rcpp::List& frame)
    : Team(Rcpp::as<int>(frame["threads"]), border::number_at(frame, "chunk_entries")) {}

Question::Question(const Rcpp::List& problem)
    : given(problem),
      family(border::named<Family>("family", Rcpp::as<std::string>(problem["family"]),
                                   {{"penalised", Family::penalised},
                                    {"robust", Family::robust},
                                    {"hard", Family::hard},
                                    {"limited", Family::limited}})),
      free(border::number_at(problem, "free") != 0),
      phi(border::loss_of(problem)),
      y(border::mat_at(problem, "y")),
      w(border::mat_at(problem, "w")),
      omega(border::vec_at(problem, "omega")),
      b(border::vec_at(problem, "b")) {
  classes = static_cast<int>(y.cols());
}

void Question::fits(const Storage& data, const RowFrame& at) const {
  border::assert_problem(given, data.n(),
                         family == Family::limited ? at.scales.size() : data.dim());
}

RowVec Question::column(const char* name, int k) const {
  const Mat all = border::mat_at(given, name);
  return all.cols() > k ? RowVec(Vec(all.col(k))) : RowVec();
}

ElasticNet Question::penalty() const {
  return family == Family::penalised ? ElasticNet{number("l1"), number("mu")} : ElasticNet();
}

RobustSet Question::robust() const {
  const auto q = border::named<Norm>("norm", Rcpp::as<std::string>(given["norm"]),
                                     {{"l1", Norm::l1}, {"l2", Norm::l2}, {"linf", Norm::linf}});
  return {{q}, number("radius"), number("cost"), number("ridge")};
}

Classes::Classes(const Storage& data, const Question& ask, Team& team) {
  for (int k = 0; k < ask.classes; ++k) {
    RowVec y(Vec(ask.y.col(k)));
    workspaces_.push_back(k == 0
                              ? std::make_unique<Workspace>(data, std::move(y), RowVec(ask.omega),
                                                            ask.phi, ask.free, team)
                              : std::make_unique<Workspace>(*workspaces_[0], std::move(y)));
    problems_.push_back(std::make_unique<Problem>(workspaces_[k]->at(ask.penalty())));
  }
}

namespace {

OffsetRule rule_of(const Question& ask, const Problem& problem, const Rcpp::List& known) {
  if (ask.family == Family::hard) return middle_rule(problem.rows);
  if (ask.family == Family::robust && std::isfinite(ask.number("cost"))) {
    return flip_rule(problem.rows, ask.number("cost"), border::interval(known["t"]));
  }
  return offset_rule(problem);
}

Rcpp::List region_of_class(const Question& ask, const Problem& problem, int k, const Vec& offsets,
                           const Vec& origin, Tick& tick) {
  const Vec w = ask.w.col(k);
  const double b = ask.free ? ask.b[k] + offsets.dot(w) : 0.0;
  switch (ask.family) {
    case Family::penalised: {
      const Pair pair = pair_of(problem, w, b, ask.column("dual", k), tick);
      if (problem.g.l2 > 0) {
        return border::as_list(curved_region_of(problem, pair, origin, tick));
      }
      const std::vector<int> zero = lasso_zeros_of(problem, pair, tick);
      return Rcpp::List::create(Rcpp::Named("zero") =
                                    Rcpp::LogicalVector(zero.begin(), zero.end()));
    }
    case Family::robust: {
      const RobustPair pair{w,
                            b,
                            ask.column("dual", k),
                            ask.column("flip", k),
                            ask.number("value", k),
                            ask.number("gap", k)};
      const RobustRegion found = region_of(problem, ask.robust(), pair, origin, tick);
      Rcpp::List list = border::as_list(found.region);
      list["t"] = border::as_vector(found.t);
      list["norm"] = border::as_vector(found.norm);
      return list;
    }
    case Family::hard:
      return border::as_list(hard_region(problem, w, b, ask.column("dual", k), ask.number("gap", k),
                                         ask.number("bound", k), origin, tick));
    case Family::limited: {
      const Region r = limited_region(
          {w, ask.b[k], ask.number("level"), ask.number("strength"), ask.number("limit", k)},
          offsets);
      Rcpp::List list = border::as_list(r);
      if (ask.number("has") != 0) list["intercept"] = border::as_vector(r.intercept);
      return list;
    }
  }
  return Rcpp::List();
}

std::vector<Known> known_of(const Question& ask, const Classes& classes,
                            const Rcpp::List& regions) {
  std::vector<Known> known;
  for (int k = 0; k < ask.classes; ++k) {
    known.push_back({border::as_region(regions[k], classes.rows().dim()),
                     rule_of(ask, classes[k], regions[k])});
  }
  return known;
}

}  // namespace

void sharpen(const Classes& classes, const std::vector<Known>& known, FunctionRef<Vec(Index)> row,
             const std::vector<Index>& open, std::vector<Ends>& ends, Tick& tick) {
  if (open.empty()) return;
  std::vector<Around> around;
  for (const Known& one : known) {
    around.emplace_back(classes.rows(), one.region.ball.centre, one.region.ball.radius, one.rule,
                        tick);
  }
  const auto look = [&](Index c, Tick& t) {
    const Index i = open[c];
    const Vec at = row(i);
    for (std::size_t k = 0; k < around.size(); ++k) ends[k].intersect(i, around[k].at(at, t));
  };
  classes.rows().team.for_chunks(static_cast<Index>(open.size()), look, tick);
}

Rcpp::List certain_of(const Storage& data, const RowFrame& at, const Question& ask, Team& team,
                      bool sharper, Tick& tick) {
  ask.fits(data, at);
  const Classes classes(data, ask, team);
  const Vec offsets = at.offsets(), origin = -offsets;
  Rcpp::List regions(ask.classes);
  for (int k = 0; k < ask.classes; ++k) {
    regions[k] = region_of_class(ask, classes[k], k, offsets, origin, tick);
  }
  Rcpp::List out = Rcpp::List::create(Rcpp::Named("problems") = regions);
  // the optimum of a lasso need not be unique
  if (!(ask.family == Family::penalised && ask.number("mu") == 0)) {
    std::vector<Ends> all;
    for (int k = 0; k < ask.classes; ++k) {
      all.push_back(intervals(border::as_region(regions[k], offsets.size()), classes.rows(), tick));
    }
    if (sharper && ask.free) {
      sharpen(
          classes, known_of(ask, classes, regions), [&](Index i) { return classes.rows().row(i); },
          open_rows(all), all, tick);
    }
    out["training"] = border::as_list(all);
  }
  out["centre"] = at.centre;
  return out;
}

void look_further(const Storage& data, const RowFrame& at, const Rcpp::List& given,
                  const border::Further& further, const Rcpp::List& regions,
                  const decide::AskedRows& rows, std::vector<Ends>& ends, SolvedOf solved_of,
                  Team& team, Tick& tick) {
  const Rcpp::List problem = given["problem"];
  const Question ask(problem);
  ask.fits(data, at);
  border::assert_length("problems", regions.size(), ask.classes);
  const Vec offsets = at.offsets(), origin = -offsets;
  const Classes classes(data, ask, team);
  std::vector<Known> known = known_of(ask, classes, regions);
  std::vector<decide::Solved> solved;
  for (int k = 0; k < ask.classes && further.allowed.refits > 0; ++k) {
    const Vec w = ask.w.col(k);
    const double b = ask.free ? ask.b[k] + offsets.dot(w) : 0.0;
    solved.push_back(solved_of(ask, classes[k], k, Place{w, b, origin}));
  }
  const auto look = [&](bool last) {
    const std::vector<Index> open = decide::unsettled_rows(ends, further.regression);
    if (!ask.free || further.regression || !(last || open.size() <= decide::few_open)) {
      return !open.empty();
    }
    sharpen(
        classes, known, [&](Index i) { return rows.row(i); }, open, ends, tick);
    return !decide::unsettled_rows(ends, false).empty();
  };
  const auto solve = [&](double tol) {
    const auto one = [&](Index k, Tick& t) {
      Known now = solved[k](tol, t);
      ends[k].intersect(rows.intervals(now.region, t));
      if (now.region.ball.radius < known[k].region.ball.radius) known[k] = std::move(now);
    };
    team.for_chunks(ask.classes, one, tick);
  };
  decide::settle(further.allowed, look, solve);
}

Rcpp::List certain_of_others(SEXP x, const Rcpp::List& frame, const Rcpp::List& regions, Team& team,
                             LookAgain again, Tick& tick) {
  const decide::AskedRows rows(border::view(x), border::row_frame(frame), team);
  std::vector<Ends> ends;
  for (R_xlen_t k = 0; k < regions.size(); ++k) {
    ends.push_back(rows.intervals(border::as_region(regions[k], rows.rows().dim()), tick));
  }
  again(rows, ends);
  return border::as_list(ends);
}

}  // namespace dualmargin::region
