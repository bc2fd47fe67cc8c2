#include "linear/quasi_newton.h"

#include <algorithm>

#include "base/mix64.h"
#include "linear/cost_model.h"

namespace dualmargin::linear {

double price_of_hessian(const Rows& rows) {
  constexpr double losses = 6;  // of a step, in exponentials a row
  const seconds::Table table = cost::table(rows);
  const double products = rows.sum([&](Index i) {
    const double entries = static_cast<double>(rows.nonzeros(i));
    return entries * entries / 2;
  });
  return (products * table.each() + seconds::cholesky(table.columns)) /
         (2 * table.look() + losses * table.rows * seconds::exponential);
}

RowChoice one_of_each(const Rows& rows, Index stretches, Sampler& sampler) {
  const auto salt = static_cast<std::uint64_t>(sampler.uniform() * 0x1p53);
  RowChoice some;
  for (Index k = 0; k < stretches; ++k) {
    const double draw =
        static_cast<double>(mix64(salt + static_cast<std::uint64_t>(k)) >> 11) * 0x1p-53;
    const auto place = (static_cast<double>(k) + draw) / static_cast<double>(stretches);
    some.id.push_back(
        std::min(rows.n() - 1, static_cast<Index>(place * static_cast<double>(rows.n()))));
  }
  const auto of = [&](const RowVec& all) {
    return RowVec::of(stretches, [&](Index k) { return all[some.id[k]]; });
  };
  some.y = of(rows.y);
  some.weights = of(rows.weights);
  if (rows.offset != nullptr) some.offset = of(*rows.offset);
  return some;
}

}  // namespace dualmargin::linear
