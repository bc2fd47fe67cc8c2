#include "decide/change_functions.h"

#include <optional>
#include <utility>

#include "decide/change_pair.h"

namespace dualmargin::decide {

using TriedFunctions = TriedIn<FunctionPair, region::BallIn<Function>>;

struct FunctionProblems::Setup {
  const FunctionRows rows, moved;
  const FunctionProblem problem;

  Setup(const FunctionProblems& all, const RowVec& y, const RowVec& omega)
      : rows(all.rows_, y, omega),
        moved(rows, all.centre_),
        problem(
            rows, all.phi_,
            changed_penalty({0, all.mu_}, all.rule_, all.rows_.total_weight / rows.total_weight),
            all.free_) {}
};

class FunctionProblems::Changed final
    : private Setup,
      public ChangedIn<FunctionProblem, TriedFunctions, region::FunctionRegion> {
 public:
  Changed(const FunctionProblems& all, std::size_t k, const RowVec& y, const RowVec& omega,
          bool changed, Tick& tick)
      : Setup(all, y, omega),
        ChangedIn(start_of(Setup::problem, all.fits_[k], changed, tick)),
        all_(all),
        k_(k) {}

  void solve(double tol, Tick& tick) override {
    kernel::Solution from;
    from.a = best_.pair.a.local();
    from.b = best_.pair.b;
    kernel::Solution to = all_.refits_.solve(rows, problem().g.l2, free(), from, tol, tick);
    best_.keep_smaller(tried(problem(), Function(), to.b, RowVec(to.a), tick));
  }
  void around(const std::vector<Index>& some, Ends& ends, Tick& tick) const override {
    const Function& middle = best_.ball.centre;
    const region::AroundRows offset =
        region::around_of(rows, best_.ball, region::offset_rule(problem()), tick);
    const AskedFunctions& asked = all_.asked_;
    const RowVec lost = asked.rows().roundings(middle, 0);
    const auto at = [&](Index j, Tick&) {
      const Index i = some[j];
      const Vec values = asked.column(i);
      const double score =
          sum_over(middle.coef.size(), [&](Index l) { return middle.coef[l] * values[l]; });
      const region::Interval own = offset.over(
          rows.squared_distances(values, asked.scale(i), asked.error(i)), score, lost[i]);
      ends.intersect(i, own);
    };
    rows.team.for_chunks(static_cast<Index>(some.size()), at, tick);
  }

 private:
  const FunctionProblem& problem() const override { return Setup::problem; }
  const FunctionRows& placed() const override { return moved; }
  Ends intervals(const region::FunctionRegion& r, Tick& tick) const override {
    const AskedFunctions& asked = all_.asked_;
    const auto columns = [&](Index begin, Index end) { return asked.columns(begin, end); };
    return region::intervals(r, asked.rows(), all_.centre_, columns, tick);
  }
  bool narrow() const override { return problem().n() <= region::largest_hessian; }

  std::optional<Function> direction(const FunctionPair& pair, Tick& tick) const override {
    constexpr Index many = 200;
    if (problem().n() >= many && narrow()) {
      const region::FunctionFactor& nearby = all_.near_fit(k_, tick);
      if (nearby.solvable()) {
        std::optional<Function> step = region::direction(problem(), pair, nearby, tick);
        if (step) return step;
      }
    }
    return region::direction(problem(), pair, tick);
  }

  const FunctionProblems& all_;
  const std::size_t k_;
};

FunctionProblems::FunctionProblems(std::vector<Class> classes, const FunctionRows& rows,
                                   const LossPtr& phi, double mu, bool free, Rule rule,
                                   const AskedFunctions& asked, FunctionRefits refits, Tick& tick)
    : classes_(std::move(classes)),
      rows_(rows),
      phi_(phi),
      mu_(mu),
      free_(free),
      rule_(rule),
      asked_(asked),
      refits_(std::move(refits)) {
  const RowVec& omega = rows.weights;
  if (free) centre_ = rows.function(RowVec(omega / rows.total_weight).local(), tick);
  for (const Class& one : classes_) {
    RowVec y = one.y, a = RowVec::Zero(y.size());
    for (Index i = 0; i < one.a.size(); ++i) {
      y[i] = one.old_y[i];
      a[i] = one.a[i];
    }
    const FunctionRows as_fitted(rows, y, omega);
    const FunctionProblem problem(as_fitted, phi, {0, mu}, free);
    const FunctionPair pair = region::pair_of(problem, Function(), 0, std::move(a), tick);
    near_.push_back(std::make_unique<Near>());
    fits_.push_back({pair.w, pair.b, RowVec(Vec(pair.a.local().head(one.a.size()))), one.old_y});
  }
}

std::unique_ptr<ChangedProblem> FunctionProblems::problem(std::size_t k, const RowVec& y,
                                                          const RowVec& omega, bool changed,
                                                          Tick& tick) const {
  return std::make_unique<Changed>(*this, k, y, omega, changed, tick);
}

const region::FunctionFactor& FunctionProblems::near_fit(std::size_t k, Tick& tick) const {
  return near_[k]->get([&] {
    RowVec y = classes_[k].y;
    for (Index i = 0; i < fits_[k].old_y.size(); ++i) y[i] = fits_[k].old_y[i];
    const FunctionRows as_fitted(rows_, y, omega());
    const FunctionProblem problem(as_fitted, phi_, {0, mu_}, free_);
    region::RowTerms terms;
    terms.z = RowVec(rows_.products(fits_[k].w) + fits_[k].b);
    return region::factored_hessian(problem, region::Bends(problem, terms).h, tick);
  });
}

}  // namespace dualmargin::decide
