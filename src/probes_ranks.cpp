// Fits whose rows lie on several ranks, for the tests: see probes/ranks.h.
#ifdef DUALMARGIN_PROBES
#include "probes/ranks.h"

#include <thread>

#include "border/dispatch_loss.h"
#include "linear/fista.h"
#include "linear/interior_point.h"
#include "linear/newton.h"
#include "linear/report.h"
#include "linear/ssnal.h"
#include "rows/row_store.h"

namespace dualmargin::probes {

namespace {

// What one rank found. fault: why it left early.
struct Answer {
  linear::Report report;
  std::string fault;
};

template <class Problem>
linear::Solution solve(const std::string& solver, const Problem& problem, Sampler& draws, Run& run) {
  if (solver == "newton") return linear::newton(problem, {}, {}, draws, run);
  if (solver == "ssnal") return linear::ssnal(problem, {}, {}, draws, run);
  if (solver == "fista") return linear::fista(problem, {}, {}, run);
  if (solver == "interior_point") return linear::interior_point(problem, run);
  throw std::invalid_argument("unknown solver: " + solver);
}

// x, y, weights: an element for each rank. late: the rank whose clock runs out at once; -1: none.
Rcpp::List probe_linear_ranks(Rcpp::List x, Rcpp::List y, Rcpp::List weights, Rcpp::List problem,
                              std::string solver, double tol, int late) {
  const border::Options ask(problem);
  const int size = static_cast<int>(x.size());
  const std::string intercept = ask.text("intercept"), name = ask.text("loss");
  const double parameter = ask.number("parameter");
  const ElasticNet g = ElasticNet::from(ask.number("lambda"), ask.number("mixture"));
  std::vector<std::unique_ptr<RowStore>> stores;
  std::vector<RowVec> labels, omega;
  for (int r = 0; r < size; ++r) {
    labels.emplace_back(border::vec(y[r]));
    omega.emplace_back(border::vec(weights[r]));
    stores.push_back(std::make_unique<RowStore>(border::view(x[r])));
  }

  Meeting meeting(size);
  std::vector<Answer> answers(static_cast<std::size_t>(size));
  const auto work = [&](int r) {
    ThreadRank rank(meeting, r);
    Team team(1, Team::usual_grain, size > 1 ? &rank : nullptr);
    Answer& answer = answers[static_cast<std::size_t>(r)];
    try {
      stores[r]->visit(intercept == "penalized" ? 1.0 : 0.0, [&](const auto& data) {
        const AnyLoss loss =
            with_loss(name, parameter, [](const auto& phi) { return AnyLoss::of(phi); });
        const Rows rows(data, labels[r], omega[r], team);
        const linear::LinearProblem p(rows, loss, g, intercept == "free");
        Run::Limits limits;
        limits.tol = tol;
        limits.agreement = team.agreement();
        if (r == late) limits.max_seconds = 0;
        Run run = quiet_run(limits, p.null_value());
        Sampler draws(7);
        answer.report = linear::report(p, solve(solver, p, draws, run), run);
      });
    } catch (const std::exception& e) {
      answer.fault = e.what();
      meeting.leave();
    }
  };
  std::vector<std::thread> others;
  for (int r = 1; r < size; ++r) others.emplace_back(work, r);
  work(0);
  for (std::thread& other : others) other.join();

  Rcpp::List out(size);
  for (int r = 0; r < size; ++r) {
    const Answer& a = answers[static_cast<std::size_t>(r)];
    const Certificate& c = a.report.certificate;
    out[r] = Rcpp::List::create(
        Rcpp::Named("value") = c.value, Rcpp::Named("bound") = c.bound,
        Rcpp::Named("gap") = c.gap, Rcpp::Named("rounding") = c.rounding,
        Rcpp::Named("status") = to_string(a.report.status),
        Rcpp::Named("epochs") = a.report.epochs, Rcpp::Named("w") = a.report.solution.w,
        Rcpp::Named("b") = a.report.solution.b,
        Rcpp::Named("dual") = a.report.solution.a.local(), Rcpp::Named("fault") = a.fault);
  }
  return out;
}

}  // namespace

void add_rank_probes(Table& table) { table.add("linear_ranks", probe_linear_ranks); }

}  // namespace dualmargin::probes
#endif
