#include "decide/joint_change.h"

#include <numeric>
#include <utility>

#include "region/classes.h"

namespace dualmargin::decide {

std::vector<Answer> answers_of(const JointFit& fit, const JointChange& change,
                               const AskedJoint& asked, Tick& tick) {
  std::vector<Index> some(static_cast<std::size_t>(asked.n()));
  std::iota(some.begin(), some.end(), Index(0));
  const Mat norms = asked.norms(fit.factor, fit.free(), some, tick);
  const auto open_in = [](const Answer& of) { return region::open_rows(of.ends).size(); };
  const auto look = [&](Index s, Answer answer, bool solve, Tick& t) {
    if (answer.ends.empty()) answer.ends = region::nothing_of(asked.n(), fit.classes());
    RowVec omega = change.omega;
    for (const Index i : change.sets[s]) omega[i] = 0;
    JointChanged changed(fit, std::move(omega), change.own, t);
    const auto more = [&] { return solve && open_in(answer) > 0; };
    answer.solved = settle(changed, asked, some, norms, answer.ends, more, t) != How::pair;
    return answer;
  };
  const auto open = [&](Index, const Answer& answer) {
    return static_cast<double>(open_in(answer));
  };
  return answers_of(static_cast<Index>(change.sets.size()), change.refits, fit.rows.team, look,
                    open, tick);
}

}  // namespace dualmargin::decide
