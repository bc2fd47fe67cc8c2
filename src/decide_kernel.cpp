// Glue of margin_certain() of kernel fits and of what rests on it, as decide.cpp is of rows of
// columns. R hands over rows as the kernel sees them; those of which functions are made, the support
// vectors, lie below the rows that are asked about.
#include <memory>
#include <utility>
#include <vector>

#include "border/again.h"
#include "border/kernel_rows.h"
#include "kernel/kernel_function.h"
#include "region/classes.h"
#include "region/of_one_class.h"

using namespace dualmargin;
using namespace dualmargin::region;
using border::FormulaKernel;

namespace {

// The class problems of a fit.
struct Question {
  LossPtr phi;
  bool free;
  double mu;
  Mat y, dual;
  RowVec omega;
  std::vector<Index> used;

  explicit Question(const Rcpp::List& given)
      : phi(border::loss_of(given)),
        free(border::number_at(given, "free") != 0),
        mu(border::number_at(given, "mu")),
        y(border::mat_at(given, "y")),
        dual(border::mat_at(given, "dual")),
        omega(border::vec_at(given, "omega")),
        used(border::rows_of(given["at"])) {}

  Index classes() const { return y.cols(); }
  // The weighted mean of the rows of which functions are made.
  Vec centre() const {
    Vec coef = Vec::Zero(omega.size());
    double total = 0;
    for (const Index i : used) total += omega[i];
    for (const Index i : used) coef[i] = total > 0 ? omega[i] / total : 0.0;
    return coef;
  }
};

// Class problem k, on rows that the others share.
struct ClassProblem {
  const RowVec y;
  const FunctionRows rows;
  const FunctionProblem problem;

  ClassProblem(const Question& ask, Index k, const FunctionRows& like)
      : y(Vec(ask.y.col(k))),
        rows(like, y, ask.omega),
        problem(rows, ask.phi, {0, ask.mu}, ask.free) {}
};

// Rows of which the offset is looked at once more, around each of them.
struct OpenRow {
  double scale, error, score, lost;  // at the centre of the ball, without an offset
};
Interval around_row(const AroundRows& around, const FunctionRows& rows, const Vec& values,
                    const OpenRow& open) {
  return around.over(rows.squared_distances(values, open.scale, open.error), open.score, open.lost);
}

// Values of functions at the first `count` of the rows; the others are the points that they are
// made of.
FunctionRows::Products expansions(const FormulaKernel& formula, const kernel::Arguments& arguments,
                                  Index count) {
  return [&formula, &arguments, count](const Mat& coef, Tick& tick) {
    Mat values = Mat::Zero(count, coef.cols());
    if (arguments.n() > count && count > 0) {
      values = kernel::expansion(arguments, count, {}, formula.function, coef, tick);
      values.rowwise() += formula.constant * coef.colwise().sum();
    }
    return values;
  };
}

Ends as_ends(const Rcpp::List& list, Index k) {
  return {RowVec(Vec(border::mat_at(list, "lower").col(k))),
          RowVec(Vec(border::mat_at(list, "upper").col(k)))};
}

}  // namespace

// x: the rows of a fit. kernel: see FormulaKernel. problem: loss and its parameter, free, mu, omega,
// y and dual with a column for each class problem; at: the rows, from 1, of which functions are
// made. sharper: of rows whose class is open sharper intervals?
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_kernel_cpp(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                              bool sharper, int threads, double chunk_entries) {
  Tick tick = border::patient();
  Team team(threads, chunk_entries);
  const FormulaKernel formula(kernel);
  const Question ask(problem);
  return formula.arguments(x, team, [&](const kernel::Arguments& arguments) {
    border::assert_problem(problem, arguments.n(), 0);
    const KernelSize size = formula.size(arguments);
    const kernel::KernelStore store = formula.store(arguments, size, true, tick);
    const Gram gram(store.working(), std::sqrt(formula.constant));
    const RowVec nothing = RowVec::Zero(gram.n());
    const Samples samples(nothing, ask.omega, team);
    const FunctionRows plain(samples, gram, {size, formula.constant});
    const FunctionRows moved(plain, ask.free ? plain.function(ask.centre(), tick) : Function());
    std::vector<std::unique_ptr<ClassProblem>> classes;
    std::vector<FunctionRegion> regions;
    std::vector<Ends> all;
    Rcpp::List lists(ask.classes());
    for (Index k = 0; k < ask.classes(); ++k) {
      classes.push_back(std::make_unique<ClassProblem>(ask, k, moved));
      const ClassProblem& own = *classes.back();
      const FunctionPair pair =
          pair_of(own.problem, Function(), RowVec(Vec(ask.dual.col(k))), ask.used, tick);
      regions.push_back(region_of(own.problem, pair, tick));
      lists[k] = border::as_list(regions.back(), moved, plain, ask.used);
      all.push_back(intervals(regions.back(), moved, tick));
    }
    Rcpp::List out = Rcpp::List::create(Rcpp::Named("problems") = lists);
    if (sharper && ask.free) {
      std::vector<AroundRows> around;
      for (Index k = 0; k < ask.classes(); ++k) {
        const Function& middle = regions[k].ball.centre;
        around.push_back({regions[k].ball.radius, offset_rule(classes[k]->problem),
                          plain.products(middle), plain.roundings(middle, 0)});
      }
      const std::vector<Index> open = open_rows(all);
      const FunctionSizes& sizes = plain.sizes();
      const auto look = [&](Index c, Tick&) {
        const Index i = open[c];
        const Vec values = formula.values(arguments, i, 0);
        for (Index k = 0; k < ask.classes(); ++k) {
          const OpenRow row{sizes.scale[i], sizes.error[i], around[k].score[i],
                            around[k].rounding[i]};
          all[k].intersect(i, around_row(around[k], plain, values, row));
        }
      };
      team.for_chunks(static_cast<Index>(open.size()), look, tick);
    }
    out["training"] = border::as_list(all);
    return out;
  });
}

// The same of a one-class fit. problem: dual, and `most` of each, of all rows; gap; at.
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_oneclass_cpp(SEXP x, const Rcpp::List& kernel, const Rcpp::List& problem,
                                int threads, double chunk_entries) {
  Tick tick = border::patient();
  Team team(threads, chunk_entries);
  const FormulaKernel formula(kernel);
  return formula.arguments(x, team, [&](const kernel::Arguments& arguments) {
    const KernelSize size = formula.size(arguments);
    const kernel::KernelStore store = formula.store(arguments, size, true, tick);
    const Gram gram(store.working());
    const RowVec nothing = RowVec::Zero(gram.n()), most(border::vec_at(problem, "most", gram.n()));
    const Samples samples(nothing, most, team);
    const FunctionRows rows(samples, gram, {size, 0});
    const FunctionRegion region =
        one_class_region(rows, rows.function(border::vec_at(problem, "dual", gram.n()), tick), most,
                         border::number_at(problem, "gap"));
    const std::vector<Index> used = border::rows_of(problem["at"]);
    return Rcpp::List::create(
        Rcpp::Named("problems") = Rcpp::List::create(border::as_list(region, rows, rows, used)),
        Rcpp::Named("training") =
            border::as_list(std::vector<Ends>{intervals(region, rows, tick)}));
  });
}

// The first `count` rows of x, by regions whose functions are made of the others.
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_kernel_rows_cpp(SEXP x, int count, const Rcpp::List& kernel,
                                   const Rcpp::List& regions, int threads, double chunk_entries) {
  Tick tick = border::patient();
  Team team(threads, chunk_entries);
  const FormulaKernel formula(kernel);
  return formula.arguments(x, team, [&](const kernel::Arguments& arguments) {
    const Index points = arguments.n() - count;
    const FunctionSizes sizes(formula.size(arguments), formula.constant);
    const RowVec none = RowVec::Zero(count);
    const Samples samples(none, none, team);
    std::vector<Ends> ends;
    for (const SEXP known : regions) {
      const FunctionRows rows(samples, expansions(formula, arguments, count), sizes.part(0, count),
                              sizes.part(count, points), static_cast<double>(points),
                              border::as_function(Rcpp::List(known)["rows_centre"], points));
      ends.push_back(intervals(border::as_function_region(known, points), rows, tick));
    }
    return border::as_list(ends);
  });
}

// The same sharper, where the offset of a free intercept is looked at around each of the first
// `count` rows; the others are the rows of the fit, problem as certain_kernel_cpp() has it.
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_kernel_around_cpp(SEXP x, int count, const Rcpp::List& kernel,
                                     const Rcpp::List& regions, const Rcpp::List& problem,
                                     int threads, double chunk_entries) {
  Tick tick = border::patient();
  Team team(threads, chunk_entries);
  const FormulaKernel formula(kernel);
  const Question ask(problem);
  return formula.arguments(x, team, [&](const kernel::Arguments& arguments) {
    border::assert_problem(problem, arguments.n() - count, 0);
    border::assert_length("problems", regions.size(), ask.classes());
    const FunctionSizes sizes(formula.size(arguments), formula.constant);
    const FunctionSizes trained = sizes.part(count, arguments.n() - count);
    const RowVec nothing = RowVec::Zero(trained.scale.size()), none = RowVec::Zero(count);
    const Samples samples(nothing, ask.omega, team), asked(none, none, team);
    const FunctionRows rows(samples, {}, trained, trained, 0, {});
    const FunctionRows opened(asked, {}, sizes.part(0, count), trained.some(ask.used),
                              static_cast<double>(ask.used.size()), {});
    std::vector<std::unique_ptr<ClassProblem>> classes;
    std::vector<Function> middles;
    std::vector<AroundRows> around;
    std::vector<RowVec> lost;
    std::vector<Ends> ends(ask.classes(), Ends{RowVec(count), RowVec(count)});
    for (Index k = 0; k < ask.classes(); ++k) {
      const Rcpp::List known = regions[k], ball = known["ball"];
      classes.push_back(std::make_unique<ClassProblem>(ask, k, rows));
      middles.push_back(border::as_function(ball["centre"], static_cast<Index>(ask.used.size())));
      around.push_back({border::number_at(ball, "radius"), offset_rule(classes[k]->problem),
                        RowVec(border::vec_at(known, "scores", trained.scale.size())),
                        RowVec(border::vec_at(known, "lost", trained.scale.size()))});
      lost.push_back(opened.roundings(middles[k], 0));
    }
    const auto look = [&](Index i, Tick&) {
      const Vec values = formula.values(arguments, i, count);
      for (Index k = 0; k < ask.classes(); ++k) {
        const Function& f = middles[k];
        const double score =
            sum_over(f.coef.size(), [&](Index j) { return f.coef[j] * values[ask.used[j]]; });
        const OpenRow row{sizes.scale[i], sizes.error[i], score, lost[k][i]};
        const Interval own = around_row(around[k], rows, values, row);
        ends[k].low[i] = own.low;
        ends[k].high[i] = own.high;
      }
    };
    team.for_chunks(count, look, tick);
    return border::as_list(ends);
  });
}

// Those of them that are open, by solving the problems of the fit further. again: x, the rows of the
// fit, which are those below the first `count`; problem as certain_kernel_cpp() has it, with whether it
// is a regression; further, see Further; lower and upper, what is known. Ends as narrow as these at least.
// [[Rcpp::export(rng = false)]]
Rcpp::List certain_kernel_further_cpp(SEXP x, int count, const Rcpp::List& kernel,
                                      const Rcpp::List& again, int threads, double chunk_entries) {
  Tick tick = border::patient();
  Team team(threads, chunk_entries);
  const FormulaKernel formula(kernel);
  const Rcpp::List problem = again["problem"];
  const Question ask(problem);
  const border::Further further(border::list_at(again, "further"));
  const Rcpp::List given = again["further"];
  const border::KernelRows fit(again["x"], kernel, problem, given["call"], given["control"], tick);
  const decide::FunctionRefits refits = fit.refits();
  border::assert_problem(problem, fit.gram.n(), 0);
  std::vector<Ends> ends;
  for (Index k = 0; k < ask.classes(); ++k) ends.push_back(as_ends(again, k));
  return formula.arguments(x, team, [&](const kernel::Arguments& arguments) {
    const Index n = fit.gram.n();
    const RowVec nothing = RowVec::Zero(n), none = RowVec::Zero(count);
    const Samples samples(nothing, ask.omega, team), asked(none, none, team);
    const FunctionRows plain(samples, fit.gram, fit.sizes());
    const FunctionRows moved(plain, ask.free ? plain.function(ask.centre(), tick) : Function());
    const FunctionSizes sizes(formula.size(arguments), formula.constant);
    const FunctionSizes here = sizes.part(0, count), there = sizes.part(count, n);
    const FunctionRows of_asked(asked, expansions(formula, arguments, count), here, there,
                                static_cast<double>(n), moved.centre());
    const FunctionRows opened(asked, {}, here, there, static_cast<double>(n), {});
    const std::vector<Index> used = used_rows(ask.omega);
    std::vector<std::unique_ptr<ClassProblem>> classes;
    std::vector<kernel::Solution> at;
    std::vector<FunctionRegion> regions(static_cast<std::size_t>(ask.classes()));
    for (Index k = 0; k < ask.classes(); ++k) {
      classes.push_back(std::make_unique<ClassProblem>(ask, k, moved));
      kernel::Solution start;
      start.a = ask.dual.col(k);
      at.push_back(std::move(start));
    }
    const auto solve = [&](double tol) {
      for (Index k = 0; k < ask.classes(); ++k) {
        const ClassProblem& one = *classes[k];
        at[k] = refits.solve(one.rows, ask.mu, ask.free, at[k], tol, tick);
        const FunctionPair pair = pair_of(one.problem, Function(), RowVec(at[k].a), used, tick);
        regions[k] = region_of(one.problem, pair, tick);
        ends[k].intersect(intervals(regions[k], of_asked, tick));
      }
    };
    const auto sharpen = [&](const std::vector<Index>& open) {
      std::vector<AroundRows> around;
      std::vector<RowVec> lost;
      for (Index k = 0; k < ask.classes(); ++k) {
        const Function& middle = regions[k].ball.centre;
        around.push_back({regions[k].ball.radius, offset_rule(classes[k]->problem),
                          plain.products(middle), plain.roundings(middle, 0)});
        lost.push_back(opened.roundings(middle, 0));
      }
      const auto look = [&](Index c, Tick&) {
        const Index i = open[c];
        const Vec values = formula.values(arguments, i, count);
        for (Index k = 0; k < ask.classes(); ++k) {
          const Vec& coef = regions[k].ball.centre.coef;
          const double score = sum_over(coef.size(), [&](Index j) { return coef[j] * values[j]; });
          const OpenRow row{here.scale[i], here.error[i], score, lost[k][i]};
          ends[k].intersect(i, around_row(around[k], plain, values, row));
        }
      };
      team.for_chunks(static_cast<Index>(open.size()), look, tick);
    };
    const auto look = [&](bool last) {
      const std::vector<Index> open = decide::unsettled_rows(ends, further.regression);
      const bool sharp = ask.free && !further.regression && !regions[0].ball.centre.zero();
      if (!sharp || !(last || open.size() <= decide::few_open)) return !open.empty();
      sharpen(open);
      return !decide::unsettled_rows(ends, false).empty();
    };
    decide::settle(further.allowed, look, solve);
    return border::as_list(ends);
  });
}
