// What is certain of the optimum of a fit, wherever its rows lie: the rows and what was found for
// each class problem become regions, and regions intervals of scores.
#pragma once

#include <memory>
#include <vector>

#include "border/decide.h"
#include "decide/workspace.h"
#include "region/classes.h"
#include "region/of_hard.h"
#include "region/of_robust.h"
#include "region/secant.h"

namespace dualmargin::region {

using decide::Workspace;

// Its threads are those that a frame asks for.
struct FrameTeam : Team {
  explicit FrameTeam(const Rcpp::List& frame)
      : Team(Rcpp::as<int>(frame["threads"]), border::number_at(frame, "chunk_entries")) {}
};

enum class Family { penalised, robust, hard, bound };

struct Question {
  const Rcpp::List& given;
  Family family;
  bool free;
  int classes;
  Calculus phi;
  Mat y, w;
  Vec omega, b;

  explicit Question(const Rcpp::List& problem)
      : given(problem),
        family(border::named<Family>("family", Rcpp::as<std::string>(problem["family"]),
                                     {{"penalised", Family::penalised},
                                      {"robust", Family::robust},
                                      {"hard", Family::hard},
                                      {"bound", Family::bound}})),
        free(border::number_at(problem, "free") != 0),
        phi(border::calculus(Rcpp::as<std::string>(problem["loss"]),
                             border::number_at(problem, "parameter"))),
        y(border::mat_at(problem, "y")),
        w(border::mat_at(problem, "w")),
        omega(border::vec_at(problem, "omega")),
        b(border::vec_at(problem, "b")) {
    classes = static_cast<int>(y.cols());
  }
  double number(const char* name) const { return border::number_at(given, name); }
  double number(const char* name, int k) const { return border::vec_at(given, name)[k]; }
  RowVec column(const char* name, int k) const {
    const Mat all = border::mat_at(given, name);
    return all.cols() > k ? RowVec(Vec(all.col(k))) : RowVec();
  }
  ElasticNet penalty() const {
    return family == Family::penalised ? ElasticNet{number("l1"), number("mu")} : ElasticNet();
  }
  RobustSet robust() const {
    const auto q = border::named<Norm>("norm", Rcpp::as<std::string>(given["norm"]),
                                       {{"l1", Norm::l1}, {"l2", Norm::l2}, {"linf", Norm::linf}});
    return {{q}, number("radius"), number("cost"), number("ridge")};
  }
};

// The class problems of a question, on one copy of the rows.
template <class Data>
class Classes {
 public:
  Classes(const Data& data, const Placed& place, const Question& ask, Team& team) {
    for (int k = 0; k < ask.classes; ++k) {
      RowVec y(Vec(ask.y.col(k)));
      spaces_.push_back(k == 0 ? std::make_unique<Workspace<Data>>(data, place, std::move(y),
                                                                   RowVec(ask.omega), ask.phi,
                                                                   ask.free, team)
                               : std::make_unique<Workspace<Data>>(*spaces_[0], std::move(y)));
      problems_.push_back(std::make_unique<Problem<Data>>(spaces_[k]->at(ask.penalty())));
    }
  }
  const Problem<Data>& operator[](int k) const { return *problems_[k]; }
  const MovedRows<Data>& rows() const { return spaces_[0]->moved; }

 private:
  std::vector<std::unique_ptr<Workspace<Data>>> spaces_;
  std::vector<std::unique_ptr<Problem<Data>>> problems_;
};

template <class Data>
OffsetRule rule_of(const Question& ask, const Problem<Data>& problem, const Rcpp::List& known) {
  if (ask.family == Family::hard) return middle_rule(problem.rows);
  if (ask.family == Family::robust && std::isfinite(ask.number("cost"))) {
    return flip_rule(problem.rows, ask.number("cost"), border::interval(known["t"]));
  }
  return offset_rule(problem);
}

template <class Data>
Rcpp::List region_of_class(const Question& ask, const Problem<Data>& problem, int k,
                           const Vec& offsets, const Vec& origin, Tick& tick) {
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
    case Family::bound:
      break;
  }
  return Rcpp::List();
}

// Once more the rows whose class is open, with the offset of each class problem around them.
template <class Data, class Asked>
void sharpen(const Question& ask, const Classes<Data>& classes, const Rcpp::List& regions,
             const MovedRows<Asked>& rows, const std::vector<Index>& open, std::vector<Ends>& ends,
             Tick& tick) {
  if (open.empty()) return;
  std::vector<Region> known;
  std::vector<Around<Data>> around;
  known.reserve(regions.size());
  for (int k = 0; k < ask.classes; ++k) {
    known.push_back(border::as_region(regions[k]));
    const Region& r = known.back();
    around.emplace_back(classes[k].rows, r.ball.centre, r.ball.radius,
                        rule_of(ask, classes[k], regions[k]), tick);
  }
  const auto look = [&](Index c, Tick& t) {
    const Index i = open[c];
    const Vec at = rows.row(i);
    for (int k = 0; k < ask.classes; ++k) {
      const Interval own = around[k].at(at, t);
      ends[k].low[i] = std::max(ends[k].low[i], own.low);
      ends[k].high[i] = std::min(ends[k].high[i], own.high);
    }
  };
  classes.rows().rows.team.for_chunks(static_cast<Index>(open.size()), look, tick);
}

// The frame of rows whose weighted means are asked for where it is to move.
template <class MeansOf>
Frame moved_frame(const Rcpp::List& frame, MeansOf means) {
  Frame at = border::row_frame(frame);
  if (border::number_at(frame, "move") != 0) at.centre = means();
  return at;
}

// stored: StoredRows or FiledRows in the frame `at`. ends: are intervals of the rows wanted?
// sharper: of open ones sharper?
template <class Store>
Rcpp::List certain_of(const Store& stored, const Frame& at, const Question& ask, Team& team,
                      bool ends, bool sharper, Tick& tick) {
  const Vec offsets = border::offsets(at, stored.shift().size());
  Rcpp::List out = stored.visit([&](const auto& data) {
    using Data = std::decay_t<decltype(data)>;
    const Classes<Data> classes(data, stored, ask, team);
    const Vec origin = -offsets - stored.before();
    Rcpp::List regions =
        ask.family == Family::bound ? Rcpp::List(ask.given["regions"]) : Rcpp::List(ask.classes);
    if (ask.family != Family::bound) {
      for (int k = 0; k < ask.classes; ++k) {
        regions[k] = region_of_class(ask, classes[k], k, offsets, origin, tick);
      }
    }
    Rcpp::List found = Rcpp::List::create(Rcpp::Named("problems") = regions);
    // the optimum of a lasso need not be unique
    if (!ends || (ask.family == Family::penalised && ask.number("mu") == 0)) return found;
    std::vector<Ends> all;
    for (int k = 0; k < ask.classes; ++k) {
      all.push_back(intervals(border::as_region(regions[k]), classes.rows(), tick));
    }
    if (sharper && ask.free) {
      sharpen(ask, classes, regions, classes.rows(), open_rows(all), all, tick);
    }
    found["training"] = border::as_list(all);
    return found;
  });
  out["centre"] = at.centre;
  return out;
}

// Intervals of other rows, in the frame of the regions. again(f): f(store, problem) with the rows of
// the fit, for a second look at rows whose class is open; or nothing.
template <class Again>
Rcpp::List certain_of_others(SEXP x, const Rcpp::List& frame, const Rcpp::List& regions, Team& team,
                             Again again, Tick& tick) {
  const MatrixView view = border::view(x);
  const StoredRows stored(view, border::row_frame(frame));
  const RowVec none = RowVec::Zero(view.n);
  return stored.visit([&](const auto& data) {
    const Rows asked(data, none, none, team);
    const MovedRows rows(asked, stored);
    std::vector<Ends> ends;
    for (R_xlen_t k = 0; k < regions.size(); ++k) {
      ends.push_back(intervals(border::as_region(regions[k]), rows, tick));
    }
    again([&](const auto& own, const Rcpp::List& problem) {
      const Question ask(problem);
      own.visit([&](const auto& trained) {
        const Classes<std::decay_t<decltype(trained)>> classes(trained, own, ask, team);
        sharpen(ask, classes, regions, rows, open_rows(ends), ends, tick);
        return true;
      });
    });
    return border::as_list(ends);
  });
}

}  // namespace dualmargin::region
