#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "kernel/kernel_store.h"

namespace dualmargin::kernel {

namespace {

// Its rows lie anywhere.
class StoredKernel final : public KernelMatrix {
 public:
  // Room for n rows.
  StoredKernel(Index n, Team& team) : team_(team), rows_(n) {}
  // Values that lie elsewhere, or that it keeps.
  StoredKernel(const double* values, Index n, Team& team) : StoredKernel(n, team) {
    for (Index i = 0; i < n; ++i) rows_[i] = values + i * n;
  }
  StoredKernel(std::unique_ptr<double[]> values, Index n, Team& team)
      : StoredKernel(values.get(), n, team) {
    own_.push_back(std::move(values));
  }

  Index n() const override { return static_cast<Index>(rows_.size()); }
  double diagonal(Index i) const override { return rows_[i][i]; }
  void add_row(Index i, double a, Eigen::Ref<Vec> f) const override {
    for (Index j = 0; j < n(); ++j) f[j] += a * rows_[i][j];
  }
  std::unique_ptr<KernelBlock> block(const Index* rows, Index count) const override {
    return std::make_unique<Block>(*this, rows, count);
  }
  const double* stored_row(Index i) const override { return rows_[i]; }
  double bytes() const override {
    return own_.empty() ? 0.0 : sizeof(double) * held() * static_cast<double>(n());
  }

  bool has(Index i) const { return rows_[i] != nullptr; }
  // A row to keep, without values yet.
  double* make_row(Index i) {
    own_.emplace_back(new double[n()]);
    rows_[i] = own_.back().get();
    return own_.back().get();
  }

 private:
  class Block final : public KernelBlock {
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
        for (Index k = 0; k < m; k += 4) {
          add_rows(used.data() + k, static_cast<int>(std::min<Index>(4, m - k)), coef, from,
                   f.middleRows(from, until - from));
        }
      });
    }

   private:
    // At most four, in one pass over the scores from `from` on.
    void add_rows(const Index* at, int count, const ConstMatRef& coef, Index from, MatRef f) const {
      using Column = Eigen::Map<const Eigen::ArrayXd>;
      const auto row = [&](int k) { return Column(rows_[at[k]] + from, f.rows()); };
      for (Index c = 0; c < coef.cols(); ++c) {
        const auto a = [&](int k) { return coef(at[k], c); };
        auto scores = f.col(c).array();
        if (count == 4) {
          scores += (a(0) * row(0) + a(1) * row(1)) + (a(2) * row(2) + a(3) * row(3));
        } else {
          for (int k = 0; k < count; ++k) scores += a(k) * row(k);
        }
      }
    }

    Team& team_;
    std::vector<const double*> rows_;
    std::vector<Index> at_;
  };

  // Rows that it keeps, of one array for all of them or one for each.
  double held() const {
    return static_cast<double>(std::count_if(rows_.begin(), rows_.end(),
                                             [](const double* row) { return row != nullptr; }));
  }

  Team& team_;
  std::vector<const double*> rows_;
  std::vector<std::unique_ptr<double[]>> own_;
};

class LazyKernel final : public KernelMatrix {
 public:
  LazyKernel(const Arguments& arguments, const KernelFunction& kernel)
      : arguments_(arguments),
        kernel_(kernel),
        rows_(n(), arguments.team),
        diagonal_(Vec::Zero(n())) {
    for (Index i = 0; !kernel.isotropic() && i < n(); ++i) diagonal_[i] = arguments.value(i, i);
    kernel_.apply(diagonal_.data(), n());
  }

  Index n() const override { return arguments_.n(); }
  double diagonal(Index i) const override { return diagonal_[i]; }
  void add_row(Index i, double a, Eigen::Ref<Vec> f) const override {
    block(&i, 1)->add(Mat::Constant(1, 1, a), f);
  }
  std::unique_ptr<KernelBlock> block(const Index* rows, Index count) const override {
    compute(rows, count);
    return rows_.block(rows, count);
  }
  const double* stored_row(Index i) const override {
    compute(&i, 1);
    return rows_.stored_row(i);
  }
  double bytes() const override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return rows_.bytes();
  }

 private:
  // Those of the rows that are not known yet, all at once.
  void compute(const Index* rows, Index count) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Mixture> missing;
    std::vector<double*> places;
    for (Index k = 0; k < count; ++k) {
      if (rows_.has(rows[k])) continue;
      places.push_back(rows_.make_row(rows[k]));
      missing.push_back({rows[k], rows[k], 0});
    }
    const Index m = static_cast<Index>(missing.size());
    if (m == 0) return;
    Mat panel(m > 1 ? n() : 0, m);
    double* columns = m > 1 ? panel.data() : places[0];
    arguments_.columns(missing.data(), m, 0, columns);
    kernel_.apply(columns, m * n());
    for (Index k = 0; k < m; ++k) {
      if (m > 1) std::copy(columns + k * n(), columns + (k + 1) * n(), places[k]);
      places[k][missing[k].first] = diagonal_[missing[k].first];
    }
  }

  const Arguments& arguments_;
  KernelFunction kernel_;
  mutable std::mutex mutex_;
  mutable StoredKernel rows_;
  Vec diagonal_;
};

}  // namespace

std::unique_ptr<KernelMatrix> stored_kernel(const double* values, Index n, Team& team) {
  return std::make_unique<StoredKernel>(values, n, team);
}
std::unique_ptr<KernelMatrix> stored_kernel(std::unique_ptr<double[]> values, Index n, Team& team) {
  return std::make_unique<StoredKernel>(std::move(values), n, team);
}

std::unique_ptr<KernelMatrix> lazy_kernel(const Arguments& arguments,
                                          const KernelFunction& kernel) {
  return std::make_unique<LazyKernel>(arguments, kernel);
}

}  // namespace dualmargin::kernel
