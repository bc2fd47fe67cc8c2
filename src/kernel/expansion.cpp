#include "kernel/expansion.h"

#include <algorithm>

namespace dualmargin::kernel {

Mat expansion(const Arguments& arguments, Index count, const std::vector<Mixture>& mixtures,
              const KernelFunction& kernel, const Mat& beta, Tick& tick) {
  const Index own = arguments.n() - count, terms = beta.rows();
  const Index width = std::clamp<Index>((1 << 21) / std::max<Index>({own, terms, 1}), 8, 64);
  Vec shift = Vec::Zero(terms);
  for (Index k = 0; kernel.isotropic() && k < static_cast<Index>(mixtures.size()); ++k) {
    const auto [first, second, s] = mixtures[k];
    if (s != 0) shift[k] = s * (1 - s) * arguments.value(count + first, count + second);
  }
  Mat scores(count, beta.cols());
  const auto panel = [&](Index p, Tick& t) {
    const Index begin = p * width, rows = std::min(width, count - begin);
    std::vector<Mixture> some;
    for (Index i = begin; i < begin + rows; ++i) some.push_back({i, i, 0});
    Mat values(own, rows);
    arguments.columns(some.data(), rows, count, values.data());
    if (!mixtures.empty()) {
      Mat mixed(terms, rows);
      for (Index i = 0; i < rows; ++i) {
        for (Index k = 0; k < terms; ++k) {
          const auto [first, second, s] = mixtures[k];
          mixed(k, i) = (1 - s) * values(first, i) + (s * values(second, i) - shift[k]);
        }
      }
      values.swap(mixed);
    }
    kernel.apply(values.data(), values.size());
    scores.middleRows(begin, rows).noalias() = values.transpose() * beta;
    t.look();
  };
  arguments.team.for_chunks((count + width - 1) / width, panel, tick);
  return scores;
}

}  // namespace dualmargin::kernel
