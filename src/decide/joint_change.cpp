#include "decide/joint_change.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "region/classes.h"

namespace dualmargin::decide {

std::vector<Answer> answers_of(const JointFit& fit, const JointChange& change,
                               const AskedJoint& asked, Tick& tick) {
  std::vector<Index> some(static_cast<std::size_t>(asked.n()));
  std::iota(some.begin(), some.end(), Index(0));
  const Mat norms = asked.norms(fit.factor, fit.free(), some, tick);
  const auto count = static_cast<Index>(change.sets.size());
  std::vector<Answer> all(change.sets.size());
  for (Answer& answer : all) answer.ends = region::nothing_of(asked.n(), fit.classes());
  const auto open_in = [](const Answer& answer) { return region::open_rows(answer.ends).size(); };
  const auto look = [&](Index s, bool solve, Tick& t) {
    RowVec omega = change.omega;
    for (const Index i : change.sets[s]) omega[i] = 0;
    Answer& answer = all[s];
    JointChanged changed(fit, std::move(omega), change.own, t);
    const auto open = [&] { return solve && open_in(answer) > 0; };
    const How how = settle(changed, asked, some, norms, answer.ends, open, t);
    answer.solved = how != How::pair;
  };
  Team& team = fit.rows.team;
  std::vector<Index> order(all.size());
  std::iota(order.begin(), order.end(), Index(0));
  if (change.refits < static_cast<double>(count)) {
    team.for_chunks(
        count, [&](Index s, Tick& t) { look(s, false, t); }, tick);
    std::vector<std::size_t> open;
    for (const Answer& answer : all) open.push_back(open_in(answer));
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return open[a] > open[b]; });
    order.resize(static_cast<std::size_t>(change.refits));
  }
  team.for_chunks(
      static_cast<Index>(order.size()), [&](Index k, Tick& t) { look(order[k], true, t); }, tick);
  return all;
}

}  // namespace dualmargin::decide
