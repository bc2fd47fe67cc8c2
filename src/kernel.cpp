// Glue of margin_kernel() and its path over lambda: names to types, then one call into a function
// per class problem and lambda; with landmarks on features in the place of the kernel.
#include "border/kernel_call.h"
#include "border/one_class_call.h"
#include "kernel/kernel_function.h"
#include "rows/row_store.h"

using namespace dualmargin;
using namespace dualmargin::kernel;

namespace {

// What is left where the kernel was not complete in time; its certificate asks for no kernel value.
template <class Problem, class Zero>
Zero zero_function(const Problem& problem, Zero zero, Run& run) {
  run.tick().cut_short();
  run.proceed([&] { return problem.certify(zero, zero, run); }, 0);
  return zero;
}

// All classes in one problem.
Rcpp::List fit_softmax(KernelCall& call, const KernelStore& store, const RowsOfKernel& rows,
                       const Mat& share) {
  const std::vector<SoftmaxSolution> starts{
      softmax_start(call.start, share, call.free() && !rows.moved)};
  const FunctionSpace space = store.space(call.constant(), call.omega.local());
  border::Snapshots<Vec, SoftmaxProblem::Dual> seen(
      call.checkpoint, 1,
      [&](int, const Vec& b, const SoftmaxProblem::Dual& d, border::Fields& out) {
        if (d.a.size() == 0) return;
        out.add("intercept", b);
        out.add("dual", Mat(d.a - share));
      });
  return call.path(
      call.alone, starts,
      [&](int, double lambda, const auto& f) {
        SoftmaxProblem one(FunctionSpace(space, lambda),
                           {share, call.omega, space.total_weight(), call.free()});
        one.seen = seen.of(0);
        f(one);
      },
      [&](const SoftmaxProblem& p, const SoftmaxSolution& start, Sampler& draws, Run& run) {
        if (store.complete()) return solve_softmax(call.solver, p, call.option, start, draws, run);
        return zero_function(p, SoftmaxSolution{{}, {share}, call.solver.c_str()}, run);
      },
      [&](SoftmaxReport& r, int) {
        r.near = r.intercept;
        for (Index c = 0; c < r.near.size(); ++c) r.intercept[c] -= rows.shift(r.beta.col(c));
      });
}

Rcpp::List fit_columns(KernelCall& call, const KernelStore& store, const RowsOfKernel& rows,
                       const std::vector<KernelCall::Target>& targets) {
  const FunctionSpace space = store.space(call.constant(), call.omega.local());
  border::Snapshots<double, KernelProblem::Dual> seen(
      call.checkpoint, static_cast<int>(targets.size()),
      [&](int k, double b, const KernelProblem::Dual& d, border::Fields& out) {
        call.leave(b, targets[k].level, d.a, out);
      });
  // what is not in memory is better computed by all threads for one class
  return call.columns<Solution>(
      store.in_memory() ? call.team : call.alone, targets, rows,
      [&](int k, double lambda, const auto& f) {
        KernelProblem one(
            FunctionSpace(space, lambda),
            {call.loss, targets[k].y, call.omega, call.free(), call.team, space.total_weight()});
        one.seen = seen.of(k);
        f(one);
      },
      [&](const KernelProblem& p, const Solution& start, Sampler& draws, Run& run) {
        if (store.complete()) return solve_kernel(call.solver, p, call.option, start, draws, run);
        return zero_function(p, Solution{{}, {Vec::Zero(p.n())}, call.solver.c_str()}, run);
      });
}

Rcpp::List fit_features(KernelCall& call, const NystromFeatures& features, const RowsOfKernel& rows,
                        const std::vector<KernelCall::Target>& targets) {
  const Dense data = features.data(call.constant());
  const Rows first(data, targets[0].y, call.omega, call.team);
  std::vector<Rows> each;
  each.reserve(targets.size());
  for (const KernelCall::Target& target : targets) each.emplace_back(first, target.y);
  border::Snapshots<linear::Primal, linear::Dual> seen(
      call.checkpoint, static_cast<int>(targets.size()),
      [&](int k, const linear::Primal& s, const linear::Dual& d, border::Fields& out) {
        call.leave(s.b, targets[k].level, d.a.local(), out);
      });
  return call.columns<linear::Solution>(
      call.team, targets, rows,
      [&](int k, double lambda, const auto& f) {
        NystromProblem one{{each[k], call.loss, {0, lambda}, call.free()}, features};
        one.linear.seen = seen.of(k);
        f(one);
      },
      solve_nystrom);
}

}  // namespace

// targets: a column for each class, original rows first, then the mixed ones; so also weights.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_kernel_cpp(SEXP x, const Rcpp::NumericMatrix& targets,
                          const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                          const Rcpp::List& control) {
  KernelCall call(weights, problem, control);
  Rcpp::List answer;
  const auto solve = [&](const KernelStore& store, const RowsOfKernel& rows) {
    const Mat target = border::mat(targets);
    const Rcpp::List paths = call.problem.flag("softmax")
                                 ? fit_softmax(call, store, rows, class_shares(target))
                                 : fit_columns(call, store, rows, call.targets(target));
    answer = call.answer(paths, rows, store.working().bytes());
    answer["judged"] = store.judged().factored;
  };
  const KernelStore::Budget budget{1e6 * call.problem.number("cache_mb"), call.limits.tol,
                                   asks_for_few_rows(call.solver, *call.loss)};
  Run run = call.quiet_run();
  const Refused refused =
      with_kernel(x, problem["kernel"], call.own_rows(), call.mixed, budget, call.team, run, solve);
  return refused ? refused.list() : answer;
}

// As fit_kernel_cpp(); problem$nystrom: the number of landmarks.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_nystrom_cpp(SEXP x, const Rcpp::NumericMatrix& targets,
                           const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                           const Rcpp::List& control) {
  KernelCall call(weights, problem, control);
  if (call.solver != "auto") border::unknown("solver on landmarks", call.solver);
  Sampler sampler(call.seed);
  const Index most = static_cast<Index>(call.problem.number("nystrom"));
  Rcpp::List answer;
  OwnRows own = call.own_rows();
  own.movable = false;  // landmarks of moved rows span other functions
  Run run = call.quiet_run();
  const DistinctRows distinct(border::view(x), call.omega.local(), call.team, run);
  const std::vector<Index> drawn = draw_landmarks(distinct, most, sampler);
  with_arguments(
      x, problem["kernel"], own, call.mixed, call.team, call.setup(),
      [&](const Arguments& arguments, const KernelFunction& kernel, const RowsOfKernel& rows) {
        const KernelSize size = kernel_size(arguments, call.mixed, kernel, own.scale, own.center);
        if (!in_range(size)) {
          answer = Refused{size.largest(), {}}.list();
          return;
        }
        const NystromFeatures features(arguments, call.mixed, kernel, drawn, run);
        const Rcpp::List paths =
            fit_features(call, features, rows, call.targets(border::mat(targets)));
        answer = call.answer(paths, rows, features.bytes());
      });
  return answer;
}

// problem$nu: the points of a path.
// [[Rcpp::export(rng = false)]]
Rcpp::List fit_oneclass_cpp(SEXP x, const Rcpp::NumericVector& weights, const Rcpp::List& problem,
                            const Rcpp::List& control) {
  OneClassCall call(weights, problem, control);
  const OwnRows own{call.omega, call.problem.flag("scale"), false};
  const KernelStore::Budget budget{1e6 * call.option.number("cache_mb"), call.limits.tol, true};
  MixedRows none;
  none.originals = call.omega.size();
  Rcpp::List answer;
  const auto solve = [&](const KernelStore& store, const RowsOfKernel& rows) {
    answer = answer_on(rows, call.path(store), store.working().bytes());
    answer["judged"] = store.judged().factored;
  };
  Run run = call.quiet_run();
  const Refused refused =
      with_kernel(x, problem["kernel"], own, none, budget, call.team, run, solve);
  return refused ? refused.list() : answer;
}

// Is the matrix x of kernel values positive semidefinite? whole: by a factorisation, else pairs of
// rows alone. `allowance`: what every bound has to allow for.
// [[Rcpp::export(rng = false)]]
Rcpp::List judge_kernel_cpp(const Rcpp::NumericMatrix& x, bool whole) {
  Tick tick(Rcpp::checkUserInterrupt, Tick::Clock::now(), HUGE_VAL);
  const Index n = x.nrow();
  const Judgement made = Semidefinite::judge(Semidefinite::Values(x.begin(), n, n), whole, tick);
  Rcpp::List answer = Rcpp::List::create(Rcpp::Named("allowance") = made.allowance);
  if (made.shown) answer["indefinite"] = border::as_list(made.shown);
  return answer;
}

// sum_k beta_k k(x_k, .) at the first `count` rows of x; the x_k are the others, or mixtures of
// them. All are less `rest`.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix expand_kernel_cpp(SEXP x, int count, const Rcpp::List& kernel,
                                      const Rcpp::List& mixed, const Rcpp::NumericVector& rest,
                                      const Rcpp::NumericMatrix& beta, int threads,
                                      double chunk_entries) {
  const KernelFunction function = kernel_function(border::Options(kernel));
  const MixedRows of_rows = mixed_rows(mixed, 0);
  std::vector<Mixture> mixtures;
  const MatrixView view = border::view(x);
  const Index points = view.n - count;
  for (Index k = 0; k < of_rows.n(); ++k) {
    mixtures.push_back(of_rows[k]);
    for (const Index i : {mixtures.back().first, mixtures.back().second}) {
      if (i < 0 || i >= points) border::assert_length("support$x", points, i + 1);
    }
  }
  border::assert_length("support$at", of_rows.n() > 0 ? of_rows.n() : points, beta.nrow());
  if (rest.size() > 0) border::assert_length("center", rest.size(), view.p);
  const RowStore rows(view);
  Team team(threads, chunk_entries);
  Tick tick(Rcpp::checkUserInterrupt, Tick::Clock::now(), HUGE_VAL);
  const std::unique_ptr<Storage> data = rows.storage(0);
  const auto arguments = computed_arguments(*data, function.isotropic(), team, border::vec(rest));
  return Rcpp::wrap(expansion(*arguments, count, mixtures, function, border::mat(beta), tick));
}
