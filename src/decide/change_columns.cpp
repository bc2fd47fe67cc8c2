#include "decide/change_columns.h"

#include <algorithm>
#include <utility>

#include "decide/change_pair.h"

namespace dualmargin::decide {

using region::Problem;
using TriedColumns = TriedIn<region::Pair, region::Ball>;

struct ColumnProblems::Setup {
  const Rows rows;
  const Problem problem;

  Setup(const ColumnProblems& all, const ColumnClass& of, const RowVec& y, const RowVec& omega)
      : rows(of.workspace.rows, y, omega),
        problem(rows, of.workspace.phi,
                changed_penalty(of.g, all.rule_, all.total_ / rows.total_weight),
                of.workspace.free) {}
};

class ColumnProblems::Changed final : private Setup,
                                      public ChangedIn<Problem, TriedColumns, region::Region> {
 public:
  Changed(const ColumnProblems& all, const ColumnClass& of, const RowVec& y, const RowVec& omega,
          bool changed, Tick& tick)
      : Setup(all, of, y, omega),
        ChangedIn<Problem, TriedColumns, region::Region>(
            start_of(Setup::problem, of.fit, changed, tick)),
        all_(all) {}

  void solve(double tol, Tick& tick) override {
    const region::Pair& from = best_.pair;
    linear::Solution to =
        all_.refits_.solve(problem(), {{from.w, from.b}, {from.a}, ""}, tol, tick);
    best_.keep_smaller(tried(problem(), to.w, to.b, std::move(to.a), tick));
  }
  void around(const std::vector<Index>& some, Ends& ends, Tick& tick) const override {
    const region::Ball& ball = best_.ball;
    const region::Around offset(Setup::rows, ball.centre, ball.radius,
                                region::offset_rule(problem()), tick);
    const auto at = [&](Index j, Tick& t) {
      ends.intersect(some[j], offset.at(all_.asked_.row(some[j]), t));
    };
    Setup::rows.team.for_chunks(static_cast<Index>(some.size()), at, tick);
  }

 private:
  const Problem& problem() const override { return Setup::problem; }
  const Rows& placed() const override { return Setup::rows; }
  Ends intervals(const region::Region& r, Tick& tick) const override {
    return all_.asked_.intervals(r, tick);
  }
  bool narrow() const override {
    const Index d = Setup::rows.dim() + problem().free();
    return d <= region::largest_hessian && d <= std::max<Index>(100, 2 * problem().n());
  }

  const ColumnProblems& all_;
};

ColumnProblems::ColumnProblems(std::vector<ColumnClass> classes, RowVec omega, Rule rule,
                               const AskedRows& asked, Refits refits)
    : classes_(std::move(classes)),
      omega_(std::move(omega)),
      total_(classes_[0].workspace.rows.accurate_sum([&](Index i) { return omega_[i]; })),
      rule_(rule),
      asked_(asked),
      refits_(std::move(refits)) {}

std::unique_ptr<ChangedProblem> ColumnProblems::problem(std::size_t k, const RowVec& y,
                                                        const RowVec& omega, bool changed,
                                                        Tick& tick) const {
  return std::make_unique<Changed>(*this, classes_[k], y, omega, changed, tick);
}

}  // namespace dualmargin::decide
