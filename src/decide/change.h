// Other weights, labels and rows of a fit: where the scores of some rows would be then. Bounds that
// follow from the fit (change_pair.h), or the optimum of the changed problem itself, by Newton steps
// of a smooth loss with a ridge, by refits as far as classes are open. Rows are stored once; a
// changed problem is weights on them.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "decide/asked_rows.h"
#include "decide/change_problem.h"
#include "region/classes.h"
#include "region/secant.h"

namespace dualmargin::decide {

template <class Data>
class Change {
 public:
  // data: of the rows, which are not moved at run time; omega: the weights of the fit, 0 of rows
  // that come
  Change(std::vector<ChangedClass<Data>> classes, const Data& data, RowVec omega, Rule rule,
         bool regression, const AskedRows& asked, Refit<Data> refit,
         std::function<Columns()> columns)
      : classes_(std::move(classes)),
        data_(data),
        omega_(std::move(omega)),
        total_(classes_[0].space.rows.accurate_sum([&](Index i) { return omega_[i]; })),
        rule_(rule),
        regression_(regression),
        asked_(asked),
        all_(static_cast<std::size_t>(asked.n())),
        refit_(std::move(refit)),
        columns_(std::move(columns)) {
    std::iota(all_.begin(), all_.end(), Index(0));
  }
  Change(const Change&) = delete;

  // Of so many settings, of which `refits` at most are solved: those with the most to gain.
  template <class SettingOf>
  std::vector<Answer> answers(Index count, SettingOf setting_of, double refits, Tick& tick) const {
    std::vector<Answer> all(static_cast<std::size_t>(count));
    std::vector<Index> order(all.size());
    std::iota(order.begin(), order.end(), Index(0));
    std::vector<double> gain(all.size(), 1);
    Team& team = classes_[0].space.rows.team;
    if (refits < static_cast<double>(count)) {
      const auto bound = [&](Index s, Tick& t) {
        const Setting setting = setting_of(s);
        all[s] = bounds(setting, t);
        gain[s] = open_share(all[s], setting);
      };
      team.for_chunks(count, bound, tick);
      std::stable_sort(order.begin(), order.end(),
                       [&](Index i, Index j) { return gain[i] > gain[j]; });
      order.resize(static_cast<std::size_t>(refits));
    }
    const auto settle = [&](Index k, Tick& t) {
      const Index s = order[k];
      if (gain[s] == 0) return;
      Answer found = settled(setting_of(s), t);
      for (std::size_t c = 0; c < all[s].ends.size(); ++c) meet(found.ends[c], all[s].ends[c]);
      all[s] = std::move(found);
    };
    team.for_chunks(static_cast<Index>(order.size()), settle, tick);
    return all;
  }

  // What follows from the fit alone.
  Answer bounds(const Setting& setting, Tick& tick) const {
    Answer answer = nothing();
    if (!has_weight(setting)) return answer;
    const Problems problems = problems_of(setting, tick);
    for (std::size_t k = 0; k < problems.size(); ++k) {
      if (one_class(problems, k, answer.ends[k])) continue;
      look(*problems[k], Look::all, answer.ends[k], tick);
    }
    const bool all = problems.size() > 1 || !changes(setting);
    sharpen(problems, all ? open_of(answer, setting) : near_a_sign(answer.ends[0], setting), answer,
            tick);
    return answer;
  }

  // Solved until no class is open, and scores of a regression are known to `precise`.
  Answer settled(const Setting& setting, Tick& tick) const {
    Answer answer = nothing();
    if (!has_weight(setting)) return answer;
    const Problems problems = problems_of(setting, tick);
    for (std::size_t k = 0; k < problems.size(); ++k) {
      if (one_class(problems, k, answer.ends[k])) continue;
      answer.solved = steps(*problems[k], tick) || answer.solved;
      look(*problems[k], near(problems[k]->best) ? Look::ball : Look::cheap, answer.ends[k], tick);
    }
    if (answer.solved && open(answer, setting)) {
      look_again(problems, answer, setting, few_sharpened, tick);
    }
    for (const double tol : {1e-6, 1e-9, 1e-12}) {
      if (!open(answer, setting)) return answer;
      answer.solved = true;
      for (std::size_t k = 0; k < problems.size(); ++k) {
        if (gone(*problems[k]) != 0) continue;
        solve(*problems[k], tol, tick);
        look(*problems[k], Look::ball, answer.ends[k], tick);
      }
      if (open(answer, setting)) {
        look_again(problems, answer, setting, tol > 1e-12 ? few_sharpened : asked_.n(), tick);
      }
    }
    return answer;
  }

 private:
  using Problems = std::vector<std::unique_ptr<ChangedProblem<Data>>>;
  enum class Look { ball, cheap, curved, all };
  static constexpr double precise = 1e-8, tie = 1e-9;
  static constexpr std::size_t most_sharpened = 100;
  static constexpr Index few_sharpened = 20;

  // How much is open: predictions, or the width of the values of a regression.
  double open_share(const Answer& answer, const Setting& setting) const {
    if (!regression_) return static_cast<double>(open_of(answer, setting).size());
    double width = 0;
    for (const Index i : some_of(setting)) width += answer.ends[0].high[i] - answer.ends[0].low[i];
    return width;
  }
  const std::vector<Index>& some_of(const Setting& setting) const {
    return setting.some.empty() ? all_ : setting.some;
  }
  const RowVec& labels(const Setting& setting, std::size_t k) const {
    return setting.y.empty() ? classes_[k].space.y : setting.y[k];
  }

  Answer nothing() const {
    const Ends open{RowVec::Constant(asked_.n(), -HUGE_VAL),
                    RowVec::Constant(asked_.n(), HUGE_VAL)};
    return {std::vector<Ends>(classes_.size(), open), false};
  }
  bool has_weight(const Setting& setting) const {
    return classes_[0].space.rows.any([&](Index i) { return setting.omega[i] > 0; });
  }
  bool changes(const Setting& setting) const {
    const Rows<Data>& rows = classes_[0].space.rows;
    if (rows.any([&](Index i) { return setting.omega[i] != omega_[i]; })) return true;
    for (std::size_t k = 0; k < classes_.size(); ++k) {
      const RowVec &y = labels(setting, k), &old = classes_[k].old_y;
      if (rows.any([&](Index i) { return i < old.size() && y[i] != old[i]; })) return true;
    }
    return false;
  }
  Problems problems_of(const Setting& setting, Tick& tick) const {
    Problems problems;
    const bool changed = changes(setting);
    for (std::size_t k = 0; k < classes_.size(); ++k) {
      problems.push_back(std::make_unique<ChangedProblem<Data>>(
          classes_[k], data_, labels(setting, k), setting.omega, rule_, total_, changed, tick));
    }
    return problems;
  }

  // -1 or 1 where only rows of that class stay: a free intercept of a margin loss makes the loss 0
  // without any coefficient, with any value beyond 1; the logistic loss has no optimum then.
  static int gone(const ChangedProblem<Data>& one) {
    const region::Problem<Data>& problem = one.problem;
    if (!problem.free() || !problem.phi.of_margins()) return 0;
    const auto has = [&](double sign) {
      return problem.rows.rows.any(
          [&](Index i) { return problem.omega(i) > 0 && sign * problem.y(i) > 0; });
    };
    return (has(-1) ? 0 : 1) - (has(1) ? 0 : 1);
  }
  bool one_class(const Problems& problems, std::size_t k, Ends& ends) const {
    const int left = gone(*problems[k]);
    if (left == 0) return false;
    const region::Calculus& phi = problems[k]->problem.phi;
    const double near = phi.curving() == region::Curving::self_concordant ? HUGE_VAL : 1.0;
    for (Index i = 0; i < asked_.n(); ++i) {
      ends.low[i] = left > 0 ? near : -HUGE_VAL;
      ends.high[i] = left > 0 ? HUGE_VAL : -near;
    }
    return true;
  }

  static bool near(const Tried& point) { return point.ball.radius <= 1e-7 * point.pair.w.norm(); }
  // Is a Hessian cheap beside a refit?
  static bool narrow(const ChangedProblem<Data>& one) {
    const Index d = one.problem.rows.dim() + one.problem.free();
    return d <= region::largest_hessian && d <= std::max<Index>(100, 2 * one.problem.n());
  }
  static bool steps(ChangedProblem<Data>& one, Tick& tick) {
    const region::Problem<Data>& problem = one.problem;
    if (problem.phi.gamma() == 0 || problem.g.l1 > 0 || !narrow(one)) return false;
    // the ball need not get smaller with every step
    Tried at = one.best;
    for (int step = 0, wider = 0; step < 20 && wider < 4 && !near(at); ++step) {
      if (!newton_step(problem, at, tick)) break;
      wider = at.ball.radius < one.best.ball.radius ? 0 : wider + 1;
      one.best.keep_smaller(at);
    }
    return true;
  }
  void solve(ChangedProblem<Data>& one, double tol, Tick& tick) const {
    const region::Problem<Data>& problem = one.problem;
    linear::LinearProblem<Data> to_solve(one.rows, problem.phi.loss(), problem.g, problem.free());
    to_solve.columns = columns_;
    // the solver's rows are not moved
    const region::Pair& from = one.best.pair;
    const linear::Solution start{{from.w, from.b - one.moved.shift.dot(from.w)}, {from.a}, ""};
    linear::Solution to = refit_(to_solve, start, tol, tick);
    const double b = problem.free() ? to.b + one.moved.shift.dot(to.w) : 0.0;
    one.best.keep_smaller(tried(problem, to.w, b, std::move(to.a), tick));
  }

  // What is known of the optimum meets the ends. ball: by that alone; cheap: by all that is, beside
  // a refit; curved: by the curvature around a solved pair; all: whatever it takes.
  void look(const ChangedProblem<Data>& one, Look how, Ends& ends, Tick& tick) const {
    const region::Problem<Data>& problem = one.problem;
    const region::Pair& pair = one.best.pair;
    region::Region r;
    r.w = pair.w;
    r.b = pair.b;
    r.free = problem.free();
    r.ball = one.best.ball;
    if (r.free) {
      const region::Around<Data> around(one.moved, r.ball.centre, r.ball.radius,
                                        region::offset_rule(problem), tick);
      r.centre = around.centre(tick);
      if (how == Look::all || how == Look::cheap) r.tilt = region::tilt_of(problem, pair, tick);
    }
    if (how != Look::ball && (how == Look::all || narrow(one))) {
      r.ellipsoid = region::ellipsoid_of(problem, pair, tick);
      if (how == Look::curved && !r.ellipsoid.usable()) {
        r.ellipsoid = region::secant_of(problem, pair, r.ball, r.centre, tick);
      }
    }
    meet(ends, asked_.intervals(r, tick));
  }
  // most: so many open predictions are worth a pass over the rows each
  void look_again(const Problems& problems, Answer& answer, const Setting& setting, Index most,
                  Tick& tick) const {
    for (std::size_t k = 0; k < problems.size(); ++k) {
      if (gone(*problems[k]) == 0) look(*problems[k], Look::curved, answer.ends[k], tick);
    }
    const std::vector<Index> open = open_of(answer, setting);
    if (static_cast<Index>(open.size()) <= most) sharpen(problems, open, answer, tick);
  }

  std::vector<Index> open_of(const Answer& answer, const Setting& setting) const {
    std::vector<Index> open;
    if (regression_) return open;
    for (const Index i : some_of(setting)) {
      if (region::certain_class(answer.ends, i) < 0) open.push_back(i);
    }
    return open;
  }
  // Is there anything to gain by solving further?
  bool open(const Answer& answer, const Setting& setting) const {
    if (classes_.size() > 1) return !open_of(answer, setting).empty();
    const Ends& ends = answer.ends[0];
    for (const Index i : some_of(setting)) {
      const bool decided = !regression_ && region::certain_class(answer.ends, i) >= 0;
      const double size = std::max({1.0, std::abs(ends.low[i]), std::abs(ends.high[i])});
      const double room = (regression_ ? precise : tie) * size;
      if (!decided && !(ends.high[i] - ends.low[i] <= room)) return true;
    }
    return false;
  }
  // A pass over the rows for an open prediction is worth its price where one side of 0 is small.
  std::vector<Index> near_a_sign(const Ends& ends, const Setting& setting) const {
    if (regression_) return {};
    std::vector<std::pair<double, Index>> near;
    for (const Index i : some_of(setting)) {
      const double side = std::min(-ends.low[i], ends.high[i]) / (ends.high[i] - ends.low[i]);
      if (side > 0 && side < 0.35) near.emplace_back(side, i);
    }
    std::sort(near.begin(), near.end());
    if (near.size() > most_sharpened) near.resize(most_sharpened);
    std::vector<Index> some;
    for (const auto& [side, i] : near) some.push_back(i);
    return some;
  }
  // With a free intercept: by the offset around each of some rows.
  void sharpen(const Problems& problems, const std::vector<Index>& some, Answer& answer,
               Tick& tick) const {
    if (some.empty() || !problems[0]->problem.free()) return;
    for (std::size_t k = 0; k < problems.size(); ++k) {
      const ChangedProblem<Data>& one = *problems[k];
      if (gone(one) != 0) continue;
      const region::Around<Data> around(one.moved, one.best.ball.centre, one.best.ball.radius,
                                        region::offset_rule(one.problem), tick);
      Ends& ends = answer.ends[k];
      const auto at = [&](Index j, Tick& t) {
        const Index i = some[j];
        const region::Interval own = around.at(asked_.row(i), t);
        if (own.low > ends.low[i]) ends.low[i] = own.low;
        if (own.high < ends.high[i]) ends.high[i] = own.high;
      };
      one.rows.team.for_chunks(static_cast<Index>(some.size()), at, tick);
    }
  }

  const std::vector<ChangedClass<Data>> classes_;
  const Data& data_;
  const RowVec omega_;
  const double total_;
  const Rule rule_;
  const bool regression_;
  const AskedRows& asked_;
  std::vector<Index> all_;
  const Refit<Data> refit_;
  const std::function<Columns()> columns_;
};

}  // namespace dualmargin::decide
