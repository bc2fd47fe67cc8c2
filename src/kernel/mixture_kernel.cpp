#include <algorithm>
#include <vector>

#include "kernel/kernel_store.h"
#include "kernel/score_sum.h"
#include "kernel/stored_arguments.h"

namespace dualmargin::kernel {

namespace {

template <class Source>
class MixtureKernel final : public KernelMatrix {
 public:
  MixtureKernel(const Source& source, const MixedRows& rows, const KernelFunction& kernel)
      : source_(source), rows_(rows), kernel_(kernel), diagonal_(Vec::Zero(rows.n())) {
    for (Index i = 0; i < n(); ++i) {
      const Mixture x = rows[i];
      const double s = x.share;
      const double cross = s == 0 ? 0.0 : s * (1 - s) * source.value(x.first, x.second);
      if (rows.is_mixed(i)) {
        mixed_.push_back({static_cast<int>(x.first), static_cast<int>(x.second),
                          static_cast<Scalar>(s),
                          static_cast<Scalar>(kernel.isotropic() ? cross : 0.0)});
      }
      if (kernel.isotropic()) continue;
      diagonal_[i] = (1 - s) * (1 - s) * source.value(x.first, x.first) + 2 * cross;
      if (s != 0) diagonal_[i] += s * s * source.value(x.second, x.second);
    }
    kernel_.apply(diagonal_.data(), n());
  }

  Index n() const override { return rows_.n(); }
  double diagonal(Index i) const override { return diagonal_[i]; }
  void add_row(Index i, double a, Eigen::Ref<Vec> f) const override {
    block(&i, 1)->add(Mat::Constant(1, 1, a), f);
  }
  std::unique_ptr<KernelBlock> block(const Index* rows, Index count) const override {
    return std::make_unique<Block>(*this, rows, count);
  }
  // Each pair of rows once: mixed rows with all original and the later mixed ones, then original
  // rows with the later original ones.
  void multiply(const ConstMatRef& beta, MatRef f, Tick& tick) const override {
    const Index used = (beta.array() != 0).rowwise().any().count();
    if (2 * used < n()) return KernelMatrix::multiply(beta, f, tick);
    f += diagonal_.asDiagonal() * beta;
    struct Panel {
      Index first, last, start, until;
    };
    std::vector<Panel> panels;
    for (Index i = rows_.originals; i < n(); i += width) {
      panels.push_back({i, std::min(i + width, n()), 0, n()});
    }
    for (Index i = 0; i < rows_.originals; i += width) {
      panels.push_back({i, std::min(i + width, rows_.originals), i, rows_.originals});
    }
    const Index count = static_cast<Index>(panels.size());
    const double entries = 0.5 * static_cast<double>(n()) * static_cast<double>(n());
    const Index chunks = std::min(count, source_.team.chunks(entries));
    std::vector<Mat> total(chunks, Mat::Zero(f.rows(), f.cols()));
    const auto add = [&](Index chunk, Tick& t) {
      Mat part(f.rows(), f.cols());
      for (Index k = chunk; k < count; k += chunks) {
        part.setZero();
        multiply(panels[k], beta, part);
        total[chunk] += part;
        t.poll();
      }
    };
    source_.team.for_chunks(chunks, add, tick);
    for (const Mat& part : total) f += part;
  }
  // Of multiply(): within a panel a score adds up single terms or pieces of `width` of them, cut
  // where the values are; then the panels and the diagonal are added.
  double additions() const override {
    const Index pieces = n() / width + n() / chunk + 4, panels = n() / width + 3;
    return static_cast<double>(std::min(n() - 1, width - 1 + pieces + panels));
  }
  double bytes() const override { return source_.bytes(); }

 private:
  using Scalar = typename Source::Scalar;
  using Column = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
  static constexpr Index chunk = 1024;

  struct MixedColumn {
    int first, second;
    Scalar share, shift;
    Scalar argument(const Scalar* row) const {
      return (1 - share) * row[first] + (share * row[second] - shift);
    }
  };

  // f(place, values) over the values of a row in [from, until), a chunk in cache at a time. `row`:
  // its arguments with the original rows from `start` on; 0 where mixed columns are asked for.
  template <class F>
  void values(const Scalar* row, Index start, Index from, Index until, F f) const {
    Scalar held[chunk];
    const Index originals = std::min(until, rows_.originals);
    Index place = from;
    while (place < until) {
      const Index end = std::min(place + chunk, place < originals ? originals : until);
      if (place < originals) {
        kernel_.apply(row + (place - start), held, end - place);
      } else {
        const MixedColumn* column = mixed_.data() + (place - rows_.originals);
        for (Index j = 0; j < end - place; ++j) held[j] = column[j].argument(row);
        kernel_.apply(held, end - place);
      }
      f(place, Eigen::Map<Column>(held, end - place));
      place = end;
    }
  }

  // Rows [first, last) with those after them in [start, until).
  template <class Panel>
  void multiply(const Panel& panel, const ConstMatRef& beta, Mat& f) const {
    const auto [first, last, start, until] = panel;
    const Index functions = beta.cols();
    std::vector<Mixture> rows;
    for (Index i = first; i < last; ++i) rows.push_back(rows_[i]);
    ArgumentRows<Scalar> arguments;
    source_.rows(rows.data(), last - first, start, arguments);
    for (Index i = first; i < last; ++i) {
      const auto both = [&](Index place, const auto& row) {
        const Vec exact = row.template cast<double>();
        for (Index c = 0; c < functions; ++c) {
          f.col(c).segment(place, row.size()) += beta(i, c) * exact;
          for (Index k = 0; k < row.size(); k += width) {  // additions() counts on that
            const Index terms = std::min(width, row.size() - k);
            f(i, c) += exact.segment(k, terms).dot(beta.col(c).segment(place + k, terms));
          }
        }
      };
      const Scalar* row = arguments.row[i - first];
      if (rows_.is_mixed(i)) values(row, start, 0, rows_.originals, both);
      values(row, start, i + 1, until, both);
    }
  }

  class Block final : public KernelBlock {
   public:
    Block(const MixtureKernel& whole, const Index* rows, Index count)
        : whole_(whole), rows_(rows, rows + count) {
      std::vector<Mixture> parents;
      for (const Index i : rows_) parents.push_back(whole.rows_[i]);
      whole.source_.rows(parents.data(), count, 0, arguments_);
    }

    void square(Mat& out) const override {
      const Index count = static_cast<Index>(rows_.size()), n0 = whole_.rows_.originals;
      out.resize(count, count);
      for (Index k = 0; k < count; ++k) {
        const Scalar* row = arguments_.row[k];
        for (Index j = 0; j < k; ++j) {
          const Index i = rows_[j];
          out(j, k) = i < n0 ? row[i] : whole_.mixed_[i - n0].argument(row);
        }
        whole_.kernel_.apply(&out(0, k), k);
        if (k > 0) out.row(k).head(k) = out.col(k).head(k);  // of none both begin at one place
        out(k, k) = whole_.diagonal_[rows_[k]];
      }
    }
    void add(const ConstMatRef& coef, MatRef f) const override {
      // an exponential costs some ten entries
      constexpr double price = 10;
      const Index n = whole_.n();
      Team& team = whole_.source_.team;
      const Index used = (coef.array() != 0).rowwise().any().count(),
                  chunks = team.chunks(price * static_cast<double>(n * used));
      team.for_chunks(
          chunks, [&](Index chunk) { add(coef, f, chunk * n / chunks, (chunk + 1) * n / chunks); });
    }

   private:
    // To the scores in [from, until).
    void add(const ConstMatRef& coef, MatRef f, Index from, Index until) const {
      ScoreSum<Scalar> sum(f.middleRows(from, until - from));
      for (Index k = 0; k < coef.rows(); ++k) {
        if (coef.row(k).isZero(0)) continue;
        const Index i = rows_[k];
        whole_.values(arguments_.row[k], 0, from, until, [&](Index place, auto row) {
          if (i >= place && i < place + row.size()) {
            row[i - place] = static_cast<Scalar>(whole_.diagonal_[i]);
          }
          for (Index c = 0; c < coef.cols(); ++c) {
            if (coef(k, c) == 0) continue;
            Eigen::Map<Column>(sum.column(c) + (place - from), row.size()) +=
                static_cast<Scalar>(coef(k, c)) * row;
          }
        });
        sum.added(1);
      }
      sum.flush();
    }

    const MixtureKernel& whole_;
    std::vector<Index> rows_;
    ArgumentRows<Scalar> arguments_;
  };

  const Source& source_;
  const MixedRows& rows_;
  KernelFunction kernel_;
  std::vector<MixedColumn> mixed_;
  Vec diagonal_;
};

}  // namespace

template <class Source>
std::unique_ptr<KernelMatrix> mixture_kernel(const Source& source, const MixedRows& rows,
                                             const KernelFunction& kernel) {
  return std::make_unique<MixtureKernel<Source>>(source, rows, kernel);
}
template std::unique_ptr<KernelMatrix> mixture_kernel(const Arguments&, const MixedRows&,
                                                      const KernelFunction&);
template std::unique_ptr<KernelMatrix> mixture_kernel(const StoredArguments<float>&,
                                                      const MixedRows&, const KernelFunction&);
template std::unique_ptr<KernelMatrix> mixture_kernel(const StoredArguments<double>&,
                                                      const MixedRows&, const KernelFunction&);

}  // namespace dualmargin::kernel
