#include "kernel/stored_kernel.h"

#include <algorithm>

#include "kernel/score_sum.h"

namespace dualmargin::kernel {

template <class Scalar>
class StoredKernel<Scalar>::Block final : public KernelBlock {
 public:
  Block(const StoredKernel& kernel, const Index* rows, Index count) : team_(kernel.team_) {
    for (Index k = 0; k < count; ++k) rows_.push_back(kernel.rows_[rows[k]]);
    at_.assign(rows, rows + count);
  }

  void square(Mat& out) const override {
    const Index count = static_cast<Index>(rows_.size());
    out.resize(count, count);
    for (Index k = 0; k < count; ++k) {
      for (Index j = 0; j < count; ++j) out(j, k) = rows_[k][at_[j]];
    }
  }
  void add(const ConstMatRef& coef, MatRef f) const override {
    std::vector<Index> used;
    for (Index k = 0; k < coef.rows(); ++k) {
      if (!coef.row(k).isZero(0)) used.push_back(k);
    }
    const Index n = f.rows(), m = static_cast<Index>(used.size());
    const Index chunks = team_.chunks(static_cast<double>(n * m) * f.cols());
    team_.for_chunks(chunks, [&](Index chunk) {
      const Index from = chunk * n / chunks, until = (chunk + 1) * n / chunks;
      ScoreSum<Scalar> sum(f.middleRows(from, until - from));
      for (Index k = 0; k < m; k += 4) {
        add_rows(used.data() + k, static_cast<int>(std::min<Index>(4, m - k)), coef, from,
                 until - from, sum);
      }
      sum.flush();
    });
  }

 private:
  // At most four, in one pass over the scores in [from, from + length).
  void add_rows(const Index* at, int count, const ConstMatRef& coef, Index from, Index length,
                ScoreSum<Scalar>& sum) const {
    using Column = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
    const auto row = [&](int k) { return Eigen::Map<const Column>(rows_[at[k]] + from, length); };
    for (Index c = 0; c < coef.cols(); ++c) {
      const auto a = [&](int k) { return static_cast<Scalar>(coef(at[k], c)); };
      Eigen::Map<Column> scores(sum.column(c), length);
      if (count == 4) {
        scores += (a(0) * row(0) + a(1) * row(1)) + (a(2) * row(2) + a(3) * row(3));
      } else {
        for (int k = 0; k < count; ++k) scores += a(k) * row(k);
      }
    }
    sum.added(count);
  }

  Team& team_;
  std::vector<const Scalar*> rows_;
  std::vector<Index> at_;
};

template <class Scalar>
void StoredKernel<Scalar>::add_row(Index i, double a, Eigen::Ref<Vec> f) const {
  for (Index j = 0; j < n(); ++j) f[j] += a * rows_[i][j];
}

template <class Scalar>
std::unique_ptr<KernelBlock> StoredKernel<Scalar>::block(const Index* rows, Index count) const {
  return std::make_unique<Block>(*this, rows, count);
}

template <class Scalar>
double StoredKernel<Scalar>::held() const {
  return static_cast<double>(
      std::count_if(rows_.begin(), rows_.end(), [](const Scalar* row) { return row != nullptr; }));
}

template class StoredKernel<float>;
template class StoredKernel<double>;

}  // namespace dualmargin::kernel
