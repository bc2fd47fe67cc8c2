// For the tests: products of rows and columns in a frame, or with starts beyond 2^31 and without the
// entries before them; sums by columns.
#pragma once

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "border/border.h"
#include "probes/probe.h"
#include "rows/column_scale.h"
#include "rows/columns.h"
#include "rows/row_store.h"
#include "rows/rows.h"

namespace dualmargin::probes {

// An array of which only the end can be touched: the rest is address space without memory.
template <class T>
class FarArray {
 public:
  FarArray(const T* values, Index count, Index before)
      : bytes_(static_cast<std::size_t>(before + count) * sizeof(T)) {
#if defined(__unix__) || defined(__APPLE__)
    void* base = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) return;
    base_ = static_cast<T*>(base);
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t head = static_cast<std::size_t>(before) * sizeof(T) / page * page;
    if (mprotect(static_cast<char*>(base) + head, bytes_ - head, PROT_READ | PROT_WRITE) != 0) {
      return;
    }
    std::copy(values, values + count, base_ + before);
    made_ = true;
#else
    static_cast<void>(values);
#endif
  }
  ~FarArray() {
#if defined(__unix__) || defined(__APPLE__)
    if (base_ != nullptr) munmap(base_, bytes_);
#endif
  }
  FarArray(const FarArray&) = delete;

  explicit operator bool() const { return made_; }
  const T* data() const { return base_; }

 private:
  std::size_t bytes_;
  T* base_ = nullptr;
  bool made_ = false;
};

// What passes over the rows of `data`, and single rows, come to; v: as long as a row with its bias.
inline Rcpp::List products_of(const Storage& data, const RowVec& weights, const Vec& v,
                              const RowVec& coef) {
  const RowVec ones = RowVec::Ones(data.n());
  Team team;
  Run run = quiet_run();
  Tick& tick = run.tick();
  const Rows rows(data, ones, weights, team);
  std::vector<Index> all(rows.n()), map(rows.dim());
  std::iota(all.begin(), all.end(), Index{0});
  std::iota(map.begin(), map.end(), Index{0});
  Mat gram = Mat::Zero(rows.dim(), rows.dim());
  rows.gram(all, weights.local(), map, gram, tick);
  Vec one = Vec::Zero(rows.dim());
  rows.axpy(1, rows.dot(1, v), one);
  Mat all_products = rows.products(Vec(), tick);
  all_products.triangularView<Eigen::StrictlyUpper>().setZero();
  const Vec slopes = rows.gradient(
      v, [&](Index i, double z) { return coef[i] + z; }, tick);
  return Rcpp::List::create(
      Rcpp::Named("scores") = rows.multiply(v, tick).local(),
      Rcpp::Named("some") = rows.multiply(std::vector<Index>{2, 0}, v, tick),
      Rcpp::Named("sums") = rows.transpose_multiply(coef, tick), Rcpp::Named("gradient") = slopes,
      Rcpp::Named("normal") = rows.normal_multiply(weights, v, 1, tick).image,
      Rcpp::Named("gram") = gram, Rcpp::Named("lengths") = rows.lengths().local(),
      Rcpp::Named("squares") = rows.column_squares(weights, tick), Rcpp::Named("one") = one,
      Rcpp::Named("nonzeros") = rows.nonzeros(), Rcpp::Named("products") = all_products);
}

// What is made of compressed rows with `before` entries before the first of them, and of the same
// arrays as compressed columns; no list where the system gives no address space.
inline Rcpp::List probe_far_starts(SEXP x, double before, Rcpp::NumericVector w,
                                   Rcpp::NumericVector c) {
  MatrixView view = border::view(x);
  const Index count = view.stored(), skipped = static_cast<Index>(before);
  const FarArray<int> index(view.index, count, skipped);
  const FarArray<double> value(view.real, count, skipped);
  if (!index || !value) return Rcpp::List();
  std::vector<Start> start(view.start, view.start + view.n + 1);
  for (Start& s : start) s += skipped;
  view.start = start.data();
  view.index = index.data();
  view.real = value.data();

  const RowVec weights(Vec::LinSpaced(view.n, 1, 2)), coef(border::vec(c));
  const Vec v = border::vec(w);
  Team team;
  Rcpp::List out;
  const auto passes = [&](const auto& data, const char* name) {
    out[name] = products_of(data, weights, v, coef);
    return 0;
  };
  passes(Sparse(view.start, view.index, view.real, view.n, view.p, 1), "rows");
  RowStore scaled(view, weights.local(), true, Origin::fixed, team);
  out["largest"] = scaled.largest();
  scaled.divide(4);
  scaled.visit(1, [&](const auto& data) { return passes(data, "scaled"); });
  const RowStore plain(view);
  plain.visit(1, [&](const auto& data) { return passes(data, "plain"); });
  out["scales"] = scaled.scales();
  out["centres"] = exact_centres(view, team);

  const Transposed by_columns(view);
  const auto use = [&](const Columns& columns, const char* name) {
    Vec products(columns.dim()), sum = Vec::Zero(columns.n());
    const Vec ends = Vec::LinSpaced(columns.n(), -1, 1);
    for (Index j = 0; j < columns.dim(); ++j) {
      products[j] = columns.dot(j, ends);
      columns.axpy(j, products[j], sum);
      columns.axpy(j, 1, ends, sum);
      sum[0] += columns.moments(j, ends).second + static_cast<double>(columns.nonzeros(j));
    }
    out[name] = Rcpp::List::create(products, sum, columns.nonzeros());
  };
  const Vec none = Vec::Zero(view.n), same = Vec::Ones(view.n);
  use(Columns::sparse(view.start, view.index, view.real, view.p, none, same, 1), "columns");
  const Vec zeros = Vec::Zero(view.p), units = Vec::Ones(view.p);
  use(Columns::sparse(by_columns.start.data(), by_columns.index.get(), by_columns.value.get(),
                      view.n, zeros, units, 1),
      "transposed");
  return out;
}

// The same of the rows less their centres and divided by their scales and `unit`, as rows read
// "one_by_one" or "in_passes" have them, or in a frame of their own as a "shared" store's; `copied`:
// are they a copy?
inline Rcpp::List probe_frame(SEXP x, Rcpp::NumericVector weights, std::string reading, double unit,
                              Rcpp::NumericVector w, Rcpp::NumericVector c) {
  const MatrixView view = border::view(x);
  const RowVec omega(border::vec(weights));
  Team team;
  std::unique_ptr<RowStore> plain, rows;
  if (reading == "shared") {
    plain = std::make_unique<RowStore>(view);
    rows = std::make_unique<RowStore>(*plain, view, omega.local(), true, Origin::free, team);
  } else {
    const Reading how = reading == "in_passes" ? Reading::in_passes : Reading::one_by_one;
    rows = std::make_unique<RowStore>(view, omega.local(), true, Origin::free, team, how);
  }
  if (unit != 1) rows->divide(unit);
  const Rcpp::List products = rows->visit(1, [&](const auto& data) {
    return products_of(data, omega, border::vec(w), RowVec(border::vec(c)));
  });
  return Rcpp::List::create(
      Rcpp::Named("products") = products, Rcpp::Named("largest") = rows->largest(),
      Rcpp::Named("copied") = rows->copied(), Rcpp::Named("scales") = rows->scales(),
      Rcpp::Named("centre") = rows->centre());
}

// Means and scales by so many threads, `grain` entries a chunk at least.
inline Rcpp::List probe_column_statistics(SEXP x, Rcpp::NumericVector weights, int threads,
                                          double grain) {
  const MatrixView view = border::view(x);
  Team team(threads, grain);
  Vec mean(view.p), sd(view.p), centre(view.p);
  for_each_spread(view, border::vec(weights), team, [&](Index j, const ColumnSpread& spread) {
    mean[j] = spread.mean();
    sd[j] = spread.sd();
    centre[j] = spread.centre();
  });
  return Rcpp::List::create(Rcpp::Named("mean") = mean, Rcpp::Named("sd") = sd,
                            Rcpp::Named("centre") = centre,
                            Rcpp::Named("exact") = exact_centres(view, team));
}

inline void add_probes(Table& table) {
  table.add("far_starts", probe_far_starts);
  table.add("frame", probe_frame);
  table.add("column_statistics", probe_column_statistics);
}

}  // namespace dualmargin::probes
