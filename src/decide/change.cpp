#include "decide/change.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "region/classes.h"

namespace dualmargin::decide {

Change::Change(const ClassProblems& classes, bool regression)
    : classes_(classes), regression_(regression), all_(static_cast<std::size_t>(classes.asked())) {
  std::iota(all_.begin(), all_.end(), Index(0));
}

std::vector<Answer> answers_of(Index count, double refits, Team& team,
                               FunctionRef<Answer(Index, Answer, bool, Tick&)> look,
                               FunctionRef<double(Index, const Answer&)> open, Tick& tick) {
  std::vector<Answer> all(static_cast<std::size_t>(count));
  std::vector<Index> order(all.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::vector<double> gain(all.size(), 1);
  if (refits < static_cast<double>(count)) {
    const auto bound = [&](Index s, Tick& t) {
      all[s] = look(s, {}, false, t);
      gain[s] = open(s, all[s]);
    };
    team.for_chunks(count, bound, tick);
    std::stable_sort(order.begin(), order.end(),
                     [&](Index i, Index j) { return gain[i] > gain[j]; });
    order.resize(static_cast<std::size_t>(refits));
  }
  const auto settle = [&](Index k, Tick& t) {
    const Index s = order[k];
    if (gain[s] > 0) all[s] = look(s, std::move(all[s]), true, t);
  };
  team.for_chunks(static_cast<Index>(order.size()), settle, tick);
  return all;
}

std::vector<Answer> Change::answers(Index count, FunctionRef<Setting(Index)> setting_of,
                                    double refits, Tick& tick) const {
  const auto look = [&](Index s, const Answer& known, bool solve, Tick& t) {
    Answer found = solve ? settled(setting_of(s), t) : bounds(setting_of(s), t);
    for (std::size_t c = 0; c < known.ends.size(); ++c) found.ends[c].intersect(known.ends[c]);
    return found;
  };
  const auto open = [&](Index s, const Answer& answer) {
    return open_share(answer, setting_of(s));
  };
  return answers_of(count, refits, classes_.over().team, look, open, tick);
}

Answer Change::bounds(const Setting& setting, Tick& tick) const {
  Answer answer = nothing();
  if (!has_weight(setting)) return answer;
  const Problems problems = problems_of(setting, tick);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    if (one_class(problems, k, answer.ends[k])) continue;
    problems[k]->look(Look::all, answer.ends[k], tick);
  }
  const bool all = problems.size() > 1 || !changes(setting);
  sharpen(problems, all ? open_of(answer, setting) : near_a_sign(answer.ends[0], setting), answer,
          tick);
  return answer;
}

Answer Change::settled(const Setting& setting, Tick& tick) const {
  Answer answer = nothing();
  if (!has_weight(setting)) return answer;
  const Problems problems = problems_of(setting, tick);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    if (one_class(problems, k, answer.ends[k])) continue;
    answer.solved = problems[k]->steps(tick) || answer.solved;
    problems[k]->look(problems[k]->near() ? Look::ball : Look::cheap, answer.ends[k], tick);
  }
  if (answer.solved && open(answer, setting)) {
    look_again(problems, answer, setting, few_sharpened, tick);
  }
  for (const double tol : {1e-6, 1e-9, 1e-12}) {
    if (!open(answer, setting)) return answer;
    answer.solved = true;
    for (std::size_t k = 0; k < problems.size(); ++k) {
      if (problems[k]->left() != 0) continue;
      problems[k]->solve(tol, tick);
      problems[k]->look(Look::ball, answer.ends[k], tick);
    }
    if (open(answer, setting)) {
      look_again(problems, answer, setting, tol > 1e-12 ? few_sharpened : classes_.asked(), tick);
    }
  }
  return answer;
}

double Change::open_share(const Answer& answer, const Setting& setting) const {
  if (!regression_) return static_cast<double>(open_of(answer, setting).size());
  double width = 0;
  for (const Index i : some_of(setting)) width += answer.ends[0].high[i] - answer.ends[0].low[i];
  return width;
}

const std::vector<Index>& Change::some_of(const Setting& setting) const {
  return setting.some.empty() ? all_ : setting.some;
}

const RowVec& Change::labels(const Setting& setting, std::size_t k) const {
  return setting.y.empty() ? classes_.y(k) : setting.y[k];
}

Answer Change::nothing() const {
  return {region::nothing_of(classes_.asked(), static_cast<Index>(classes_.count())), false};
}

bool Change::has_weight(const Setting& setting) const {
  return classes_.over().any([&](Index i) { return setting.omega[i] > 0; });
}

bool Change::changes(const Setting& setting) const {
  const RowSums& rows = classes_.over();
  const RowVec& omega = classes_.omega();
  if (rows.any([&](Index i) { return setting.omega[i] != omega[i]; })) return true;
  for (std::size_t k = 0; k < classes_.count(); ++k) {
    const RowVec &y = labels(setting, k), &old = classes_.old_y(k);
    if (rows.any([&](Index i) { return i < old.size() && y[i] != old[i]; })) return true;
  }
  return false;
}

Change::Problems Change::problems_of(const Setting& setting, Tick& tick) const {
  Problems problems;
  const bool changed = changes(setting);
  for (std::size_t k = 0; k < classes_.count(); ++k) {
    problems.push_back(classes_.problem(k, labels(setting, k), setting.omega, changed, tick));
  }
  return problems;
}

bool Change::one_class(const Problems& problems, std::size_t k, Ends& ends) const {
  const int left = problems[k]->left();
  if (left == 0) return false;
  const Loss& phi = problems[k]->phi();
  const double near = phi.curving() == Curving::self_concordant ? HUGE_VAL : 1.0;
  for (Index i = 0; i < classes_.asked(); ++i) {
    ends.low[i] = left > 0 ? near : -HUGE_VAL;
    ends.high[i] = left > 0 ? HUGE_VAL : -near;
  }
  return true;
}

void Change::look_again(const Problems& problems, Answer& answer, const Setting& setting,
                        Index most, Tick& tick) const {
  for (std::size_t k = 0; k < problems.size(); ++k) {
    if (problems[k]->left() == 0) problems[k]->look(Look::curved, answer.ends[k], tick);
  }
  const std::vector<Index> open = open_of(answer, setting);
  if (static_cast<Index>(open.size()) <= most) sharpen(problems, open, answer, tick);
}

std::vector<Index> Change::open_of(const Answer& answer, const Setting& setting) const {
  std::vector<Index> open;
  if (regression_) return open;
  for (const Index i : some_of(setting)) {
    if (region::certain_class(answer.ends, i) < 0) open.push_back(i);
  }
  return open;
}

bool Change::open(const Answer& answer, const Setting& setting) const {
  if (classes_.count() > 1) return !open_of(answer, setting).empty();
  const Ends& ends = answer.ends[0];
  for (const Index i : some_of(setting)) {
    const bool decided = !regression_ && region::certain_class(answer.ends, i) >= 0;
    const double size = std::max({1.0, std::abs(ends.low[i]), std::abs(ends.high[i])});
    const double room = (regression_ ? precise : tie) * size;
    if (!decided && !(ends.high[i] - ends.low[i] <= room)) return true;
  }
  return false;
}

std::vector<Index> Change::near_a_sign(const Ends& ends, const Setting& setting) const {
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

void Change::sharpen(const Problems& problems, const std::vector<Index>& some, Answer& answer,
                     Tick& tick) const {
  if (some.empty() || !problems[0]->free()) return;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    if (problems[k]->left() == 0) problems[k]->around(some, answer.ends[k], tick);
  }
}

}  // namespace dualmargin::decide
