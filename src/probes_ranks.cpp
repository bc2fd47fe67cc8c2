// Fits whose rows lie on several ranks, for the tests: see probes/ranks.h.
#ifdef DUALMARGIN_PROBES
#include <thread>

#include "border/dispatch_joint.h"
#include "border/dispatch_loss.h"
#include "linear/interior_point.h"
#include "linear/problem.h"
#include "linear/solvers.h"
#include "probes/ranks.h"
#include "rows/column_scale.h"
#include "rows/row_store.h"

namespace dualmargin::probes {

namespace {

// What one rank found. fault: why it left early.
struct Answer {
  linear::Report report;
  std::string fault;
};

linear::Solution solve(const std::string& solver, const linear::LinearProblem& problem,
                       Sampler& draws, Run& run) {
  if (solver == "newton") return linear::newton(problem, {}, {}, draws, run);
  if (solver == "lbfgs") return linear::lbfgs(problem, {}, {}, draws, run);
  if (solver == "ssnal") return linear::ssnal(problem, {}, {}, draws, run);
  if (solver == "fista") return linear::fista(problem, {}, {}, draws, run);
  if (solver == "interior_point") return linear::interior_point(problem, {}, {}, draws, run);
  throw std::invalid_argument("unknown solver: " + solver);
}

// The rows of each rank: an element of x, y and weights for each.
struct Deal {
  std::vector<std::unique_ptr<RowStore>> stores;
  std::vector<RowVec> labels, omega;

  Deal(const Rcpp::List& x, const Rcpp::List& y, const Rcpp::List& weights) {
    for (R_xlen_t r = 0; r < x.size(); ++r) {
      labels.emplace_back(border::vec(y[r]));
      omega.emplace_back(border::vec(weights[r]));
      stores.push_back(std::make_unique<RowStore>(border::view(x[r])));
    }
  }
  int size() const { return static_cast<int>(stores.size()); }
};

// fit(rank, team, limits, answer), each rank in a thread of its own. late: the rank whose clock runs
// out at once; -1: none.
template <class Result, class Fit>
std::vector<Result> on_ranks(int size, double tol, int late, Fit fit,
                             double grain = Team::usual_grain) {
  Exchange exchange(size);
  std::vector<Result> answers(static_cast<std::size_t>(size));
  const auto work = [&](int r) {
    ThreadRank rank(exchange, r);
    Team team(1, grain, size > 1 ? &rank : nullptr);
    Run::Limits limits;
    limits.tol = tol;
    limits.agreement = team.agreement();
    if (r == late) limits.max_seconds = 0;
    Result& answer = answers[static_cast<std::size_t>(r)];
    try {
      fit(r, team, limits, answer);
    } catch (const std::exception& e) {
      answer.fault = e.what();
      exchange.leave();
    }
  };
  std::vector<std::thread> others;
  for (int r = 1; r < size; ++r) others.emplace_back(work, r);
  work(0);
  for (std::thread& other : others) other.join();
  return answers;
}

Rcpp::List probe_linear_ranks(Rcpp::List x, Rcpp::List y, Rcpp::List weights, Rcpp::List problem,
                              std::string solver, double tol, int late, int stop) {
  const border::Options ask(problem);
  const std::string intercept = ask.text("intercept"), name = ask.text("loss");
  const double parameter = ask.number("parameter");
  const ElasticNet g = ElasticNet::from(ask.number("lambda"), ask.number("mixture"));
  const Deal deal(x, y, weights);
  const int size = deal.size();
  const auto fit = [&](int r, Team& team, const Run::Limits& limits, Answer& answer) {
    deal.stores[r]->visit(intercept == "penalized" ? 1.0 : 0.0, [&](const auto& data) {
      const LossPtr loss = loss_by_name(name, parameter);
      const Rows rows(data, deal.labels[r], deal.omega[r], team);
      const linear::LinearProblem p(rows, loss, g, intercept == "free");
      Run run = quiet_run(limits, p.null_value());
      if (r == stop) team.agreement()->stop_here = true;
      Sampler draws(7);
      answer.report = linear::report(p, solve(solver, p, draws, run), run);
    });
  };
  const std::vector<Answer> answers = on_ranks<Answer>(size, tol, late, fit);

  Rcpp::List out(size);
  for (int r = 0; r < size; ++r) {
    const Answer& a = answers[static_cast<std::size_t>(r)];
    const Certificate& c = a.report.certificate;
    out[r] = Rcpp::List::create(
        Rcpp::Named("value") = c.value, Rcpp::Named("bound") = c.bound, Rcpp::Named("gap") = c.gap,
        Rcpp::Named("rounding") = c.rounding, Rcpp::Named("status") = to_string(a.report.status),
        Rcpp::Named("epochs") = a.report.epochs, Rcpp::Named("w") = a.report.solution.w,
        Rcpp::Named("b") = a.report.solution.b, Rcpp::Named("dual") = a.report.solution.a.local(),
        Rcpp::Named("fault") = a.fault);
  }
  return out;
}

struct JointAnswer {
  linear::JointReport report;
  std::string fault;
};

// One problem of all classes by Newton's method or L-BFGS; y: classes, from 1.
Rcpp::List probe_joint_ranks(Rcpp::List x, Rcpp::List y, Rcpp::List weights, Rcpp::List problem,
                             int classes, double tol, int late) {
  const border::Options ask(problem);
  const std::string intercept = ask.text("intercept"), name = ask.text("loss");
  const std::string solver = ask.text("solver");
  const double lambda = ask.number("lambda");
  const Deal deal(x, y, weights);
  const int size = deal.size();
  const auto fit = [&](int r, Team& team, const Run::Limits& limits, JointAnswer& answer) {
    std::vector<Index> label;
    for (Index i = 0; i < deal.labels[r].size(); ++i) {
      label.push_back(static_cast<Index>(deal.labels[r][i]) - 1);
    }
    deal.stores[r]->visit(intercept == "penalized" ? 1.0 : 0.0, [&](const auto& data) {
      const linear::JointProblem p(Rows(data, deal.labels[r], deal.omega[r], team), label,
                                   linear::class_loss(name, classes), ElasticNet{0, lambda},
                                   intercept == "free");
      Run run = quiet_run(limits, p.null_value());
      answer.report = linear::report(p,
                                     solver == "lbfgs" ? linear::joint_lbfgs(p, {}, nullptr, run)
                                                       : linear::joint_newton(p, {}, run),
                                     run);
    });
  };
  const std::vector<JointAnswer> answers = on_ranks<JointAnswer>(size, tol, late, fit);
  Rcpp::List out(size);
  for (int r = 0; r < size; ++r) {
    const JointAnswer& a = answers[static_cast<std::size_t>(r)];
    const Certificate& c = a.report.certificate;
    out[r] = Rcpp::List::create(
        Rcpp::Named("value") = c.value, Rcpp::Named("bound") = c.bound, Rcpp::Named("gap") = c.gap,
        Rcpp::Named("rounding") = c.rounding, Rcpp::Named("status") = to_string(a.report.status),
        Rcpp::Named("epochs") = a.report.epochs, Rcpp::Named("w") = a.report.solution.w,
        Rcpp::Named("b") = a.report.solution.b, Rcpp::Named("fault") = a.fault);
  }
  return out;
}

struct ColumnAnswer {
  Vec mean, sd, scale, centre, exact;
  std::string fault;
};

// Means and scales of columns, and what can be taken from them.
Rcpp::List probe_column_ranks(Rcpp::List x, Rcpp::List weights, double grain) {
  std::vector<MatrixView> views;
  std::vector<Vec> omega;
  for (R_xlen_t r = 0; r < x.size(); ++r) {
    views.push_back(border::view(x[r]));
    omega.emplace_back(border::vec(weights[r]));
  }
  const auto fit = [&](int r, Team& team, const Run::Limits&, ColumnAnswer& answer) {
    const Index p = views[r].p;
    for (Vec* each : {&answer.mean, &answer.sd, &answer.scale, &answer.centre}) each->resize(p);
    for_each_spread(views[r], omega[r], team, [&](Index j, const ColumnSpread& spread) {
      answer.mean[j] = spread.mean();
      answer.sd[j] = spread.sd();
      answer.scale[j] = spread.scale();
      answer.centre[j] = spread.centre();
    });
    answer.exact = exact_centres(views[r], team);
  };
  const auto answers = on_ranks<ColumnAnswer>(static_cast<int>(views.size()), 0, -1, fit, grain);
  Rcpp::List out(x.size());
  for (R_xlen_t r = 0; r < x.size(); ++r) {
    const ColumnAnswer& a = answers[static_cast<std::size_t>(r)];
    out[r] = Rcpp::List::create(Rcpp::Named("mean") = a.mean, Rcpp::Named("sd") = a.sd,
                                Rcpp::Named("scale") = a.scale, Rcpp::Named("centre") = a.centre,
                                Rcpp::Named("exact") = a.exact, Rcpp::Named("fault") = a.fault);
  }
  return out;
}

}  // namespace

void add_rank_probes(Table& table) {
  table.add("linear_ranks", probe_linear_ranks);
  table.add("joint_ranks", probe_joint_ranks);
  table.add("column_ranks", probe_column_ranks);
}

}  // namespace dualmargin::probes
#endif
