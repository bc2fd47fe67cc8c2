#include "rows/gram.h"

#include <algorithm>
#include <stdexcept>

#include "base/rounding.h"
#include "rows/storage_loops.h"

namespace dualmargin {

namespace {

[[noreturn]] void no_coordinates() {
  throw std::logic_error("a row of a kernel has no coordinates");
}

// Scores are the coordinates of a function.
class ScoreReader {
 public:
  explicit ScoreReader(const double* f) : f_(f) {}
  double dot(Index i) const { return f_[i]; }
  void axpy(Index, double, Vec&) const { no_coordinates(); }
  template <class F>
  void for_each(Index, F) const {
    no_coordinates();
  }
  Vec divided(Vec sums) const { return sums; }

 private:
  const double* f_;
};

}  // namespace

void KernelMatrix::multiply(const ConstMatRef& beta, MatRef f, Tick& tick) const {
  std::vector<Index> rows;
  for (Index i = 0; i < n(); ++i) {
    if (!beta.row(i).isZero(0)) rows.push_back(i);
  }
  const Index used = static_cast<Index>(rows.size());
  Mat part(f.rows(), f.cols());
  for (Index k = 0; k < used; k += width) {
    const Index count = std::min(width, used - k);
    Mat coef(count, beta.cols());
    for (Index j = 0; j < count; ++j) coef.row(j) = beta.row(rows[k + j]);
    part.setZero();
    block(rows.data() + k, count)->add(coef, part);
    f += part;
    tick.poll();
  }
}

double KernelMatrix::additions() const {
  const Index blocks = (n() + width - 1) / width;
  return static_cast<double>(std::min(n(), width) - 1 + blocks - 1);
}

Mat Storage::combine(const ConstMatRef&, Tick&) const {
  throw std::logic_error("only functions of a kernel are combined");
}
double Storage::additions() const { throw std::logic_error("Rows knows the additions"); }

void Gram::row_axpy(Index i, double a, double* f) const {
  Eigen::Map<Vec> scores(f, n());
  kernel_.add_row(i, a, scores);
  if (constant_ != 0) scores.array() += a * constant_;
}
std::unique_ptr<PassLoops> Gram::pass(const double* f) const {
  return std::make_unique<LoopsOf<ScoreReader>>(f);
}

Mat Gram::multiply(const ConstMatRef& beta, Tick& tick) const {
  Mat f = Mat::Zero(n(), beta.cols());
  kernel_.multiply(beta, f, tick);
  for (Index c = 0; c < beta.cols() && constant_ != 0; ++c) {
    f.col(c).array() += constant_ * sum_over(n(), [&](Index i) { return beta(i, c); });
  }
  return f;
}

double Gram::additions() const {
  const double own = kernel_.additions();
  if (constant_ == 0) return own;
  return std::max(own, rounding::of_sum(static_cast<double>(n())) / rounding::unit);
}

void Gram::read_row(Index, FunctionRef<void(const RowPiece&)>) const { no_coordinates(); }
Mat Gram::products(const std::vector<Index>&, const Vec&, Team&, Tick&) const { no_coordinates(); }

}  // namespace dualmargin
